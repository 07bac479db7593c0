import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { send } from "#web/api/http.ts";
import type { Session, StepWay } from "#web/api/session.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { PasskeyButton } from "./passkey-button.tsx";

interface CodeFormProps {
  ways: StepWay[];
  enter: (session: Session) => void;
  back: () => void;
}

/** Second step of a sign-in: the code of the authenticator app, a recovery code, or a passkey. */
export function CodeForm({ ways, enter, back }: CodeFormProps) {
  const form = useForm({ initialValues: { code: "" } });
  const { isSending, fault, submit } = useSubmit(form, async (values) =>
    enter(await send<Session>("POST", "/api/console/sign-in/code", { body: values })),
  );
  const hasApp = ways.includes("TOTP");
  const lead = hasApp
    ? t`The password is right. Enter the code that your app shows now.`
    : t`The password is right. Show your passkey, or enter a recovery code.`;
  return (
    <AuthFrame title={t`One more step`} lead={lead}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          {ways.includes("PASSKEY") && <PasskeyButton enter={enter} />}
          <TextInput
            label={hasApp ? t`Code` : t`Recovery code`}
            {...(hasApp ? { description: t`Six digits, or one of your recovery codes.` } : {})}
            autoComplete="one-time-code"
            required
            autoFocus
            maxLength={40}
            {...form.getInputProps("code")}
          />
          <Button type="submit" size="md" loading={isSending}>
            {t`Sign in`}
          </Button>
          <Button variant="subtle" onClick={back}>
            {t`Back`}
          </Button>
          <Text fz="xs" c="dimmed" ta="center">
            {rich`Lost all of them? Whoever runs the server helps with ${<code>parley user reset-second-factor E-MAIL</code>}.`}
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}
