import { Anchor, Drawer, Group, Stack, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Link } from "wouter";
import { useWatchedCall } from "#web/api/live.tsx";
import { useRead } from "#web/api/queries.ts";
import { sayReason } from "#web/api/server-texts.ts";
import { useMay } from "#web/api/workspace.tsx";
import { isUnderWay } from "#web/domain/call/call.ts";
import { StopButton } from "#web/domain/call/stop-button.tsx";
import { Transcript } from "#web/domain/call/transcript.tsx";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { CallStages } from "#web/domain/stage/call-stages.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { useClock } from "#web/ui/clock.ts";
import { formatDuration } from "#web/ui/format/format.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Words } from "#web/ui/words.tsx";
import { CallControls } from "./call-controls.tsx";
import { secondsOf } from "./live-calls.ts";
import { WordsForm } from "./words-form.tsx";
import "./live.css";

/** Drawer of a live call: its transcript as it grows, and the supervisor's controls. */
export function LiveCallDrawer({ rowId, close }: { rowId: string; close: () => void }) {
  const read = useRead<CallRow>(`/call-rows/${rowId}`);
  const call = read.data?.id === rowId ? read.data : undefined;
  useWatchedCall(call && !isUnderWay(call) ? null : rowId);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={600}
      withOverlay={false}
      lockScroll={false}
      classNames={{ content: "live-drawer", header: "live-header", title: "live-title", body: "live-body" }}
      title={
        <Text component="span" fw={600} display="block" truncate>
          {call ? <Phone number={call.contactName ?? call.customerNumber} /> : t`Call`}
        </Text>
      }
    >
      {call && <LiveCallBody call={call} />}
      {!call && (
        <div className="live-waiting">
          <NotLoaded read={read} />
        </div>
      )}
    </Drawer>
  );
}

function LiveCallBody({ call }: { call: CallRow }) {
  const isLive = isUnderWay(call);
  const nameOf = useFlowNames();
  const maySupervise = useMay("CALL_JOBS_WRITE");
  return (
    <>
      <Stack gap="sm" className="live-head">
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            <StatusBadge status={call.status} />
            {!isLive && call.endReason !== null && <StatusBadge status={call.endReason} />}
            <LiveDuration call={call} />
          </Group>
          {maySupervise && call.actions.includes("end") && <StopButton rowId={call.id} how="end" size="xs" />}
        </Group>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Text fz="xs" c="dimmed">
            <Phone number={call.customerNumber} />
            {call.fromPhoneNumber !== null && rich` · our number ${<Phone number={call.fromPhoneNumber} />}`}
            {call.flowApiId !== null && ` · ${nameOf(call.flowApiId)}`}
          </Text>
          <Anchor component={Link} href={`/calls/${call.id}`} fz="xs" className="live-open">
            {t`Open the call`}
          </Anchor>
        </Group>
        <div role="status">
          {!isLive && call.error !== null && (
            <Text fz="sm" c="dimmed">
              <Words>{sayReason(call.error)}</Words>
            </Text>
          )}
        </div>
        <CallStages call={call} />
        {maySupervise && isLive && <CallControls call={call} />}
      </Stack>
      <div className="live-talk">
        <Transcript call={call} atMs={null} seek={null} />
      </div>
      {maySupervise && isLive && <WordsForm call={call} />}
    </>
  );
}

function LiveDuration({ call }: { call: CallRow }) {
  const isLive = isUnderWay(call);
  const nowMs = useClock(isLive);
  if (!isLive) {
    return (
      <Text component="span" fz="sm" c="dimmed">
        {formatDuration(call.durationSeconds)}
      </Text>
    );
  }
  if (call.startedAt === null) return null;
  return (
    <Text component="span" fz="sm" ff="monospace" c="dimmed" aria-label={t`Duration`}>
      {formatDuration(secondsOf({ answeredAt: call.answeredAt, startedAt: call.startedAt }, nowMs))}
    </Text>
  );
}
