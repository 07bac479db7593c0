import { useQueryClient } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import type { BulkAction } from "./bulk-bar.tsx";

/** A request that is sent for each of the selected rows. */
export interface BulkWrite<T> {
  label: string;
  icon: IconName;
  isDangerous?: boolean;
  method: "POST" | "PUT" | "DELETE";
  path: (row: T) => string;
  body?: object;
  /** Resources that are read again afterwards. */
  refreshes: readonly string[];
  /** For which rows it makes sense; all when left out. */
  only?: (row: T) => boolean;
  question?: BulkQuestion<T>;
}

/** What is asked before selected rows are written. */
export interface BulkQuestion<T> {
  /** Gets how many, as in "3 agents". */
  title: (count: string) => string;
  one: string;
  many: string;
  /** The name of a row that is the only one, in place of "1 agent". */
  nameOfRow?: (row: T) => string;
  body: string;
  /** The button; the label when left out. */
  action?: string;
}

/** Makes bulk actions of requests. */
export function useBulkWrites<T>(): (write: BulkWrite<T>) => BulkAction<T> {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const ask = useConfirm();
  return ({ label, icon, isDangerous = false, method, path, body, refreshes, only, question }) => ({
    label,
    icon,
    isDangerous,
    ...(only ? { only } : {}),
    ...(question
      ? {
          confirm: (rows) =>
            ask({
              title: question.title(countRows(rows, question)),
              body: question.body,
              action: question.action ?? label,
              isDangerous,
            }),
        }
      : {}),
    each: (row) => send(method, inWorkspace(id, path(row)), body === undefined ? {} : { body }),
    after() {
      for (const refreshed of refreshes) void client.invalidateQueries({ queryKey: keyOf(id, refreshed) });
    },
  });
}

function countRows<T>(rows: T[], { one, many, nameOfRow }: BulkQuestion<T>): string {
  const [only] = rows;
  if (nameOfRow && only !== undefined && rows.length === 1) return nameOfRow(only);
  return `${rows.length} ${rows.length === 1 ? one : many}`;
}

/** How selected rows are deleted. */
export interface BulkDeletion<T> extends Omit<BulkQuestion<T>, "title" | "action"> {
  /** Where the list is; a row's own path is below it. */
  list: string;
  /** The last part of a row's path; its id when left out. */
  keyOfRow?: (row: T) => string;
  /** "Delete" when left out. */
  label?: string;
  /** What is asked before; the label and how many when left out. */
  title?: (count: string) => string;
  only?: (row: T) => boolean;
}

/** Deletes the selected rows after asking. */
export function useBulkDelete<T extends object>(deletion: BulkDeletion<T>): BulkAction<T> {
  const { list, keyOfRow = (row) => (row as { id: string }).id, label = "Delete", only, ...asked } = deletion;
  return useBulkWrites<T>()({
    label,
    icon: "trash",
    isDangerous: true,
    method: "DELETE",
    path: (row) => `${list}/${encodeURIComponent(keyOfRow(row))}`,
    refreshes: [list],
    ...(only ? { only } : {}),
    question: { title: (count) => `${label} ${count}?`, ...asked },
  });
}
