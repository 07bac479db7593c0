import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useConsoleRead, useConsoleWrite } from "#web/api/console-queries.ts";
import { showDone, showFault, notifyResult } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { nameBrowser } from "./browser-name.ts";

interface UserSession {
  id: string;
  isCurrent: boolean;
  address: string;
  userAgent: string | null;
  createdAt: string;
  seenAt: string;
  expiresAt: string;
}

const PATH = "/sessions";

/** Lists the person's sign-in sessions and ends them. */
export function Sessions() {
  const read = useConsoleRead<UserSession[]>(PATH);
  const ask = useConfirm();
  const end = useConsoleWrite<void, string>({
    failed: t`The session was not ended`,
    method: "DELETE",
    path: (id) => `${PATH}/${id}`,
    refreshes: PATH,
  });
  const endOthers = useConsoleWrite<void>({
    failed: t`The other sessions were not ended`,
    method: "DELETE",
    path: PATH,
    refreshes: PATH,
  });
  const endAll = async () => {
    const isSure = await ask({
      title: t`Sign out everywhere else?`,
      body: t`Every session but this one ends.`,
      action: t`Sign out the others`,
      isDangerous: true,
    });
    if (!isSure) return;
    await endOthers.mutateAsync();
    showDone(t`The other sessions have ended.`);
  };
  const columns = sessionColumns((id) => notifyResult(end.mutateAsync(id), t`The session has ended.`));
  return (
    <Card
      title={t`Sessions`}
      padded={false}
      actions={
        <Group gap="xs">
          <SaveRowsButton rows={read.data} columns={columns} fileName="sessions.csv" />
          <Button
            size="xs"
            variant="default"
            disabled={(read.data?.length ?? 0) < 2}
            onClick={() => void endAll().catch(showFault)}
          >
            {t`Sign out the others`}
          </Button>
        </Group>
      }
    >
      <ReadFault read={read} />
      <DataTable label={t`Sessions`} rows={read.data} columns={columns} />
    </Card>
  );
}

function sessionColumns(end: (id: string) => void): Column<UserSession>[] {
  return [
    {
      id: "browser",
      header: t`Browser`,
      cell: (row) => (
        <Stack gap={0} title={row.userAgent ?? ""}>
          <Group gap={8}>
            <Text component="span" fz="sm" fw={550}>
              {nameBrowser(row.userAgent)}
            </Text>
            {row.isCurrent && (
              <Badge size="sm" variant="light" color="green" tt="none">
                {t`this one`}
              </Badge>
            )}
          </Group>
          <Text component="span" fz="xs" c="dimmed">
            {row.address}
          </Text>
        </Stack>
      ),
      value: (row) => row.userAgent,
    },
    { id: "seenAt", header: t`Last seen`, cell: (row) => <Time at={row.seenAt} ago />, value: (row) => row.seenAt },
    {
      id: "createdAt",
      header: t`Signed in`,
      cell: (row) => <Time at={row.createdAt} />,
      value: (row) => row.createdAt,
      isWide: true,
    },
    {
      id: "expiresAt",
      header: t`Ends`,
      cell: (row) => <Time at={row.expiresAt} ago />,
      value: (row) => row.expiresAt,
      isWide: true,
    },
    {
      id: "actions",
      header: "",
      align: "right",
      width: 90,
      cell: (row) =>
        row.isCurrent ? null : (
          <Button size="compact-xs" variant="default" onClick={() => end(row.id)}>
            {t`End`}
          </Button>
        ),
    },
  ];
}
