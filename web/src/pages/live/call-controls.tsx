import { Alert, Button, Group, Text } from "@mantine/core";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import type { Call } from "#web/pages/call/call.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useListening } from "./use-listening.ts";

/** Listening in, speaking, and ending the call. */
export function CallControls({ call }: { call: Call }) {
  const isTalking = call.status === "IN_PROGRESS";
  const { state, fault, listen, speak, stop } = useListening(call.id);
  return (
    <>
      <Group gap="xs">
        {state === "OFF" && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="ear" size={15} />}
            disabled={!isTalking}
            onClick={() => void listen()}
          >
            Listen in
          </Button>
        )}
        {state === "CONNECTING" && (
          <Button size="xs" variant="default" loading>
            Listen in
          </Button>
        )}
        {(state === "LISTENING" || state === "SPEAKING") && (
          <>
            <Button
              size="xs"
              variant="light"
              aria-label="Stop listening"
              leftSection={<Icon name="stop" size={13} />}
              onClick={stop}
            >
              Stop
            </Button>
            <Button
              size="xs"
              variant={state === "SPEAKING" ? "filled" : "default"}
              color={state === "SPEAKING" ? "orange" : "gray"}
              leftSection={<Icon name="microphone" size={15} />}
              aria-pressed={state === "SPEAKING"}
              onClick={() => void speak(state !== "SPEAKING")}
            >
              {state === "SPEAKING" ? "Both hear you" : "Speak to both"}
            </Button>
          </>
        )}
        <EndButton call={call} />
      </Group>
      <div role="status">
        {state === "LISTENING" && <Note>You hear both sides; nobody hears you.</Note>}
        {state === "SPEAKING" && <Note>The person and the recording hear you. The agent goes on talking.</Note>}
        {fault !== null && (
          <Alert color="yellow" variant="light" p="xs">
            <Text fz="sm">{fault}</Text>
          </Alert>
        )}
      </div>
    </>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text fz="xs" c="dimmed">
      {children}
    </Text>
  );
}

function EndButton({ call }: { call: Call }) {
  const ask = useConfirm();
  const write = useWrite({
    method: "POST",
    path: `/call-rows/${call.id}/end`,
    refreshes: [`/call-rows/${call.id}`, "/call-history"],
  });
  const end = async () => {
    const isSure = await ask({
      title: "End this call?",
      body: "The line is hung up at once, without a goodbye. What was said so far is kept.",
      action: "End call",
      isDangerous: true,
    });
    if (!isSure) return;
    write.mutate(undefined, {
      onSuccess: () => showDone("The call is ended."),
      onError: (error) => showFault(error, "The call was not ended"),
    });
  };
  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      ml="auto"
      leftSection={<Icon name="hangUp" size={15} />}
      loading={write.isPending}
      onClick={() => void end()}
    >
      End call
    </Button>
  );
}
