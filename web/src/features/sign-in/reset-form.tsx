import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { AuthFrame } from "./auth-frame.tsx";
import type { Enter, OneTimeLink } from "./one-time-link.ts";
import { checkPassword, PASSWORD_RULE } from "./password.ts";

/** Form for a new password of an account; it ends all sessions of that account. */
export function ResetForm({ token, link, enter }: { token: string; link: OneTimeLink; enter: Enter }) {
  const form = useForm({ initialValues: { password: "" }, validate: { password: checkPassword } });
  const { isSending, fault, submit } = useSubmit(form, ({ password }) =>
    enter("/api/console/password/reset", { token, password }),
  );
  return (
    <AuthFrame title={t`Choose a new password`} lead={link.email ?? t`Other devices are signed out.`}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <input type="hidden" autoComplete="username" value={link.email ?? ""} readOnly />
          <PasswordInput
            label={t`New password`}
            description={PASSWORD_RULE}
            autoComplete="new-password"
            required
            autoFocus
            {...form.getInputProps("password")}
          />
          <Button type="submit" size="md" loading={isSending}>
            {t`Save and sign in`}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
