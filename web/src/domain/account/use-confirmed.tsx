import { type ReactNode, useState } from "react";
import { ApiError } from "#web/api/api-error.ts";
import { showFault } from "#web/api/undo.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** A change of how the person signs in; run again where the person had to show first who they are. */
type Change = () => Promise<unknown>;

/**
 * Returns functions that run a change of how the person signs in, and the dialog that it may need: when the server asks
 * for it, the person shows first who they are, and the change runs again. `confirmed` shows other faults itself, while
 * `confirmable` throws them to the form that it belongs to.
 */
export function useConfirmed(): {
  confirmed: (change: Change) => void;
  confirmable: (change: Change) => Promise<void>;
  dialog: ReactNode;
} {
  const [waiting, setWaiting] = useState<Change | null>(null);
  const confirmable = async (change: Change) => {
    try {
      await change();
    } catch (error) {
      if (!isAskedToConfirm(error)) throw error;
      setWaiting(() => change);
    }
  };
  const confirmed = (change: Change) => void confirmable(change).catch(showFault);
  const dialog = waiting && (
    <ConfirmDialog
      close={() => setWaiting(null)}
      onDone={() => {
        setWaiting(null);
        confirmed(waiting);
      }}
    />
  );
  return { confirmed, confirmable, dialog };
}

function isAskedToConfirm(error: unknown): boolean {
  return error instanceof ApiError && error.faults.some(({ code }) => code === "NOT_RECENT");
}
