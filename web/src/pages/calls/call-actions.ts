import type { CallRow } from "@parley/sdk";
import type { BulkAction } from "#web/table/bulk-bar.tsx";
import { saveFile, toCsv } from "#web/table/csv.ts";
import { CALL_COLUMNS } from "./call-columns.tsx";

const EXPORT: BulkAction<CallRow> = {
  label: "Export CSV",
  icon: "download",
  all: (rows) => saveFile("calls.csv", toCsv(rows, CALL_COLUMNS)),
};

const SAVE_JSON: BulkAction<CallRow> = {
  label: "Export JSON",
  icon: "output",
  all: (rows) => saveFile("calls.json", JSON.stringify(rows, null, 2), "application/json"),
};

/** What can be done with calls that are selected in a list. */
export const CALL_ACTIONS: BulkAction<CallRow>[] = [EXPORT, SAVE_JSON];
