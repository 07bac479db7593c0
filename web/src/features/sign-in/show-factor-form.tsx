import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "#web/api/http.ts";
import { canUsePasskeys, showPasskey } from "#web/api/passkeys.ts";
import { sessionQuery } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";

/** Form for the code or the passkey of a person whose company's provider asked for one factor alone. */
export function ShowFactorForm() {
  const client = useQueryClient();
  const form = useForm({ initialValues: { code: "" } });
  const enter = () => client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    await send("POST", "/api/console/second-factor/show", { body: values });
    await enter();
  });
  const passkey = useSubmit(form, async () => {
    await showPasskey("/api/console/confirm/passkey");
    await enter();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text fz="sm">{t`Your company's sign-in asked for one factor alone.`}</Text>
        <FormFault fault={fault ?? passkey.fault} />
        <TextInput
          label={t`Code`}
          description={t`Six digits of your app, or one of your recovery codes.`}
          autoComplete="one-time-code"
          required
          maxLength={40}
          {...form.getInputProps("code")}
        />
        <Button type="submit" loading={isSending}>
          {t`Enter`}
        </Button>
        {canUsePasskeys() && (
          <Button variant="default" loading={passkey.isSending} onClick={() => void passkey.submit(form.values)}>
            {t`Use a passkey`}
          </Button>
        )}
      </Stack>
    </form>
  );
}
