import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "#web/api/http.ts";
import { sessionQuery, useUser } from "#web/api/session.ts";
import { signOut } from "#web/domain/workspace/sign-out.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { AuthFrame } from "./auth-frame.tsx";

/** Page for a signed-in person without a workspace. */
export function NoWorkspacePage() {
  const user = useUser();
  return (
    <AuthFrame title={t`No workspace yet`} lead={t`Signed in as ${user.email}`}>
      <Stack>
        {user.isInstallationOwner ? (
          <CreateForm />
        ) : (
          <Text fz="sm">{t`You are not a member of any workspace. Ask an owner for an invitation link.`}</Text>
        )}
        <Button variant="default" onClick={signOut}>
          {t`Sign out`}
        </Button>
      </Stack>
    </AuthFrame>
  );
}

function CreateForm() {
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: "" } });
  const { isSending, fault, submit } = useSubmit(form, async ({ name }) => {
    await send("POST", "/api/console/workspaces", { body: { name, mode: "SANDBOX", sample: true } });
    await client.invalidateQueries(sessionQuery);
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        <TextInput label={t`Name of the workspace`} required maxLength={100} {...form.getInputProps("name")} />
        <Button type="submit" loading={isSending}>
          {t`Create a sandbox workspace`}
        </Button>
      </Stack>
    </form>
  );
}
