import { isUuid } from "#src/platform/kernel/id.ts";
import { asObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import type {
  DeliveryReport,
  DeliveryState,
  InboundMessage,
  MessageChannel,
} from "#src/telephony/carriers/messages.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { readError } from "./telnyx-api.ts";
import { explainMessage } from "./telnyx-errors.ts";

/** Telnyx's name in records of messages. */
export const TELNYX = "TELNYX";

const STATES: Readonly<Record<string, DeliveryState>> = {
  queued: "SENT",
  sending: "SENT",
  sent: "SENT",
  delivery_unconfirmed: "SENT",
  delivered: "DELIVERED",
  read: "READ",
  expired: "FAILED",
  sending_failed: "FAILED",
  delivery_failed: "FAILED",
  failed: "FAILED",
  undelivered: "FAILED",
};
/** States after which no report follows; on WhatsApp `read` may still follow `delivered`. */
const FINAL = new Set([
  "delivery_unconfirmed",
  "delivered",
  "read",
  "expired",
  "sending_failed",
  "delivery_failed",
  "failed",
  "undelivered",
]);

/** Delivery state of a message that we sent. */
export interface MessageState {
  status: DeliveryState;
  error: DeliveryReport["error"];
  isFinal: boolean;
}

/** Reads the state from a message as Telnyx returns it. */
export function readMessageState(message: JsonObject): MessageState {
  const word = asText(firstOf(message["to"])?.["status"]) ?? asText(message["status"]) ?? "queued";
  const status = STATES[word] ?? "SENT";
  if (status !== "FAILED") return { status, error: null, isFinal: FINAL.has(word) };
  const fault = readError(message["errors"]);
  const error = fault
    ? { code: fault.code, message: explainMessage(fault) }
    : { code: word.toUpperCase(), message: `Telnyx could not deliver the message (${word}).` };
  return { status, error, isFinal: true };
}

/**
 * Returns our id of a message. It is part of the address for its reports, which Telnyx returns, and thus signs, with
 * the message. Null where Telnyx does not return one.
 */
export function readMessageId(message: JsonObject): string | null {
  const url = message["webhook_url"];
  const id = typeof url === "string" ? (url.split("/messages/")[1] ?? "") : "";
  return isUuid(id) ? id : null;
}

/** Converts a report of a message that we sent; null for one without an id. */
export function toDeliveryReport(message: JsonObject, pathMessageId: string | null): DeliveryReport | null {
  const providerMessageId = asText(message["id"]);
  if (!providerMessageId) return null;
  const { status, error } = readMessageState(message);
  return { messageId: readMessageId(message) ?? pathMessageId, providerMessageId, status, error };
}

/** Converts a message that a person sent; null when a required field is missing. */
export function toInboundMessage(message: JsonObject): InboundMessage | null {
  const providerMessageId = asText(message["id"]);
  const from = readAddress(message["from"]);
  const to = readAddress(firstOf(message["to"]) ?? message["to"]);
  if (!providerMessageId || !from || !to) return null;
  const channel = message["type"] === "WHATSAPP" ? "WHATSAPP" : "SMS";
  const text = readHandledKeyword(message) ?? readText(message);
  return { channel, provider: TELNYX, providerMessageId, from, to, text };
}

const HANDLED: readonly [RegExp, string][] = [
  [/^(?:stop|opt_?out)$/i, "STOP"],
  [/^(?:start|opt_?in)$/i, "START"],
  [/^help$/i, "HELP"],
];

/**
 * Returns the keyword as which Telnyx has handled a message itself, whatever word the messaging profile chose for it
 * (its page Advanced Opt-In/Out, `autoresponse_type`); null for any other message.
 */
function readHandledKeyword(message: JsonObject): string | null {
  const type = asText(message["autoresponse_type"]) ?? "";
  return HANDLED.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}

/** Returns the text of a message; WhatsApp has it in its own envelope, and a pressed button's elsewhere. */
export function readText(message: JsonObject): string {
  if (typeof message["text"] === "string") return message["text"];
  const body = asObject(message["body"]) ?? asObject(message["whatsapp_message"]);
  const interactive = asObject(body?.["interactive"]);
  const words = [
    asObject(body?.["text"])?.["body"],
    asObject(body?.["button"])?.["text"],
    asObject(interactive?.["button_reply"])?.["title"],
    asObject(interactive?.["list_reply"])?.["title"],
  ];
  return words.find((word) => typeof word === "string") ?? "";
}

/** Characters that Telnyx packs into seven bits without an escape (its page Character and Rate Limits). */
const PLAIN = /^[\n\r -Z_a-z]*$/;

/** Returns the longest text of a message: an SMS has at most ten parts, of 153 plain characters or 67 of any kind. */
export function limitTelnyxText(channel: MessageChannel, text: string): number {
  if (channel === "WHATSAPP") return 4_096;
  return PLAIN.test(text) ? 1_530 : 670;
}

function readAddress(value: unknown): string | null {
  return asText(value) ?? asText(asObject(value)?.["phone_number"]);
}

function firstOf(list: unknown): JsonObject | null {
  return Array.isArray(list) ? asObject(list[0]) : null;
}
