import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { explainError } from "./api-error.ts";
import type { Revert } from "./cache-patches.ts";

const UNDO_MS = 6_000;
const CLOSE = { "aria-label": "Dismiss" };

/** A change that is shown at once and sent when nobody took it back. */
export interface UndoableChange {
  /** What happened, such as "3 calls cancelled". */
  message: string;
  /** Shows the change; gives what takes it back. */
  apply: () => Revert;
  send: () => Promise<unknown>;
}

/** Shows a change at once with an Undo for six seconds, then sends it; leaving the page sends it too. */
export function changeWithUndo({ message, apply, send }: UndoableChange): void {
  const revert = apply();
  const id = crypto.randomUUID();
  let isSettled = false;
  const settle = (): boolean => {
    const isFirst = !isSettled;
    isSettled = true;
    clearTimeout(timer);
    window.removeEventListener("pagehide", commit);
    notifications.hide(id);
    return isFirst;
  };
  const commit = () => {
    if (!settle()) return;
    send().catch((error: unknown) => {
      revert();
      showFault(error);
    });
  };
  const undo = () => void (settle() && revert());
  const timer = setTimeout(commit, UNDO_MS);
  window.addEventListener("pagehide", commit);
  notifications.show({
    id,
    autoClose: false,
    withCloseButton: false,
    message: <UndoLine message={message} onUndo={undo} />,
  });
}

function UndoLine({ message, onUndo }: { message: string; onUndo: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        Undo
      </Button>
    </Group>
  );
}

/** Tells of something that worked. */
export function showDone(message: string): void {
  notifications.show({ message, color: "green", autoClose: 4_000, closeButtonProps: CLOSE });
}

/** Tells of a failure, with the request's id for whoever reads the server's log. */
export function showFault(thrown: unknown, title = "That did not work"): void {
  const requestId = (thrown as { requestId?: string | null } | null)?.requestId;
  notifications.show({
    title,
    color: "red",
    autoClose: 10_000,
    closeButtonProps: CLOSE,
    message: (
      <>
        <Text size="sm" style={{ whiteSpace: "pre-line" }}>
          {explainError(thrown)}
        </Text>
        {requestId && (
          <Text size="xs" c="dimmed" ff="monospace" mt={4}>
            Request {requestId}
          </Text>
        )}
      </>
    ),
  });
}
