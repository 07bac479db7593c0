import { send } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

const MOST = 200;

/** Hidden trigger that fills the list of a field. */
function list(key: string, noun: string, path: string) {
  return {
    key,
    noun,
    display: { label: `List ${noun}s`, description: `Fills the list of ${noun.toLowerCase()}s.`, hidden: true },
    operation: {
      perform: async (z: ZObject, bundle: Bundle): Promise<Json[]> => {
        const { content } = await send(z, bundle, { path, params: { size: MOST } });
        return (content as Json[]).map(({ id, name }) => ({ id, name }));
      },
      sample: { id: "019a2b3c-0000-7000-8000-000000000001", name: "Reminders" },
    },
  };
}

/** Flows of the workspace, for fields. */
export const flowList = list("flow_list", "Flow", "/flows");

/** Latest call jobs, for fields. */
export const jobList = list("job_list", "Call Job", "/call-jobs");
