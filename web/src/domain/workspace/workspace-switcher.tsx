import { Badge, Group, Menu, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { sessionQuery, type WorkspaceAccess } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { showOverlay } from "./overlay.ts";

/** SANDBOX: nothing leaves this machine. LIVE: people are called. */
export function ModeBadge({ mode }: { mode: WorkspaceAccess["mode"] }) {
  return (
    <Badge size="xs" radius="sm" variant="light" color={mode === "LIVE" ? "green" : "orange"}>
      {mode}
    </Badge>
  );
}

/** The workspace's name and mode, with a menu of the person's other workspaces. */
export function WorkspaceSwitcher() {
  const here = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const [, navigate] = useLocation();
  return (
    <Menu position="bottom-start" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton className="switcher" title={t`Switch workspace`}>
          <span className="mark" aria-hidden="true">
            <Icon name="audio" size={15} strokeWidth={2.4} />
          </span>
          <span className="switcher-name">
            <Text component="span" fz="sm" fw={600} lh={1.25} truncate>
              {here.name}
            </Text>
            <ModeBadge mode={here.mode} />
          </span>
          <Icon name="updown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t`Workspaces`}</Menu.Label>
        {session?.workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            onClick={() => navigate(`~/w/${workspace.id}`)}
            rightSection={<ModeBadge mode={workspace.mode} />}
            leftSection={<Icon name={workspace.id === here.id ? "check" : "right"} size={14} />}
          >
            <Group>{workspace.name}</Group>
          </Menu.Item>
        ))}
        {session?.user?.isInstallationOwner && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={() => showOverlay("workspace")}>
              {t`New workspace`}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
