import { CONTACT_EMAIL, CONTACT_NAME, CONTEXT_DATA, FLOW, REPEAT_KEY } from "../fields";
import { dictionaryOf, filled, post } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

/** Action that starts a chat. */
export const startChat = {
  key: "start_chat",
  noun: "Chat",
  display: { label: "Start Chat", description: "Writes to a person with a flow, by SMS, WhatsApp or over the API." },
  operation: {
    inputFields: [
      {
        key: "channel",
        label: "Channel",
        required: true,
        default: "SMS",
        choices: { SMS: "SMS", WHATSAPP: "WhatsApp", CHAT: "Over the API" },
      },
      {
        key: "contactPhone",
        label: "Phone Number",
        placeholder: "+12025550100",
        helpText: "In E.164 form. SMS and WhatsApp need it.",
      },
      FLOW,
      CONTACT_NAME,
      CONTACT_EMAIL,
      { key: "initialMessage", label: "First Message", type: "text", helpText: "The flow's own when empty." },
      CONTEXT_DATA,
      REPEAT_KEY,
    ],
    perform,
    sample: { session: { id: "019a2b3c-0000-7000-8000-000000000004", status: "ACTIVE", channel: "SMS" }, messages: [] },
  },
};

function perform(z: ZObject, bundle: Bundle): Promise<Json> {
  return post(z, bundle, "/outbound/chats", {
    ...filled(bundle, ["channel", "contactPhone", "flowId", "contactName", "contactEmail", "initialMessage"]),
    contextData: dictionaryOf(bundle, "contextData"),
  });
}
