import { Button, Group, Stack } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useUser } from "#web/api/session.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Accounts } from "./accounts.tsx";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import type { GivenLink } from "./people.ts";
import { RoleTable } from "./role-table.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const InviteDialog = lazy(async () => ({ default: (await import("./invite-dialog.tsx")).InviteDialog }));
const LinkDialog = lazy(async () => ({ default: (await import("./link-dialog.tsx")).LinkDialog }));

/** Page of the people with access to the workspace and their roles. */
export function PeoplePage() {
  const mayInvite = useMay("WORKSPACE_ADMIN");
  const { isInstallationOwner } = useUser();
  const [isInviting, setInviting] = useState(false);
  const keepDialog = useKeptDialog();
  const give = (title: string, link: GivenLink) =>
    keepDialog((close) => <LinkDialog title={title} link={link} close={close} />);
  useShortcutKeys(
    mayInvite ? [{ keys: "n", label: t`Invite somebody`, group: t`People`, run: () => setInviting(true) }] : [],
  );
  return (
    <SettingsFrame
      title={t`People and roles`}
      lead={t`Who may enter this workspace. A role holds from the person's next request on.`}
      actions={
        mayInvite && (
          <Group>
            <Button leftSection={<Icon name="plus" />} onClick={() => setInviting(true)}>
              {t`Invite`}
            </Button>
          </Group>
        )
      }
    >
      <Stack>
        <Members />
        {mayInvite && <Invitations />}
        <RoleTable />
        {isInstallationOwner && <Accounts onLink={(name, link) => give(t`A new password for ${name}`, link)} />}
      </Stack>
      <Suspense fallback={null}>
        {isInviting && (
          <InviteDialog
            close={() => setInviting(false)}
            onMade={(link) => {
              setInviting(false);
              give(t`The invitation`, link);
            }}
          />
        )}
      </Suspense>
    </SettingsFrame>
  );
}
