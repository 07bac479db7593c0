import { CONTACT_EMAIL, CONTACT_NAME, CONTEXT_DATA, FLOW, NUMBER, REPEAT_KEY, ROW_DATA } from "../fields";
import { dictionaryOf, filled, post } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

/** Action that queues one call; its result comes with the trigger Call or Chat Ended. */
export const placeCall = {
  key: "place_call",
  noun: "Call",
  display: { label: "Place Call", description: "Calls a person with a flow." },
  operation: {
    inputFields: [NUMBER, FLOW, CONTACT_NAME, CONTACT_EMAIL, ROW_DATA, CONTEXT_DATA, REPEAT_KEY],
    perform,
    sample: { rowId: "019a2b3c-0000-7000-8000-000000000002", status: "QUEUED", customerNumber: "+12025550100" },
  },
};

function perform(z: ZObject, bundle: Bundle): Promise<Json> {
  return post(z, bundle, "/outbound/calls", {
    ...filled(bundle, ["customerNumber", "flowId", "contactName", "contactEmail"]),
    rowData: dictionaryOf(bundle, "rowData"),
    contextData: dictionaryOf(bundle, "contextData"),
  });
}
