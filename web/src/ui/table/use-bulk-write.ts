import { useQueryClient } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import type { BulkAction } from "./bulk-bar.tsx";

/** A request to send for each selected row. */
export interface BulkWrite<T> {
  label: string;
  icon: IconName;
  isDangerous?: boolean;
  method: "POST" | "PUT" | "DELETE";
  path: (row: T) => string;
  body?: object;
  /** Resources that are fetched again afterwards. */
  refreshes: readonly string[];
  /** True for rows that it applies to; all rows when left out. */
  only?: (row: T) => boolean;
  question?: BulkQuestion<T>;
}

/** Question to confirm a write of the selected rows. */
export interface BulkQuestion<T> {
  /** Returns the title for a count such as "3 agents". */
  title: (count: string) => string;
  /** Returns the text for a count, such as "3 agents". */
  counted: (count: number) => string;
  /** Name of a single selected row, in place of "1 agent". */
  nameOfRow?: (row: T) => string;
  body: string;
  /** Label of the button; the action's label when left out. */
  action?: string;
}

/** Returns a function that makes a bulk action from a request. */
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

function countRows<T>(rows: T[], { counted, nameOfRow }: BulkQuestion<T>): string {
  const [only] = rows;
  if (nameOfRow && only !== undefined && rows.length === 1) return nameOfRow(only);
  return counted(rows.length);
}

/** Options for the deletion of selected rows. */
export interface BulkDeletion<T> extends Omit<BulkQuestion<T>, "title" | "action"> {
  /** API path of the list; a row's own path is below it. */
  list: string;
  /** The last part of a row's path; its id when left out. */
  keyOfRow?: (row: T) => string;
  /** "Delete" when left out. */
  label?: string;
  /** Title of the question, for a count; "Delete 3 agents?" when left out. */
  title?: (count: string) => string;
  only?: (row: T) => boolean;
}

/** Deletes the selected rows after asking. */
export function useBulkDelete<T extends object>(deletion: BulkDeletion<T>): BulkAction<T> {
  const { list, keyOfRow = (row) => (row as { id: string }).id, label = t`Delete`, only, ...asked } = deletion;
  return useBulkWrites<T>()({
    label,
    icon: "trash",
    isDangerous: true,
    method: "DELETE",
    path: (row) => `${list}/${encodeURIComponent(keyOfRow(row))}`,
    refreshes: [list],
    ...(only ? { only } : {}),
    question: { title: (count) => t`Delete ${count}?`, ...asked },
  });
}
