import { Alert, Anchor, Box, Drawer, Group, Stack, Text } from "@mantine/core";
import "./recording-drawer.css";
import { inWorkspace } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { sayReason } from "#web/api/server-texts.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
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
    <Drawer opened onClose={close} position="right" size={600} title={<Text fw={600}>{t`Recording`}</Text>}>
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
          {fileName ?? recording.url ?? t`Unnamed`}
        </Text>
        <StatusBadge status={status} />
      </Group>
      {error && (
        <Alert color="red" variant="light" icon={<Icon name="alert" />} title={error.code}>
          {sayReason(error)}
        </Alert>
      )}
      {(warning || unknownMetadataKeys.length > 0) && (
        <Alert color="orange" variant="light" icon={<Icon name="alert" />} title={t`Metadata`}>
          {warning ?? t`No field defines: ${unknownMetadataKeys.join(", ")}.`}
        </Alert>
      )}
      <RecordingFacts recording={recording} path={path} />
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label={t`Metadata`} maxHeight={200} />}
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
          { label: t`Length`, value: formatDuration(durationSeconds) },
          { label: t`Language`, value: language ?? "–" },
          { label: t`File`, value: `${formatBytes(bytes)}${audioFormat ? `, ${audioFormat}` : ""}` },
          { label: t`External id`, value: externalId ?? "–" },
          { label: t`Failed attempts`, value: failures },
          { label: t`Sent`, value: <Time at={recording.createdAt} /> },
          { label: t`Transcribed`, value: <Time at={recording.completedAt} /> },
        ]}
      />
      {bytes !== null && (
        <Anchor fz="sm" href={inWorkspace(workspaceId, `${path}/${id}/audio`)} download>
          {t`Download the audio, if it is still kept`}
        </Anchor>
      )}
    </>
  );
}

function TranscriptView({ recording: { transcript, status } }: { recording: Recording }) {
  if (transcript === null) {
    return (
      <Text fz="sm" c="dimmed" role="status">
        {status === "FAILED" ? t`There is no transcript.` : t`It is not transcribed yet.`}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} fz="sm">
          {t`Transcript`}
        </Text>
        <CopyButton text={transcript.text} label={t`Copy transcript`} />
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
