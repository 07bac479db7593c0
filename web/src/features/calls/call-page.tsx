import { Grid, Stack, Tabs } from "@mantine/core";
import type { CallRow, TranscriptTurn } from "@parley/sdk";
import { type MouseEvent, useCallback, useMemo, useRef, useState } from "react";
import { Link, useParams } from "wouter";
import { useWatchedCall } from "#web/api/live.tsx";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { CallStatus } from "#web/domain/call/call-status.tsx";
import { failedTools, isUnderWay } from "#web/domain/call/call.ts";
import { Transcript } from "#web/domain/call/transcript.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatDuration, formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { OptOutNote } from "#web/ui/opt-out-note.tsx";
import { Page } from "#web/ui/page.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Words } from "#web/ui/words.tsx";
import { Attempts } from "./attempts.tsx";
import { CallActions } from "./call-actions.tsx";
import { CallFacts } from "./call-facts.tsx";
import { ContextData } from "./context-data.tsx";
import { CostTable } from "./cost-table.tsx";
import { Deliveries } from "./deliveries.tsx";
import { ExtractedFields } from "./extracted-fields.tsx";
import { HumanNote } from "./human-note.tsx";
import { hasLatency, LatencyBars } from "./latency-bars.tsx";
import { type Player, Recording, RecordingInTheMaking } from "./recording.tsx";
import { StagePath } from "./stage-path.tsx";
import { useSound } from "./use-sound.ts";

/** Page of a call with all its data; a live call is updated line by line. */
export function CallPage() {
  const { rowId = "" } = useParams();
  const read = useRead<CallRow>(`/call-rows/${rowId}`, undefined, {
    // No event says that the file of an ended call is closed.
    refreshMs: (row) => (row && !isUnderWay(row) && isBeingWritten(row) ? FILE_MS : false),
  });
  const call = read.data?.id === rowId ? read.data : undefined;
  useWatchedCall(call && isUnderWay(call) ? rowId : null);
  const back = { href: "/calls", label: t`Calls` };
  if (!call) {
    return (
      <Page title={t`Call`} back={back}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <Page
      title={call.contactName ?? call.customerNumber}
      badge={
        <>
          <CallStatus call={call} />
          {call.outcome !== null && <StatusBadge status={call.outcome} />}
          <FailedTools call={call} />
        </>
      }
      lead={call.contactName === null ? formatName(call.direction) : <Phone number={call.customerNumber} />}
      back={back}
      actions={<CallActions call={call} />}
    >
      <CallBody call={call} />
    </Page>
  );
}

/** Names the tools that failed, because a call may look well beside them. */
function FailedTools({ call: { transcript } }: { call: CallRow }) {
  const names = useMemo(() => failedTools(transcript), [transcript]);
  return names.map((name) => (
    <StatusBadge key={name} status="FAILED" label={<Words>{t`Tool failed: ${name}`}</Words>} />
  ));
}

const FILE_MS = 1_000;

function isBeingWritten({ recordingFile }: CallRow): boolean {
  return recordingFile?.state === "RECORDING";
}

function CallBody({ call }: { call: CallRow }) {
  const [atMs, setAtMs] = useState<number | null>(null);
  const player = useRef<Player | null>(null);
  const seek = useCallback((ms: number) => player.current?.seek(ms), []);
  const sound = useSound(call);
  const mayFix = useMay("FLOWS_WRITE") && !isUnderWay(call) && call.flowId !== null;
  const toFix = useCallback((turn: TranscriptTurn) => <FixLink rowId={call.id} turn={turn} />, [call.id]);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <OptOutNote review={call.optOutReview} />
          <HumanNote call={call} />
          {call.recording && <Recording call={call} sound={sound} onTime={setAtMs} player={player} />}
          {!call.recording && isBeingWritten(call) && <RecordingInTheMaking isOver={!isUnderWay(call)} />}
          <Card title={t`Transcript`} padded={false}>
            <Transcript
              call={call}
              atMs={atMs}
              seek={call.recording ? seek : null}
              times={sound.times}
              {...(mayFix ? { lineAction: toFix } : {})}
            />
          </Card>
          <Details call={call} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack>
          <CallFacts call={call} />
          <StagePath call={call} show={(line) => setAtMs(sound.times.startOf(line))} />
          <ExtractedFields call={call} />
          <ContextData call={call} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Leads to the page on which a line becomes a test and a change of the prompt. */
function FixLink({ rowId, turn }: { rowId: string; turn: TranscriptTurn }) {
  return (
    <Link
      href={`/calls/${rowId}/lines/${turn.index}`}
      className="line-fix"
      title={t`Test and fix this line`}
      aria-label={t`Test and fix the line at ${formatDuration(turn.startMs / 1_000)}`}
      onClick={(event: MouseEvent) => event.stopPropagation()}
    >
      <Icon name="test" size={13} />
    </Link>
  );
}

function Details({ call }: { call: CallRow }) {
  const isUnmeasured = call.endedAt !== null && !hasLatency(call);
  return (
    <Card padded={false}>
      <Tabs defaultValue={isUnmeasured ? "attempts" : "latency"} keepMounted={false}>
        <Tabs.List px="xs">
          <Tabs.Tab value="latency">{t`Latency`}</Tabs.Tab>
          <Tabs.Tab value="attempts">{t`Attempts (${call.attempts.length})`}</Tabs.Tab>
          <Tabs.Tab value="webhooks">{t`Webhooks`}</Tabs.Tab>
          <Tabs.Tab value="cost">{t`Cost`}</Tabs.Tab>
          <Tabs.Tab value="json">{"JSON"}</Tabs.Tab>
          <Tabs.Tab value="code">{t`Code`}</Tabs.Tab>
        </Tabs.List>
        <div className="tab-body">
          <Tabs.Panel value="latency">
            <LatencyBars call={call} />
          </Tabs.Panel>
          <Tabs.Panel value="attempts">
            <Attempts call={call} />
          </Tabs.Panel>
          <Tabs.Panel value="webhooks">
            <Deliveries rowId={call.id} />
          </Tabs.Panel>
          <Tabs.Panel value="cost">
            <CostTable call={call} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonView value={call} label={t`Call as JSON`} />
          </Tabs.Panel>
          <Tabs.Panel value="code">
            <SnippetTabs
              call={{
                method: "GET",
                path: `/call-rows/${call.id}`,
                command: `calls watch ${call.id} --json`,
                sdk: `client.calls.get(${JSON.stringify(call.id)})`,
              }}
            />
          </Tabs.Panel>
        </div>
      </Tabs>
    </Card>
  );
}
