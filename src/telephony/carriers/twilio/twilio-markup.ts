import type { WebhookAnswer } from "#src/telephony/carriers/account.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>`;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Tells Twilio to bring the audio of a call over a socket; the call ends with it. */
export function writeStream(socketUrl: string, statusUrl: string): string {
  const attributes = `url="${escapeXml(socketUrl)}" statusCallback="${escapeXml(statusUrl)}"`;
  return `${HEAD}<Response><Connect><Stream ${attributes}/></Connect></Response>`;
}

/** Tells Twilio to turn a call away before it is answered: nothing is billed. */
export function writeReject(reason: "busy" | "rejected"): string {
  return `${HEAD}<Response><Reject reason="${reason}"/></Response>`;
}

/** Tells Twilio to do nothing more. */
export const NOTHING_MORE = `${HEAD}<Response/>`;

/** An answer to Twilio in its own markup. */
export function toAnswer(markup: string): WebhookAnswer {
  return { status: 200, headers: { "content-type": "text/xml; charset=utf-8" }, body: markup };
}
