import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { holdOut } from "#web/api/cache-patches.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { changeWithUndo, showDone, showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "./confirm.tsx";
import type { Question } from "./question.ts";
import { useIsHere } from "./use-is-here.ts";

/** Texts of a removal; those with a parameter are about the row of this name. */
export interface RemovalTexts {
  /** Label of the button. */
  action: string;
  title: (name: string) => string;
  failed: (name: string) => string;
  done: (name: string) => string;
}

const DELETION: RemovalTexts = {
  action: t`Delete`,
  title: (name) => t`Delete ${name}?`,
  failed: (name) => t`${name} was not deleted`,
  done: (name) => t`${name} is deleted.`,
};

/** Options of a permanent deletion. */
export interface Removal<T> {
  path: (row: T) => string;
  /** Its name, for the question and the toast. */
  name: (row: T) => string;
  /** Warning about the data that is deleted with it. */
  warning: ReactNode;
  refreshes: string[];
  /** Texts of a removal that is no deletion. */
  texts?: RemovalTexts;
  after?: () => void;
}

/** Options of a deletion with its own texts. */
export interface AskedDelete<T> extends Pick<Removal<T>, "path" | "refreshes" | "after"> {
  question: (row: T) => Omit<Question, "isDangerous">;
  /** Title of the message when it fails. */
  failed: (row: T) => string;
  /** Text of the toast when it is done. */
  done: (row: T) => string;
}

/** Asks, deletes and shows a toast; returns true when it was deleted. */
export function useRemoval<T>(removal: Removal<T>): (row: T) => Promise<boolean> {
  const { name, warning, texts = DELETION, ...how } = removal;
  return useAskedDelete<T>({
    ...how,
    question: (row) => ({ title: texts.title(name(row)), body: warning, action: texts.action }),
    failed: (row) => texts.failed(name(row)),
    done: (row) => texts.done(name(row)),
  });
}

/** Asks, deletes and shows a toast; returns true when it was deleted. */
export function useAskedDelete<T>(asked: AskedDelete<T>): (row: T) => Promise<boolean> {
  const { path, question, failed, done, refreshes, after } = asked;
  const ask = useConfirm();
  const isHere = useIsHere();
  const write = useWrite<void, T>({ failed, method: "DELETE", path, refreshes });
  return async (row) => {
    if (!(await ask({ ...question(row), isDangerous: true }))) return false;
    try {
      await write.mutateAsync(row);
    } catch (error) {
      showFault(error);
      return false;
    }
    showDone(done(row));
    if (isHere()) after?.();
    return true;
  };
}

/** Options of a row's deletion with an undo. */
export interface UndoableRemoval<T> {
  /** API path of the list; a row's own path is below it. */
  list: string;
  /** The last part of a row's path; its id when left out. */
  keyOfRow?: (row: T) => string;
  /** Text of the toast. */
  message: (row: T) => string;
  /** Title of the message when it fails. */
  failed: (row: T) => string;
  after?: () => void;
}

/** Hides a row at once; the deletion can be undone for six seconds, then it is sent. */
export function useUndoableRemoval<T extends object>(removal: UndoableRemoval<T>): (row: T) => void {
  const { list, message, failed, after, keyOfRow = (row) => (row as { id: string }).id } = removal;
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  return (row) => {
    const key = keyOfRow(row);
    const held = holdOut<T>(client, workspaceId, list, [key], keyOfRow);
    changeWithUndo({
      message: message(row),
      failed: failed(row),
      apply: () => held.putBack,
      send: async () => {
        await send("DELETE", inWorkspace(workspaceId, `${list}/${encodeURIComponent(key)}`));
        held.letGo();
      },
    });
    after?.();
  };
}
