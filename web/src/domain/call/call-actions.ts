import type { CallAction, CallRow } from "@parley/sdk";
import { showExactly } from "#web/api/exact-json.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useJobOfCalls } from "#web/domain/contact/use-chosen-people.ts";
import { plural, t } from "#web/i18n/t.ts";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { saveCsv, saveFile, toCsv } from "#web/ui/table/csv.ts";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { CALL_EXPORT } from "./call-columns.tsx";

/** Resources that are fetched again after calls were stopped. */
const CHANGED = ["/call-history", "/call-rows", "/call-jobs"];

const EXPORT: BulkAction<CallRow> = {
  label: t`Export CSV`,
  icon: "download",
  all: (rows) => saveCsv("calls.csv", toCsv(rows, CALL_EXPORT)),
};

const SAVE_JSON: BulkAction<CallRow> = {
  label: t`Export JSON`,
  icon: "output",
  all: (rows) => saveFile("calls.json", showExactly(rows), "application/json"),
};

/** Ends the selected calls that ring or are under way. */
export function useEndCalls<T extends { id: string; actions: CallAction[] }>(): BulkAction<T> {
  const make = useBulkWrites<T>();
  return make({
    label: t`End`,
    icon: "hangUp",
    isDangerous: true,
    method: "POST",
    path: ({ id }) => `/call-rows/${id}/end`,
    refreshes: CHANGED,
    only: ({ actions }) => actions.includes("end"),
    question: {
      title: (count) => t`End ${count}?`,
      counted: (count) => plural(count, "{n} call", "{n} calls"),
      body: t`The lines are hung up at once, without a goodbye. What was said so far is kept.`,
    },
  });
}

/** Cancels the selected calls that wait for their first or next attempt. */
function useCancelCalls(): BulkAction<CallRow> {
  return useBulkWrites<CallRow>()({
    label: t`Cancel`,
    icon: "stop",
    isDangerous: true,
    method: "POST",
    path: ({ id }) => `/call-rows/${id}/cancel`,
    refreshes: CHANGED,
    only: ({ actions }) => actions.includes("cancel"),
    question: {
      title: (count) => t`Cancel ${count}?`,
      counted: (count) => plural(count, "{n} call", "{n} calls"),
      body: t`They are never dialled. This cannot be taken back.`,
      action: t`Cancel calls`,
    },
  });
}

/** Actions for the calls selected in a list. */
export function useCallActions(): BulkAction<CallRow>[] {
  const end = useEndCalls<CallRow>();
  const cancel = useCancelCalls();
  return [EXPORT, SAVE_JSON, ...useJobOfCalls(), ...(useMay("CALL_JOBS_WRITE") ? [end, cancel] : [])];
}
