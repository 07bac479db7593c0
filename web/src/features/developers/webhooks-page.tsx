import { ActionIcon, Button, Group, Paper, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { SigningSecretDialog } from "#web/domain/webhook/signing-secret-dialog.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { DevelopersFrame } from "./developers-frame.tsx";
import { EVENTS, type SessionWebhook, WEBHOOKS_PATH } from "./webhook.ts";

const WebhookDialog = lazy(async () => ({ default: (await import("./webhook-dialog.tsx")).WebhookDialog }));

/** Page of the webhooks for call and chat events. */
export function WebhooksPage() {
  const mayRead = useMay("FLOWS_READ");
  const mayWrite = useMay("FLOWS_WRITE");
  const read = useAllRows<SessionWebhook>(WEBHOOKS_PATH, { enabled: mayRead });
  const [edited, setEdited] = useState<{ webhook: SessionWebhook | null } | null>(null);
  const keepDialog = useKeptDialog();
  const add = () => setEdited({ webhook: null });
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Add a webhook`, group: t`Webhooks`, run: add }] : []);
  const columns = useColumns(mayWrite);
  const bulk = useBulk();
  const rows = read.data;
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={add}>
      {t`Add webhook`}
    </Button>
  );
  return (
    <DevelopersFrame
      lead={t`Who is told when calls and chats start and end. Jobs bring webhooks of their own.`}
      actions={button}
    >
      <ReadFault read={read} />
      <Group justify="flex-end" mb="sm">
        <SaveRowsButton rows={rows} columns={columns} fileName="webhooks.csv" />
      </Group>
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Webhooks`}
          rows={rows}
          columns={columns}
          bulkActions={mayWrite ? bulk : []}
          {...(mayWrite ? { onOpen: (webhook: SessionWebhook) => setEdited({ webhook }) } : {})}
          empty={
            <EmptyState icon="link" title={t`No webhook yet`} action={button}>
              {t`Name a server of yours and it hears of every call and chat: signed, repeated until it answers, and kept under Deliveries.`}
            </EmptyState>
          }
        />
      </Paper>
      <Suspense fallback={null}>
        {edited && (
          <WebhookDialog
            {...edited}
            close={() => setEdited(null)}
            onMade={(webhook) => {
              setEdited(null);
              keepDialog((shut) => (
                <SigningSecretDialog
                  secret={webhook.signingSecret ?? ""}
                  title={t`The webhook is there`}
                  close={shut}
                />
              ));
            }}
          />
        )}
      </Suspense>
    </DevelopersFrame>
  );
}

function useColumns(mayWrite: boolean): Column<SessionWebhook>[] {
  const remove = useRemove();
  const columns: Column<SessionWebhook>[] = [
    {
      id: "url",
      header: t`Address`,
      cell: (row) => (
        <Text component="span" fz="sm" fw={550} lineClamp={2} title={row.url} style={{ overflowWrap: "anywhere" }}>
          {row.url}
        </Text>
      ),
      value: (row) => row.url,
    },
    {
      id: "events",
      header: t`Events`,
      cell: (row) => <span className="clip">{nameEvents(row)}</span>,
      value: nameEvents,
      isWide: true,
    },
    {
      id: "state",
      header: t`State`,
      cell: (row) => <StatusBadge status={row.enabled ? "ACTIVE" : "DISABLED"} />,
      value: (row) => (row.enabled ? "ACTIVE" : "DISABLED"),
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: (row) => <Time at={row.updatedAt} ago />,
      value: (row) => row.updatedAt,
      isWide: true,
    },
  ];
  if (!mayWrite) return columns;
  const cell = (row: SessionWebhook) => (
    <ActionIcon variant="subtle" color="gray" aria-label={t`Delete ${row.url}`} onClick={() => remove(row)}>
      <Icon name="trash" />
    </ActionIcon>
  );
  return [...columns, { id: "actions", header: "", align: "right", width: 50, cell }];
}

function nameEvents({ events, flowId }: SessionWebhook): string {
  const which = events.length === EVENTS.length ? t`all events` : events.join(", ");
  return flowId === null ? which : t`${which} of one flow`;
}

function useBulk(): BulkAction<SessionWebhook>[] {
  return [
    useBulkDelete<SessionWebhook>({
      list: WEBHOOKS_PATH,
      counted: (count) => plural(count, "{n} webhook", "{n} webhooks"),
      body: t`Their servers are told of nothing any more. What was sent stays under Deliveries.`,
    }),
  ];
}

function useRemove(): (webhook: SessionWebhook) => void {
  return useUndoableRemoval<SessionWebhook>({
    list: WEBHOOKS_PATH,
    message: ({ url }) => t`${url} is told of nothing any more. What was sent stays under Deliveries.`,
    failed: () => t`The webhook was not removed`,
  });
}
