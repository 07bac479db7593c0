import { JOB, REPEAT_KEY, ROW_DATA } from "../fields";
import { post, textOf } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";
import { ROWS, rowsOf } from "./rows";

/** Action that gives a call job more people. */
export const addRows = {
  key: "add_rows",
  noun: "Row",
  display: { label: "Add Rows to Call Job", description: "Adds people to a call job that is not over." },
  operation: {
    inputFields: [JOB, ROWS, ROW_DATA, REPEAT_KEY],
    perform: (z: ZObject, bundle: Bundle): Promise<Json> =>
      post(z, bundle, `/call-jobs/${encodeURIComponent(textOf(bundle, "jobId"))}/rows`, { rows: rowsOf(bundle) }),
    sample: { id: "019a2b3c-0000-7000-8000-000000000003", name: "Reminders", status: "RUNNING", acceptedRows: 1 },
  },
};
