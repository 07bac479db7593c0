import { Alert, Button, Group, SegmentedControl, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Icon } from "#web/ui/icon.tsx";
import type { SpeakMode } from "./call-audio.ts";
import { type ListeningState, useListening } from "./use-listening.ts";

const MODES: { value: SpeakMode; label: string; note: string }[] = [
  { value: "LISTEN", label: "Listen", note: "You hear both sides; nobody hears you." },
  { value: "BARGE", label: "Speak to both", note: "The person hears you. The agent goes on talking." },
  { value: "TAKE_OVER", label: "Take over", note: "The person hears you. The agent says no more until you hand back." },
];

/** Controls to listen in on a call, speak in it, and take it over. */
export function CallControls({ call }: { call: CallRow }) {
  const { state, fault, listen, change, stop } = useListening(call.id);
  const mode = MODES.find(({ value }) => value === state);
  return (
    <>
      <Group gap="xs">
        {mode ? (
          <>
            <SegmentedControl
              size="xs"
              aria-label="Who hears you"
              value={mode.value}
              onChange={(next) => void change(next as SpeakMode)}
              data={MODES}
            />
            <Button size="xs" variant="default" onClick={stop}>
              Leave
            </Button>
          </>
        ) : (
          <ListenButton state={state} isTalking={call.status === "IN_PROGRESS"} listen={() => void listen()} />
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

function ListenButton(props: { state: ListeningState; isTalking: boolean; listen: () => void }) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="ear" size={15} />}
      disabled={!props.isTalking}
      loading={props.state === "CONNECTING"}
      onClick={props.listen}
    >
      Listen in
    </Button>
  );
}
