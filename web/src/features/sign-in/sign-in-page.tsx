import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "#web/api/http.ts";
import { keepToken, type Session, sessionQuery } from "#web/api/session.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { wordsOf } from "./sign-on-faults.ts";
import { SignOnLinks } from "./sign-on-links.tsx";

/** Page to sign in with e-mail and password, or by a company's identity provider. */
export function SignInPage() {
  const client = useQueryClient();
  const signOnFault = wordsOf(new URLSearchParams(window.location.search).get("fault"));
  const form = useForm({ initialValues: { email: "", password: "" } });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const session = await send<Session>("POST", "/api/console/sign-in", { body: values });
    client.setQueryData(sessionQuery.queryKey, keepToken(session));
  });
  return (
    <AuthFrame title="Sign in to Parley" lead="Voice and chat automation on your own machine.">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault ?? signOnFault} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps("password")}
          />
          <Button type="submit" size="md" loading={isSending}>
            Sign in
          </Button>
          <SignOnLinks />
          <Text fz="xs" c="dimmed" ta="center">
            Forgot the password? An owner makes you a reset link, or whoever runs the server does with{" "}
            <code>parley user reset E-MAIL</code>.
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}
