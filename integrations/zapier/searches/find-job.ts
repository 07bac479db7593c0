import { send, textOf } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

/** Search for a call job by its name. */
export const findJob = {
  key: "find_job",
  noun: "Call Job",
  display: { label: "Find Call Job", description: "Finds the latest call jobs whose name is the given one." },
  operation: {
    inputFields: [{ key: "name", label: "Name", required: true }],
    async perform(z: ZObject, bundle: Bundle): Promise<Json[]> {
      const { content } = await send(z, bundle, { path: "/call-jobs", params: { size: 200 } });
      return (content as Json[]).filter(({ name }) => name === textOf(bundle, "name"));
    },
    sample: { id: "019a2b3c-0000-7000-8000-000000000003", name: "Reminders", status: "RUNNING" },
  },
};
