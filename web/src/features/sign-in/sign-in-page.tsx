import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "#web/api/http.ts";
import { keepToken, type Session, sessionQuery, type StepWay } from "#web/api/session.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { CodeForm } from "./code-form.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { wordsOf } from "./sign-on-faults.ts";
import { SignOnLinks } from "./sign-on-links.tsx";

/**
 * Page to sign in with e-mail and password, and a second step where the account has one; with a passkey; or by a company's
 * identity provider.
 */
export function SignInPage() {
  const client = useQueryClient();
  const signOnFault = wordsOf(new URLSearchParams(window.location.search).get("fault"));
  const form = useForm({ initialValues: { email: "", password: "" } });
  const [ways, setWays] = useState<StepWay[] | null>(null);
  const enter = (session: Session) => {
    setWays(session.secondStep);
    if (session.user) client.setQueryData(sessionQuery.queryKey, keepToken(session));
  };
  const { isSending, fault, submit } = useSubmit(form, async (values) =>
    enter(await send<Session>("POST", "/api/console/sign-in", { body: values })),
  );
  if (ways) return <CodeForm ways={ways} enter={enter} back={() => setWays(null)} />;
  return (
    <AuthFrame title={t`Sign in to Parley`} lead={t`Voice and chat automation on your own machine.`}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault ?? signOnFault} />
          <TextInput
            label={t`E-mail`}
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            required
            {...form.getInputProps("password")}
          />
          <Button type="submit" size="md" loading={isSending}>
            {t`Sign in`}
          </Button>
          <PasskeyButton enter={enter} />
          <SignOnLinks />
          <Text fz="xs" c="dimmed" ta="center">
            {rich`Forgot the password? An owner makes you a reset link, or whoever runs the server does with ${<code>parley user reset E-MAIL</code>}.`}
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}
