import { FLOW, REPEAT_KEY, ROW_DATA } from "../fields";
import { filled, post } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";
import { ROWS, rowsOf } from "./rows";

/** Action that starts a call job. */
export const createJob = {
  key: "create_job",
  noun: "Call Job",
  display: { label: "Create Call Job", description: "Calls a list of people with a flow." },
  operation: {
    inputFields: [{ key: "name", label: "Name" }, FLOW, ROWS, ROW_DATA, REPEAT_KEY],
    perform: (z: ZObject, bundle: Bundle): Promise<Json> =>
      post(z, bundle, "/call-jobs", { ...filled(bundle, ["name", "flowId"]), rows: rowsOf(bundle) }),
    sample: { id: "019a2b3c-0000-7000-8000-000000000003", name: "Reminders", status: "RUNNING", acceptedRows: 2 },
  },
};
