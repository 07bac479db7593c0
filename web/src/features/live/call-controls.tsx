import { Alert, Button, Group, SegmentedControl, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { SpeakMode } from "./call-audio.ts";
import { type Listening, useListening } from "./use-listening.ts";

const MODES: { value: SpeakMode; label: string; note: string }[] = [
  { value: "LISTEN", label: t`Listen`, note: t`You hear both sides; nobody hears you.` },
  { value: "BARGE", label: t`Speak to both`, note: t`The person hears you. The agent goes on talking.` },
  {
    value: "TAKE_OVER",
    label: t`Take over`,
    note: t`The person hears you. The agent says no more until you hand back.`,
  },
];

/** Controls to listen in on a call, speak in it, and take it over. */
export function CallControls({ call }: { call: CallRow }) {
  return <ListeningControls rowId={call.id} isTalking={call.status === "IN_PROGRESS"} listening={useListening()} />;
}

/** The same for listening that somebody else holds. */
export function ListeningControls(props: { rowId: string; isTalking: boolean; listening: Listening }) {
  const { rowId, isTalking, listening } = props;
  const { state, fault, change, stop } = listening;
  const mode = MODES.find(({ value }) => value === state);
  return (
    <>
      <Group gap="xs">
        {mode ? (
          <>
            <SegmentedControl
              size="xs"
              aria-label={t`Who hears you`}
              value={mode.value}
              onChange={(next) => void change(next as SpeakMode)}
              data={MODES}
            />
            <Button size="xs" variant="default" onClick={stop}>
              {t`Leave`}
            </Button>
          </>
        ) : (
          <OpenButtons rowId={rowId} isTalking={isTalking} listening={listening} />
        )}
      </Group>
      <div role="status">
        {mode && (
          <Text fz="xs" c="dimmed">
            {mode.note}
          </Text>
        )}
        {fault !== null && (
          <Alert color="yellow" variant="light" p="xs">
            <Text fz="sm">{fault}</Text>
          </Alert>
        )}
      </div>
    </>
  );
}

/** Buttons that open a call's audio: to hear it, or to take it over at once. */
function OpenButtons(props: { rowId: string; isTalking: boolean; listening: Listening }) {
  const { state, listen } = props.listening;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="ear" size={15} />}
        disabled={!props.isTalking}
        loading={state === "CONNECTING"}
        onClick={() => void listen(props.rowId)}
      >
        {t`Listen in`}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="microphone" size={15} />}
        disabled={!props.isTalking || state === "CONNECTING"}
        onClick={() => void listen(props.rowId, "TAKE_OVER")}
      >
        {t`Take over`}
      </Button>
    </>
  );
}
