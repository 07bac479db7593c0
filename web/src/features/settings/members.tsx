import { ActionIcon, Select, Stack, Text } from "@mantine/core";
import { useRead, useWrite } from "#web/api/queries.ts";
import { type Role, useUser } from "#web/api/session.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { inSentence, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { type Member, MEMBERS_PATH, ROLES } from "./people.ts";

type Row = Member & { id: string };

/** The members of the workspace with their roles. */
export function Members() {
  const read = useRead<Member[]>(MEMBERS_PATH);
  const columns = useColumns();
  const rows = read.data?.map((member) => ({ ...member, id: member.userId }));
  return (
    <Card
      title={t`Members`}
      padded={false}
      actions={<SaveRowsButton rows={rows} columns={columns} fileName="members.csv" />}
    >
      <ReadFault read={read} />
      <DataTable
        label={t`Members`}
        rows={rows}
        columns={columns}
        empty={
          <Text p="lg" fz="sm" c="dimmed">
            {t`No other members than the owners of the installation. Invite a colleague with a role of their own.`}
          </Text>
        }
      />
    </Card>
  );
}

function useColumns(): Column<Row>[] {
  const mayChange = useMay("WORKSPACE_ADMIN");
  const change = useChangeRole();
  const remove = useRemove();
  const columns: Column<Row>[] = [
    { id: "name", header: t`Name`, cell: (row) => <Person {...row} />, value: (row) => row.name },
    { id: "email", header: t`E-mail`, cell: (row) => row.email, value: (row) => row.email, isWide: true },
    {
      id: "role",
      header: t`Role`,
      cell: (row) =>
        mayChange ? (
          <RoleSelect member={row} change={(role) => change(row, role)} />
        ) : (
          `${formatName(row.role)}${row.isByGroup ? t` (by group)` : ""}`
        ),
      value: (row) => row.role,
    },
    {
      id: "lastSignedInAt",
      header: t`Last signed in`,
      cell: (row) => (row.lastSignedInAt === null ? t`never` : <Time at={row.lastSignedInAt} ago />),
      value: (row) => row.lastSignedInAt,
      isWide: true,
    },
  ];
  if (!mayChange) return columns;
  const cell = (row: Row) => (
    <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${row.name}`} onClick={() => void remove(row)}>
      <Icon name="trash" />
    </ActionIcon>
  );
  return [...columns, { id: "actions", header: "", align: "right", width: 50, cell }];
}

/** A name; on a phone, the e-mail address is below it. */
export function Person({ name, email }: { name: string; email: string }) {
  return (
    <Stack gap={0}>
      <Text component="span" fz="sm" fw={550} style={{ overflowWrap: "anywhere" }}>
        {name}
      </Text>
      <Text component="span" fz="xs" c="dimmed" hiddenFrom="sm" style={{ overflowWrap: "anywhere" }}>
        {email}
      </Text>
    </Stack>
  );
}

function RoleSelect({ member, change }: { member: Member; change: (role: Role) => void }) {
  return (
    <Select
      size="xs"
      w={120}
      {...(member.isByGroup ? { description: t`by group` } : {})}
      aria-label={t`Role of ${member.name}`}
      allowDeselect={false}
      data={ROLES.map(({ value, label }) => ({ value, label }))}
      value={member.role}
      onChange={(role) => role !== null && change(role as Role)}
    />
  );
}

function useChangeRole(): (member: Member, role: Role) => void {
  const ask = useConfirm();
  const { id: ownId } = useUser();
  const write = useWrite<Member, { member: Member; role: Role }>({
    failed: ({ member }) => t`The role of ${member.name} was not changed`,
    method: "PUT",
    path: ({ member: { userId } }) => `${MEMBERS_PATH}/${userId}`,
    body: ({ member, role }) => ({ role, before: { role: member.role } }),
    refreshes: [MEMBERS_PATH],
  });
  const change = async (member: Member, role: Role) => {
    if (role === member.role) return;
    const isSure = await ask({
      title: t`Make ${member.name} ${role === "OWNER" ? t`an owner` : t`a ${inSentence(formatName(role))}`}?`,
      body: [
        ROLES.find(({ value }) => value === role)?.may ?? "",
        ...(member.isByGroup ? [t`Their group no longer decides it then.`] : []),
        ...(member.userId === ownId ? [t`This is you.`] : []),
      ].join(" "),
      action: t`Change role`,
    });
    if (!isSure) return;
    await write.mutateAsync({ member, role });
    showDone(t`${member.name} is ${inSentence(formatName(role))} now.`);
  };
  return (member, role) => void change(member, role).catch(showFault);
}

function useRemove(): (member: Member) => Promise<boolean> {
  return useAskedDelete<Member>({
    path: ({ userId }) => `${MEMBERS_PATH}/${userId}`,
    refreshes: [MEMBERS_PATH],
    question: ({ name }) => ({
      title: t`Take ${name} out of this workspace?`,
      body: t`They are shut out from their next request on. What they made stays; they can be invited again.`,
      action: t`Take out`,
    }),
    failed: ({ name }) => t`${name} was not taken out`,
    done: ({ name }) => t`${name} is no longer a member.`,
  });
}
