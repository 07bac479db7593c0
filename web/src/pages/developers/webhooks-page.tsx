import { ActionIcon, Alert, Button, Group, Modal, Paper, Stack, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { useShortcutKeys } from "#web/keyboard/shortcuts.tsx";
import type { Column } from "#web/table/columns.ts";
import { DataTable } from "#web/table/data-table.tsx";
import { SaveRowsButton } from "#web/table/save-rows-button.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";
import { EVENTS, type SessionWebhook, WEBHOOKS_PATH } from "./webhook.ts";

const WebhookDialog = lazy(async () => ({ default: (await import("./webhook-dialog.tsx")).WebhookDialog }));
const WEBHOOKS_SHOWN = 200;

/** Who is told of calls and chats. */
export function WebhooksPage() {
  const mayRead = useMay("FLOWS_READ");
  const mayWrite = useMay("FLOWS_WRITE");
  const read = useRead<Page<SessionWebhook>>(WEBHOOKS_PATH, { size: WEBHOOKS_SHOWN }, { enabled: mayRead });
  const [edited, setEdited] = useState<{ webhook: SessionWebhook | null } | null>(null);
  const [made, setMade] = useState<SessionWebhook | null>(null);
  const add = () => setEdited({ webhook: null });
  useShortcutKeys(mayWrite ? [{ keys: "n", label: "Add a webhook", group: "Webhooks", run: add }] : []);
  const columns = useColumns(mayWrite);
  const rows = read.data?.content;
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={add}>
      Add webhook
    </Button>
  );
  return (
    <DevelopersFrame
      lead="Who is told when calls and chats start and end. Jobs bring webhooks of their own."
      actions={button}
    >
      {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
      <Group justify="flex-end" mb="sm">
        <SaveRowsButton rows={rows} columns={columns} fileName="webhooks.csv" />
      </Group>
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label="Webhooks"
          rows={rows}
          columns={columns}
          {...(mayWrite ? { onOpen: (webhook: SessionWebhook) => setEdited({ webhook }) } : {})}
          empty={
            <EmptyState icon="link" title="No webhook yet" action={button}>
              Name a server of yours and it hears of every call and chat: signed, repeated until it answers, and kept
              under Deliveries.
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
              setMade(webhook);
            }}
          />
        )}
      </Suspense>
      {made && <SigningSecret webhook={made} close={() => setMade(null)} />}
    </DevelopersFrame>
  );
}

function SigningSecret({ webhook, close }: { webhook: SessionWebhook; close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      closeOnClickOutside={false}
      title={<Text fw={600}>The webhook is there</Text>}
    >
      <Stack>
        <Alert color="orange" variant="light">
          With this secret your server checks that an event is from here. It is not shown again.
        </Alert>
        <CodeBlock text={webhook.signingSecret ?? ""} label="signing secret" />
        <Text fz="sm" c="dimmed">
          Standard Webhooks: HMAC-SHA256 over id, timestamp and body. The SDK has <code>verifyWebhook</code>.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useColumns(mayWrite: boolean): Column<SessionWebhook>[] {
  const remove = useRemove();
  const columns: Column<SessionWebhook>[] = [
    {
      id: "url",
      header: "Address",
      cell: (row) => (
        <Text component="span" fz="sm" fw={550} style={{ overflowWrap: "anywhere" }}>
          {row.url}
        </Text>
      ),
      value: (row) => row.url,
    },
    {
      id: "events",
      header: "Events",
      cell: (row) => <span className="clip">{nameEvents(row)}</span>,
      value: nameEvents,
      isWide: true,
    },
    {
      id: "state",
      header: "State",
      cell: (row) => <StatusBadge status={row.enabled ? "ACTIVE" : "DISABLED"} />,
      value: (row) => (row.enabled ? "ACTIVE" : "DISABLED"),
    },
    {
      id: "updatedAt",
      header: "Changed",
      cell: (row) => <Time at={row.updatedAt} ago />,
      value: (row) => row.updatedAt,
      isWide: true,
    },
  ];
  if (!mayWrite) return columns;
  const cell = (row: SessionWebhook) => (
    <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${row.url}`} onClick={() => remove(row)}>
      <Icon name="trash" />
    </ActionIcon>
  );
  return [...columns, { id: "actions", header: "", align: "right", width: 50, cell }];
}

function nameEvents({ events, flowId }: SessionWebhook): string {
  const which = events.length === EVENTS.length ? "all events" : events.join(", ");
  return flowId === null ? which : `${which} of one flow`;
}

function useRemove(): (webhook: SessionWebhook) => void {
  const ask = useConfirm();
  const write = useWrite<void, string>({
    method: "DELETE",
    path: (id) => `${WEBHOOKS_PATH}/${id}`,
    refreshes: [WEBHOOKS_PATH],
  });
  const remove = async ({ id, url }: SessionWebhook) => {
    const isSure = await ask({
      title: "Delete this webhook?",
      body: `${url} is told of nothing any more. What was sent stays under Deliveries.`,
      action: "Delete webhook",
      isDangerous: true,
    });
    if (!isSure) return;
    await write.mutateAsync(id);
    showDone("The webhook is deleted.");
  };
  return (webhook) => void remove(webhook).catch(showFault);
}
