import type { WebhookAnswer } from "#src/telephony/carriers/account.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>`;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Returns markup that streams the audio of a call over a socket; the call ends with the socket. */
export function writeStream(socketUrl: string, statusUrl: string): string {
  const attributes = `url="${escapeXml(socketUrl)}" statusCallback="${escapeXml(statusUrl)}"`;
  return `${HEAD}<Response><Connect><Stream ${attributes}/></Connect></Response>`;
}

/** Returns markup that declines a call before the answer, so that nothing is billed. */
export function writeReject(reason: "busy" | "rejected"): string {
  return `${HEAD}<Response><Reject reason="${reason}"/></Response>`;
}

/** Markup without any further action. */
export const NOTHING_MORE = `${HEAD}<Response/>`;

/** Returns a response to Twilio with this markup. */
export function toAnswer(markup: string): WebhookAnswer {
  return { status: 200, headers: { "content-type": "text/xml; charset=utf-8" }, body: markup };
}
