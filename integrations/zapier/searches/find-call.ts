import { filled, find, send, textOf } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

/** Search for calls: by id, or the latest ones of a number or an external id. */
export const findCall = {
  key: "find_call",
  noun: "Call",
  display: { label: "Find Call", description: "Reads a call: its end, what was said, and the fields that it filled." },
  operation: {
    inputFields: [
      { key: "rowId", label: "Call ID", helpText: "When it is given, the other fields are not used." },
      { key: "customerNumber", label: "Phone Number", placeholder: "+12025550100" },
      { key: "externalId", label: "External ID" },
    ],
    perform,
    sample: {
      id: "019a2b3c-0000-7000-8000-000000000002",
      status: "COMPLETED",
      outcome: "ANSWERED",
      customerNumber: "+12025550100",
      transcriptText: "Agent: Good morning.",
      extractedFields: { coming: true },
    },
  },
};

async function perform(z: ZObject, bundle: Bundle): Promise<Json[]> {
  const rowId = textOf(bundle, "rowId");
  if (rowId !== "") {
    const call = await find(z, bundle, `/call-rows/${encodeURIComponent(rowId)}`);
    // Without a result Zapier goes on as the person chose.
    return call === null ? [] : [call];
  }
  const filters = filled(bundle, ["customerNumber", "externalId"]) as Record<string, string>;
  if (Object.keys(filters).length === 0) throw new z.errors.HaltedError("Give a call ID, a number or an external ID.");
  const { content } = await send(z, bundle, { path: "/call-history", params: { ...filters, size: 10 } });
  return content as Json[];
}
