import type { ReactNode } from "react";
import { useConfirm } from "#web/ui/confirm.tsx";
import { useWrite } from "./queries.ts";
import { showDone, showFault } from "./undo.tsx";

/** How something is deleted for good. */
export interface Removal<T> {
  path: (row: T) => string;
  /** Its name, for the question and the note. */
  name: (row: T) => string;
  /** What goes with it. */
  warning: ReactNode;
  refreshes: string[];
  /** The button; "Delete" when left out. */
  action?: string;
  /** What was done; "deleted" when left out. */
  done?: string;
  after?: () => void;
}

/** Asks, deletes, says so; gives true when it was deleted. */
export function useRemoval<T>(removal: Removal<T>): (row: T) => Promise<boolean> {
  const { path, name, warning, refreshes, action = "Delete", done = "deleted", after } = removal;
  const ask = useConfirm();
  const write = useWrite<void, T>({ method: "DELETE", path, refreshes });
  return async (row) => {
    if (!(await ask({ title: `${action} ${name(row)}?`, body: warning, action, isDangerous: true }))) return false;
    try {
      await write.mutateAsync(row);
    } catch (error) {
      showFault(error);
      return false;
    }
    showDone(`${name(row)} is ${done}.`);
    after?.();
    return true;
  };
}
