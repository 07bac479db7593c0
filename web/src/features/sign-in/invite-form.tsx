import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { sessionQuery } from "#web/api/session.ts";
import { rich } from "#web/i18n/rich.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { formatName } from "#web/ui/format/format.ts";
import { AuthFrame } from "./auth-frame.tsx";
import type { Enter, OneTimeLink } from "./one-time-link.ts";
import { checkPassword, PASSWORD_RULE } from "./password.ts";

interface InviteProps {
  token: string;
  link: OneTimeLink;
  enter: Enter;
}

/** Form to join a workspace, with the signed-in account or a new one. */
export function InviteForm(props: InviteProps) {
  const { link, token } = props;
  const { data: session } = useQuery(sessionQuery);
  const lead = link.role === null ? "" : t`As ${inSentence(formatName(link.role))}.`;
  return (
    <AuthFrame title={t`Join ${link.workspaceName ?? t`the workspace`}`} lead={lead}>
      {session?.user ? (
        <JoinForm {...props} email={session.user.email} />
      ) : link.hasAccount ? (
        <Stack>
          <Text fz="sm">{rich`There is an account for ${link.email}. Sign in, then this invitation opens again.`}</Text>
          <Button component={Link} href={`/sign-in?next=${encodeURIComponent(`/invite/${token}`)}`}>
            {t`Sign in`}
          </Button>
        </Stack>
      ) : (
        <NewAccountForm {...props} />
      )}
    </AuthFrame>
  );
}

function JoinForm({ token, enter, email }: InviteProps & { email: string }) {
  const form = useForm({ initialValues: {} });
  const { isSending, fault, submit } = useSubmit(form, () => enter("/api/console/invitations/join", { token }));
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        <Button type="submit" loading={isSending}>
          {t`Join as ${email}`}
        </Button>
      </Stack>
    </form>
  );
}

function NewAccountForm({ token, link, enter }: InviteProps) {
  const form = useForm({
    initialValues: { name: link.name ?? "", email: link.email ?? "", password: "" },
    validate: { password: checkPassword },
  });
  const { isSending, fault, submit } = useSubmit(form, (values) =>
    enter("/api/console/invitations/accept", { token, ...values }),
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        <TextInput label={t`Your name`} autoComplete="name" required maxLength={100} {...form.getInputProps("name")} />
        <TextInput label={t`E-mail`} type="email" autoComplete="username" required {...form.getInputProps("email")} />
        <PasswordInput
          label={t`Password`}
          description={PASSWORD_RULE}
          autoComplete="new-password"
          required
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={isSending}>
          {t`Create account and join`}
        </Button>
      </Stack>
    </form>
  );
}
