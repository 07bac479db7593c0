import { Box, Button, Group, Paper, Select, Stack, Text, UnstyledButton } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault, notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { ArrivalDetail } from "./arrival-detail.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";
import {
  ARRIVALS_PATH,
  ATTEMPT_HEADER,
  type InspectedRequest,
  INSPECTOR_PATH,
  nameEvent,
  type WebhookInspector,
} from "./inspector.ts";
import { SubscribeButton } from "./subscribe-button.tsx";
import { useSample } from "./use-sample.ts";

const LISTEN_MS = 2_000;
const SHOWN = 100;

const COLUMNS: Column<InspectedRequest>[] = [
  { id: "at", header: t`When`, cell: (row) => row.at, value: (row) => row.at },
  { id: "method", header: t`Method`, cell: (row) => row.method, value: (row) => row.method },
  { id: "event", header: t`Event`, cell: nameEvent, value: nameEvent },
  { id: "answered", header: t`[reply] Answered`, cell: (row) => row.answered, value: (row) => row.answered },
  { id: "body", header: t`Body`, cell: (row) => row.body, value: (row) => row.body },
];

/** Page of the inspector: a URL of the workspace that records requests and can be made to fail. */
export function InspectorPage() {
  const read = useRead<WebhookInspector>(INSPECTOR_PATH, undefined, { refreshMs: LISTEN_MS });
  const arrivals = useRead<Page<InspectedRequest>>(ARRIVALS_PATH, { size: SHOWN }, { refreshMs: LISTEN_MS });
  return (
    <DevelopersFrame lead={t`A receiver to try webhooks with: send yours here and see what arrives.`}>
      <Stack>
        <Loaded read={read}>{(inspector) => <Address inspector={inspector} />}</Loaded>
        <Loaded read={arrivals}>{({ content }) => <Arrivals rows={content} url={read.data?.url} />}</Loaded>
      </Stack>
    </DevelopersFrame>
  );
}

function Address({ inspector }: { inspector: WebhookInspector }) {
  const mayChange = useMay("DELIVERIES_WRITE");
  return (
    <Card title={t`Your address`} actions={mayChange && <SubscribeButton url={inspector.url} />}>
      <Stack gap="sm">
        <CodeBlock text={inspector.url} label={t`inspector address`} />
        <Text fz="sm" c="dimmed">
          {t`Takes every method. The newest ${SHOWN} requests are kept for a day. Anyone with this URL can post to it.`}
        </Text>
        {mayChange && <Failing inspector={inspector} />}
      </Stack>
    </Card>
  );
}

const FAILURES = [
  { value: "500", label: t`500 server error` },
  { value: "503", label: t`503 unavailable` },
  { value: "429", label: t`429 too many` },
  { value: "401", label: t`401 unauthorised` },
  { value: "410", label: t`410 gone: no retries` },
];

function Failing({ inspector }: { inspector: WebhookInspector }) {
  const [status, setStatus] = useState(String(inspector.failStatus));
  const write = useWrite<WebhookInspector, object>({
    failed: t`The inspector answers as before`,
    method: "PATCH",
    path: INSPECTOR_PATH,
    refreshes: [INSPECTOR_PATH],
  });
  const set = (failNext: number) =>
    notifyResult(
      write.mutateAsync({ failNext, failStatus: Number(status) }),
      failNext === 0 ? t`It answers 200 again.` : t`The next request gets ${status}.`,
    );
  return (
    <Group gap="xs">
      <Select
        size="xs"
        w={190}
        aria-label={t`Answer to fail with`}
        allowDeselect={false}
        data={FAILURES}
        value={status}
        onChange={(next) => next !== null && setStatus(next)}
      />
      <Button size="xs" variant="default" loading={write.isPending} onClick={() => set(inspector.failNext + 1)}>
        {t`Fail once`}
      </Button>
      {inspector.failNext > 0 && (
        <Group gap="xs" role="status">
          <StatusBadge status="UNKNOWN" label={t`The next ${inspector.failNext} get ${inspector.failStatus}`} />
          <Button size="compact-xs" variant="default" onClick={() => set(0)}>
            {t`Stop failing`}
          </Button>
        </Group>
      )}
    </Group>
  );
}

function Arrivals({ rows, url }: { rows: InspectedRequest[]; url: string | undefined }) {
  const [chosenId, choose] = useState<string | null>(null);
  const sample = useSample(url);
  const chosen = rows.find(({ id }) => id === chosenId) ?? rows[0];
  const sampleButton = (
    <Button size="xs" variant="default" disabled={url === undefined} onClick={sample}>
      {t`Send a test request`}
    </Button>
  );
  if (chosen === undefined) {
    return (
      <Paper withBorder>
        <EmptyState icon="link" title={t`Listening …`} action={sampleButton}>
          {t`Nothing has arrived yet. Have events sent here, set this address as a job's webhook, or send a test request.`}
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Card
      title={t`Arrived (${rows.length})`}
      padded={false}
      actions={
        <Group gap="xs">
          {sampleButton}
          <ExportButton path={ARRIVALS_PATH} query={{}} columns={COLUMNS} fileName="arrivals.csv" />
          <ClearButton />
        </Group>
      }
    >
      <div className="arrivals">
        <Box className="arrival-list" role="list" aria-label={t`What arrived`}>
          {rows.map((row) => (
            <div key={row.id} role="listitem">
              <ArrivalLine row={row} isChosen={row.id === chosen.id} choose={() => choose(row.id)} />
            </div>
          ))}
        </Box>
        <ArrivalDetail request={chosen} />
      </div>
    </Card>
  );
}

function ArrivalLine({ row, isChosen, choose }: { row: InspectedRequest; isChosen: boolean; choose: () => void }) {
  return (
    <UnstyledButton className="arrival" data-chosen={isChosen || undefined} aria-pressed={isChosen} onClick={choose}>
      <Group justify="space-between" wrap="nowrap" gap={6}>
        <Text component="span" fz="sm" fw={550} truncate>
          {nameEvent(row)}
        </Text>
        <StatusBadge status={row.answered < 300 ? "DELIVERED" : "FAILED"} label={String(row.answered)} />
      </Group>
      <Text component="span" fz="xs" c="dimmed">
        {attemptOf(row)} · <Time at={row.at} ago />
      </Text>
    </UnstyledButton>
  );
}

/** Attempt of an event; other requests have only a method. */
function attemptOf({ headers, method }: InspectedRequest): string {
  const attempt = headers[ATTEMPT_HEADER];
  return attempt === undefined ? method : t`Attempt ${attempt}`;
}

function ClearButton() {
  const ask = useConfirm();
  const write = useWrite({
    failed: t`Nothing was forgotten`,
    method: "DELETE",
    path: ARRIVALS_PATH,
    refreshes: [ARRIVALS_PATH],
  });
  const clear = async () => {
    const isSure = await ask({
      title: t`Forget what arrived?`,
      body: t`The requests shown here are deleted; your webhooks are not touched.`,
      action: t`Forget`,
      isDangerous: true,
    });
    if (!isSure) return;
    await write.mutateAsync();
    showDone(t`Forgotten.`);
  };
  if (!useMay("DELIVERIES_WRITE")) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="trash" size={14} />}
      onClick={() => void clear().catch(showFault)}
    >
      {t`Clear`}
    </Button>
  );
}
