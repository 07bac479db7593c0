import "./recording-drawer.css";
import { Alert, Anchor, Box, Drawer, Group, Stack, Text } from "@mantine/core";
import { inWorkspace } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { formatBytes, formatDuration } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import type { Recording, Segment } from "./transcription.ts";

const REFRESH_MS = 1_500;
const ENDED = ["COMPLETED", "FAILED"];

/** Drawer of a recording: its metadata, and its transcript by speaker. */
export function RecordingDrawer({
  path,
  recordingId,
  close,
}: {
  path: string;
  recordingId: string;
  close: () => void;
}) {
  const read = useRead<Recording>(`${path}/${recordingId}`, undefined, {
    refreshMs: (data) => (data === undefined || ENDED.includes(data.status) ? false : REFRESH_MS),
  });
  return (
    <Drawer opened onClose={close} position="right" size={600} title={<Text fw={600}>Recording</Text>}>
      <Loaded read={read}>{(recording) => <RecordingView recording={recording} path={path} />}</Loaded>
    </Drawer>
  );
}

function RecordingView({ recording, path }: { recording: Recording; path: string }) {
  const { fileName, status, error, unknownMetadataKeys, warning, metadata } = recording;
  return (
    <Stack>
      <Group gap="sm">
        <Text fw={600} dir="auto" style={{ overflowWrap: "anywhere" }}>
          {fileName ?? recording.url ?? "Unnamed"}
        </Text>
        <StatusBadge status={status} />
      </Group>
      {error && (
        <Alert color="red" variant="light" icon={<Icon name="alert" />} title={error.code}>
          {error.message}
        </Alert>
      )}
      {(warning || unknownMetadataKeys.length > 0) && (
        <Alert color="orange" variant="light" icon={<Icon name="alert" />} title="Metadata">
          {warning ?? `No field defines: ${unknownMetadataKeys.join(", ")}.`}
        </Alert>
      )}
      <RecordingFacts recording={recording} path={path} />
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label="Metadata" maxHeight={200} />}
      <TranscriptView recording={recording} />
    </Stack>
  );
}

function RecordingFacts({ recording, path }: { recording: Recording; path: string }) {
  const { id: workspaceId } = useWorkspace();
  const { id, bytes, audioFormat, durationSeconds, language, externalId, failures } = recording;
  return (
    <>
      <Facts
        facts={[
          { label: "Length", value: formatDuration(durationSeconds) },
          { label: "Language", value: language ?? "–" },
          { label: "File", value: `${formatBytes(bytes)}${audioFormat ? `, ${audioFormat}` : ""}` },
          { label: "External id", value: externalId ?? "–" },
          { label: "Failed attempts", value: failures },
          { label: "Sent", value: <Time at={recording.createdAt} /> },
          { label: "Transcribed", value: <Time at={recording.completedAt} /> },
        ]}
      />
      {bytes !== null && (
        <Anchor fz="sm" href={inWorkspace(workspaceId, `${path}/${id}/audio`)} download>
          Download the audio, if it is still kept
        </Anchor>
      )}
    </>
  );
}

function TranscriptView({ recording: { transcript, status } }: { recording: Recording }) {
  if (transcript === null) {
    return (
      <Text fz="sm" c="dimmed" role="status">
        {status === "FAILED" ? "There is no transcript." : "It is not transcribed yet."}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} fz="sm">
          Transcript
        </Text>
        <CopyButton text={transcript.text} label="Copy transcript" />
      </Group>
      {transcript.note && (
        <Text fz="sm" c="dimmed">
          {transcript.note}
        </Text>
      )}
      {transcript.segments.length === 0 ? (
        <Text fz="sm" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {transcript.text}
        </Text>
      ) : (
        transcript.segments.map((segment, index) => <Line key={index} segment={segment} />)
      )}
    </Stack>
  );
}

function Line({ segment: { startMs, speaker, text } }: { segment: Segment }) {
  return (
    <Box className="spoken-line">
      <Text fz="xs" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
        {formatDuration(startMs / 1_000)}
      </Text>
      <div>
        {speaker && (
          <Text fz="xs" fw={600} c="dimmed">
            {speaker}
          </Text>
        )}
        <Text fz="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
          {text}
        </Text>
      </div>
    </Box>
  );
}
