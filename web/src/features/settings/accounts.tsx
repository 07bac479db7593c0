import { ActionIcon, Menu } from "@mantine/core";
import { useConsoleRead, useConsoleWrite } from "#web/api/console-queries.ts";
import { useUser } from "#web/api/session.ts";
import { showDone, showFault, notifyResult } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { Person } from "./members.tsx";
import { type Account, type GivenLink, USERS_PATH } from "./people.ts";

type OnLink = (name: string, link: GivenLink) => void;

/** All accounts of the installation; only its owners see them. */
export function Accounts({ onLink }: { onLink: OnLink }) {
  const read = useConsoleRead<Account[]>(USERS_PATH);
  const actions = useActions(onLink);
  const { id: ownId } = useUser();
  const columns = accountColumns(actions, ownId);
  return (
    <Card
      title={t`Accounts of the installation`}
      padded={false}
      actions={<SaveRowsButton rows={read.data} columns={columns} fileName="accounts.csv" />}
    >
      <ReadFault read={read} />
      <DataTable label={t`Accounts`} rows={read.data} columns={columns} />
    </Card>
  );
}

type Actions = ReturnType<typeof useActions>;

function accountColumns(actions: Actions, ownId: string): Column<Account>[] {
  return [
    { id: "name", header: t`Name`, cell: (row) => <Person {...row} />, value: (row) => row.name },
    { id: "email", header: t`E-mail`, cell: (row) => row.email, value: (row) => row.email, isWide: true },
    { id: "workspaces", header: t`Workspaces`, cell: nameWorkspaces, value: nameWorkspaces, isWide: true },
    {
      id: "lastSignedInAt",
      header: t`Last signed in`,
      cell: (row) => (row.lastSignedInAt === null ? t`never` : <Time at={row.lastSignedInAt} ago />),
      value: (row) => row.lastSignedInAt,
      isWide: true,
    },
    {
      id: "state",
      header: t`State`,
      cell: (row) => <StatusBadge status={stateOf(row)} />,
      value: stateOf,
    },
    {
      id: "actions",
      header: "",
      align: "right",
      width: 50,
      cell: (row) => (row.id === ownId ? null : <RowMenu account={row} {...actions} />),
    },
  ];
}

function nameWorkspaces({ isInstallationOwner, memberships }: Account): string {
  if (isInstallationOwner) return t`all (installation owner)`;
  return memberships.map(({ workspaceName, role }) => `${workspaceName} (${formatName(role)})`).join(", ") || t`none`;
}

function stateOf({ disabledAt }: Account): string {
  return disabledAt === null ? "ACTIVE" : "DISABLED";
}

function RowMenu({ account, reset, disable, enable }: { account: Account } & Actions) {
  const isDisabled = account.disabledAt !== null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${account.name}`}>
          <Icon name="more" strokeWidth={2.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isDisabled && (
          <Menu.Item leftSection={<Icon name="key" />} onClick={() => reset(account)}>
            {t`Link for a new password`}
          </Menu.Item>
        )}
        {isDisabled ? (
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => enable(account)}>
            {t`Let in again`}
          </Menu.Item>
        ) : (
          <Menu.Item color="red" leftSection={<Icon name="close" />} onClick={() => disable(account)}>
            {t`Shut out`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function useActions(onLink: OnLink) {
  const ask = useConfirm();
  const make = useConsoleWrite<GivenLink, string>({
    failed: t`The link was not made`,
    method: "POST",
    path: (id) => `${USERS_PATH}/${id}/reset-link`,
  });
  const shut = useConsoleWrite<void, string>({
    failed: t`The person was not shut out`,
    method: "DELETE",
    path: (id) => `${USERS_PATH}/${id}`,
    refreshes: USERS_PATH,
  });
  const open = useConsoleWrite<void, string>({
    failed: t`The person was not let in`,
    method: "POST",
    path: (id) => `${USERS_PATH}/${id}/enable`,
    refreshes: USERS_PATH,
  });
  const disable = async ({ id, name }: Account) => {
    const isSure = await ask({
      title: t`Shut ${name} out?`,
      body: t`All their sessions end now, and they cannot sign in anywhere until you let them in again.`,
      action: t`Shut out`,
      isDangerous: true,
    });
    if (!isSure) return;
    await shut.mutateAsync(id);
    showDone(t`${name} is shut out.`);
  };
  return {
    reset: ({ id, name }: Account) => notifyResult(make.mutateAsync(id), (link) => onLink(name, link)),
    disable: (account: Account) => void disable(account).catch(showFault),
    enable: ({ id, name }: Account) => notifyResult(open.mutateAsync(id), t`${name} may sign in again.`),
  };
}
