import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useConsoleWrite } from "#web/api/console-queries.ts";
import { sessionQuery, type User, useUser } from "#web/api/session.ts";
import { showDone } from "#web/api/undo.tsx";
import { SecondFactors } from "#web/domain/account/second-factors.tsx";
import { useConfirmed } from "#web/domain/account/use-confirmed.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { Sessions } from "./sessions.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** Page of the person's name, password, second factors and sessions. */
export function AccountPage() {
  const user = useUser();
  return (
    <SettingsFrame title={t`Your account`} lead={t`${user.email}. It is the same in every workspace.`}>
      <Stack>
        <Profile user={user} />
        <Password email={user.email} />
        <SecondFactors />
        <Sessions />
      </Stack>
    </SettingsFrame>
  );
}

function Profile({ user }: { user: User }) {
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: user.name } });
  const write = useConsoleWrite<User, { name: string }>({
    failed: t`Your name was not saved`,
    method: "PATCH",
    path: "/profile",
    body: (values) => values,
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    await write.mutateAsync(values);
    form.resetDirty(values);
    await client.invalidateQueries(sessionQuery);
    showDone(t`Saved.`);
  });
  return (
    <Card title={t`Name`}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <Group align="flex-end">
            <TextInput
              label={t`Your name`}
              description={t`What colleagues call you.`}
              required
              maxLength={100}
              w={{ base: "100%", sm: 320 }}
              {...form.getInputProps("name")}
            />
            <Button type="submit" variant="default" loading={isSending} disabled={!form.isDirty()}>
              {t`Save name`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

const EMPTY = { currentPassword: "", newPassword: "" };
const SHORTEST = 10;

function Password({ email }: { email: string }) {
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      newPassword: (text) => (text.length < SHORTEST ? t`Use at least ${SHORTEST} characters.` : null),
    },
  });
  const write = useConsoleWrite<void, typeof EMPTY>({
    failed: t`Your password was not changed`,
    method: "POST",
    path: "/password",
    body: (values) => values,
  });
  const { confirmable, dialog } = useConfirmed();
  const { isSending, fault, submit } = useSubmit(form, (values) =>
    confirmable(async () => {
      await write.mutateAsync(values);
      form.setValues(EMPTY);
      form.resetDirty(EMPTY);
      showDone(t`The new password holds. Your other sessions have ended.`);
    }),
  );
  return (
    <Card title={t`Password`}>
      {dialog}
      <form onSubmit={form.onSubmit(submit)}>
        <Stack maw={320}>
          <FormFault fault={fault} />
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label={t`Password now`}
            autoComplete="current-password"
            required
            {...form.getInputProps("currentPassword")}
          />
          <PasswordInput
            label={t`New password`}
            description={t`At least ${SHORTEST} characters.`}
            autoComplete="new-password"
            required
            {...form.getInputProps("newPassword")}
          />
          <Text fz="xs" c="dimmed">
            {t`All your other sessions end with it.`}
          </Text>
          <Button type="submit" variant="default" loading={isSending} w="fit-content">
            {t`Change password`}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
