import { Button, Text } from "@mantine/core";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { type Invitation, INVITATIONS_PATH } from "./people.ts";

/** Invitations that have not been used yet. */
export function Invitations() {
  const read = useRead<Invitation[]>(INVITATIONS_PATH);
  const { data } = read;
  const revoke = useRevoke();
  if (data === undefined && read.error) {
    return (
      <Card title={t`Open invitations`}>
        <ReadFault read={read} />
      </Card>
    );
  }
  if (data === undefined || data.length === 0) return null;
  const columns = invitationColumns((invitation) => void revoke(invitation));
  return (
    <Card
      title={t`Open invitations`}
      padded={false}
      actions={<SaveRowsButton rows={data} columns={columns} fileName="invitations.csv" />}
    >
      <DataTable label={t`Open invitations`} rows={data} columns={columns} />
    </Card>
  );
}

function invitationColumns(revoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    {
      id: "for",
      header: t`For`,
      cell: (row) => (
        <Text component="span" fz="sm" fw={550} style={{ overflowWrap: "anywhere" }}>
          {nameInvited(row)}
        </Text>
      ),
      value: nameInvited,
    },
    { id: "role", header: t`Role`, cell: (row) => formatName(row.role), value: (row) => row.role },
    {
      id: "createdBy",
      header: t`Invited by`,
      cell: (row) => row.createdBy ?? t`the operator`,
      value: (row) => row.createdBy ?? t`the operator`,
      isWide: true,
    },
    {
      id: "expiresAt",
      header: t`Expires`,
      cell: (row) => <Time at={row.expiresAt} ago />,
      value: (row) => row.expiresAt,
      isWide: true,
    },
    {
      id: "actions",
      header: "",
      align: "right",
      width: 90,
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t`Withdraw the invitation for ${nameInvited(row)}`}
          onClick={() => revoke(row)}
        >
          {t`Withdraw`}
        </Button>
      ),
    },
  ];
}

function nameInvited({ name, email }: Invitation): string {
  return [name, email].filter((text) => text !== null).join(" · ") || t`whoever has the link`;
}

function useRevoke(): (invitation: Invitation) => Promise<boolean> {
  return useAskedDelete<Invitation>({
    path: ({ id }) => `${INVITATIONS_PATH}/${id}`,
    refreshes: [INVITATIONS_PATH],
    question: (invitation) => ({
      title: t`Withdraw this invitation?`,
      body: t`The link for ${nameInvited(invitation)} opens nothing any more.`,
      action: t`Withdraw`,
    }),
    failed: () => t`The invitation was not withdrawn`,
    done: () => t`The invitation is withdrawn.`,
  });
}
