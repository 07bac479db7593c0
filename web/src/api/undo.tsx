import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { explainError } from "./api-error.ts";
import { markReported, titleOf } from "./fault-notes.ts";
import type { Warning } from "./http.ts";

const UNDO_MS = 6_000;
const LINK_MS = 12_000;
const CLOSE = { "aria-label": t`Dismiss` };

/** Reverts a change. */
export type Revert = () => void;

/** A change that is shown at once and sent unless the person undoes it. */
export interface UndoableChange {
  /** Text of the toast, such as "3 calls cancelled". */
  message: string;
  /** Title of the message when sending fails, such as "3 calls were not cancelled". */
  failed: string;
  /** Shows the change; returns a function that reverts it. */
  apply: () => Revert;
  send: () => Promise<unknown>;
}

/** Changes that can still be undone; calling one sends it. */
const waiting = new Set<() => Promise<unknown>>();

/** Sends all changes that could still be undone at once, such as before the person signs out. */
export async function sendWaiting(): Promise<void> {
  await Promise.all([...waiting].map((commit) => commit()));
}

/** Shows a change at once with an Undo for six seconds, then sends it; leaving the page sends it too. */
export function changeWithUndo({ message, failed, apply, send }: UndoableChange): void {
  const revert = apply();
  const id = crypto.randomUUID();
  let isSettled = false;
  const settle = (): boolean => {
    const isFirst = !isSettled;
    isSettled = true;
    clearTimeout(timer);
    window.removeEventListener("pagehide", commit);
    waiting.delete(commit);
    notifications.hide(id);
    return isFirst;
  };
  const commit = async () => {
    if (!settle()) return;
    await send().catch((error: unknown) => {
      revert();
      showFault(error, failed);
    });
  };
  const undo = () => void (settle() && revert());
  const timer = setTimeout(() => void commit(), UNDO_MS);
  window.addEventListener("pagehide", commit);
  waiting.add(commit);
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
        {t`Undo`}
      </Button>
    </Group>
  );
}

/** Shows a toast for a success, with an Undo for six seconds that calls `takeBack`. */
export function showUndo(message: string, takeBack: () => Promise<unknown>): void {
  const id = crypto.randomUUID();
  let isTaken = false;
  const undo = () => {
    // A toast can still be pressed while it fades.
    if (isTaken) return;
    isTaken = true;
    notifications.hide(id);
    takeBack().then(() => showDone(t`Taken back.`), showFault);
  };
  const closing = { autoClose: UNDO_MS, closeButtonProps: CLOSE };
  notifications.show({ id, color: "green", ...closing, message: <UndoLine message={message} onUndo={undo} /> });
}

/** Shows a toast for a success. */
export function showDone(message: string): void {
  notifications.show({ message, color: "green", autoClose: 4_000, closeButtonProps: CLOSE });
}

/**
 * Shows a toast for the result or failure of a write, on whichever screen the person is by then. Handlers given to
 * `mutate` itself are lost with its button, which a live event may remove before the reply comes.
 */
export function notifyResult<T>(write: Promise<T>, done: string | ((reply: T) => void)): void {
  const settle = async () => {
    const reply = await write;
    if (typeof done === "string") showDone(done);
    else done(reply);
  };
  settle().catch((fault: unknown) => showFault(fault));
}

/** Shows a toast with a link to a new item, for a person who has left its form. */
export function showMade(message: string, href: string): void {
  const id = crypto.randomUUID();
  const line = (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button component={Link} href={href} size="compact-sm" variant="default" onClick={() => notifications.hide(id)}>
        {t`Open`}
      </Button>
    </Group>
  );
  notifications.show({ id, color: "green", autoClose: LINK_MS, closeButtonProps: CLOSE, message: line });
}

const MOST_WARNINGS = 4;

/** Shows the server's warnings about parts of a write that had no effect. */
export function showWarnings(warnings: Warning[]): void {
  const lines = [...new Set(warnings.map(({ message }) => message))];
  const more = lines.length - MOST_WARNINGS;
  notifications.show({
    title: t`Done, with warnings`,
    color: "orange",
    autoClose: 12_000,
    closeButtonProps: CLOSE,
    message: (
      <Text size="sm" style={{ whiteSpace: "pre-line" }}>
        {[...lines.slice(0, MOST_WARNINGS), ...(more > 0 ? [t`and ${more} more`] : [])].join("\n")}
      </Text>
    ),
  });
}

/** Shows a toast for an error, with the request's id for the server's log. */
export function showFault(thrown: unknown, title = titleOf(thrown) ?? t`That did not work`): void {
  markReported(thrown);
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
            {t`Request ${requestId}`}
          </Text>
        )}
      </>
    ),
  });
}
