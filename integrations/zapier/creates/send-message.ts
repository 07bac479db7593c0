import { post, textOf } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

/** Action that writes into a chat as its contact would, and returns the agent's reply. */
export const sendMessage = {
  key: "send_message",
  noun: "Message",
  display: { label: "Send Chat Message", description: "Passes on what a person wrote, and gets the agent's answer." },
  operation: {
    inputFields: [
      { key: "chatId", label: "Chat ID", required: true },
      { key: "content", label: "Message", type: "text", required: true },
    ],
    perform: (z: ZObject, bundle: Bundle): Promise<Json> =>
      post(z, bundle, `/chat-sessions/${encodeURIComponent(textOf(bundle, "chatId"))}/messages`, {
        content: textOf(bundle, "content"),
      }),
    sample: { messages: [{ role: "ASSISTANT", content: "You are welcome." }] },
  },
};
