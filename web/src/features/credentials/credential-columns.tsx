import { ActionIcon, Code, Menu, Text, Tooltip } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { ALL_PERMISSIONS, type Credential, isLive, stateOf } from "./credential.ts";

interface Actions {
  edit: (credential: Credential) => void;
  limit: (credential: Credential) => void;
  rotate: (credential: Credential) => void;
  revoke: (credential: Credential) => void;
}

/** The columns of the list of credentials. */
export function credentialColumns(actions: Actions): Column<Credential>[] {
  return [
    {
      id: "name",
      header: t`Name`,
      cell: (row) => (
        <Text component="span" fz="sm" fw={550}>
          {row.name}
        </Text>
      ),
      value: (row) => row.name,
    },
    {
      id: "kind",
      header: t`Kind`,
      cell: (row) => (row.kind === "API_KEY" ? t`API key` : t`OAuth client`),
      value: (row) => row.kind,
      isWide: true,
    },
    {
      id: "secret",
      header: t`Secret`,
      cell: (row) => <Code>…{row.secretLast4}</Code>,
      isWide: true,
    },
    {
      id: "permissions",
      header: t`Permissions`,
      cell: (row) => <Permissions names={row.permissions} />,
      value: (row) => row.permissions.length,
      isWide: true,
    },
    { id: "state", header: t`Status`, cell: (row) => <StatusBadge status={stateOf(row)} />, value: stateOf },
    {
      id: "lastUsedAt",
      header: t`Last used`,
      cell: (row) => <LastUsed row={row} />,
      value: (row) => row.lastUsedAt,
      isWide: true,
    },
    {
      id: "expiresAt",
      header: t`Expires`,
      cell: (row) => (row.expiresAt === null ? t`never` : <Time at={row.expiresAt} />),
      value: (row) => row.expiresAt,
      isWide: true,
    },
    {
      id: "allowedAddresses",
      header: t`From`,
      cell: (row) => (row.allowedAddresses === null ? t`anywhere` : row.allowedAddresses.join(", ")),
      value: (row) => row.allowedAddresses?.join(" ") ?? "",
      isWide: true,
    },
    { id: "actions", header: "", cell: (row) => <RowMenu row={row} {...actions} />, width: 50, align: "right" },
  ];
}

function LastUsed({ row }: { row: Credential }) {
  if (row.lastUsedAt === null) return <>{t`never`}</>;
  return (
    <Text component="span" fz="sm" title={row.lastUsedAddress === null ? "" : t`From ${row.lastUsedAddress}`}>
      <Time at={row.lastUsedAt} ago />
    </Text>
  );
}

function Permissions({ names }: { names: string[] }) {
  if (names.length === ALL_PERMISSIONS.length) return <>{t`all`}</>;
  return (
    <Tooltip label={names.length === 0 ? t`none` : names.join(", ")} multiline maw={320}>
      <span>{t`${names.length} of ${ALL_PERMISSIONS.length}`}</span>
    </Tooltip>
  );
}

function RowMenu({ row, edit, limit, rotate, revoke }: { row: Credential } & Actions) {
  if (!isLive(row)) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${row.name}`}>
          <Icon name="more" strokeWidth={2.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => edit(row)}>
          {t`Permissions`}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="settings" />} onClick={() => limit(row)}>
          {t`Expiry and addresses`}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="key" />} onClick={() => rotate(row)}>
          {t`Rotate`}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => revoke(row)}>
          {t`Revoke`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
