import { Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { ownZone } from "#web/ui/own-zone.ts";
import { AuthFrame } from "./auth-frame.tsx";
import type { Enter, OneTimeLink } from "./one-time-link.ts";
import { checkPassword, PASSWORD_RULE } from "./password.ts";

/** Form for the owner's account and the first workspace, unless there is one, made on the command line. */
export function SetUpForm({ token, link, enter }: { token: string; link: OneTimeLink; enter: Enter }) {
  const hasWorkspace = link.workspaceName !== null;
  const form = useForm({
    initialValues: { name: "", email: "", password: "", workspaceName: t`Demo`, sample: true },
    validate: { password: checkPassword },
  });
  const { isSending, fault, submit } = useSubmit(form, ({ workspaceName, sample, ...account }) =>
    enter("/api/console/setup", {
      token,
      ...account,
      ...(hasWorkspace ? {} : { mode: "SANDBOX", timeZone: ownZone(), workspaceName, sample }),
    }),
  );
  return (
    <AuthFrame title={t`Set up Parley`} lead={t`Create the owner's account. It stays on this machine.`}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <TextInput
            label={t`Your name`}
            autoComplete="name"
            required
            autoFocus
            maxLength={100}
            {...form.getInputProps("name")}
          />
          <TextInput label={t`E-mail`} type="email" autoComplete="username" required {...form.getInputProps("email")} />
          <PasswordInput
            label={t`Password`}
            description={PASSWORD_RULE}
            autoComplete="new-password"
            required
            {...form.getInputProps("password")}
          />
          {!hasWorkspace && (
            <>
              <TextInput
                label={t`First workspace`}
                description={t`A sandbox: no call can leave this machine.`}
                required
                maxLength={100}
                {...form.getInputProps("workspaceName")}
              />
              <Checkbox
                label={t`Fill it with a sample flow, number and data`}
                {...form.getInputProps("sample", { type: "checkbox" })}
              />
            </>
          )}
          <Button type="submit" size="md" loading={isSending}>
            {t`Create account`}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
