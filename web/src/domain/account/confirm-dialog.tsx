import { Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { useConsoleRead, useConsoleWrite } from "#web/api/console-queries.ts";
import { canUsePasskeys, showPasskey } from "#web/api/passkeys.ts";
import { useUser } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { FACTORS_PATH, type SecondFactors } from "./second-factor.ts";

/** Asks a signed-in person to show again who they are, by password and code or by a passkey. */
export function ConfirmDialog({ close, onDone }: { close: () => void; onDone: () => void }) {
  const { hasSecondFactor, email } = useUser();
  const { data } = useConsoleRead<SecondFactors>(FACTORS_PATH);
  const form = useForm({ initialValues: { password: "", code: "" } });
  const confirm = useConsoleWrite<void, { password: string; code: string }>({
    failed: t`It was not confirmed`,
    method: "POST",
    path: "/confirm",
    body: ({ password, code }) => ({ password, ...(code === "" ? {} : { code }) }),
  });
  const sending = useSubmit(form, async (values) => {
    await confirm.mutateAsync(values);
    onDone();
  });
  const hasPasskey = canUsePasskeys() && data?.canUsePasskeys === true && data.passkeys.length > 0;
  return (
    <FormDialog
      title={t`Confirm that it is you`}
      form={form}
      sending={sending}
      close={close}
      action={t`Confirm`}
      size="md"
    >
      <Text fz="sm">{t`You signed in a while ago, and this changes how you sign in.`}</Text>
      {hasPasskey && <PasskeyButton onDone={onDone} />}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t`Password`}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps("password")}
      />
      {hasSecondFactor && (
        <TextInput
          label={t`Code`}
          description={t`Of your authenticator app, or a recovery code.`}
          autoComplete="one-time-code"
          required
          {...form.getInputProps("code")}
        />
      )}
    </FormDialog>
  );
}

function PasskeyButton({ onDone }: { onDone: () => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const show = () => {
    setFault(null);
    showPasskey("/api/console/confirm/passkey").then(onDone, (error: unknown) => setFault(explainError(error)));
  };
  return (
    <Stack gap="xs">
      <Button variant="default" onClick={show}>
        {t`Use a passkey`}
      </Button>
      {fault !== null && (
        <Text fz="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
      <Divider label={t`or`} />
    </Stack>
  );
}
