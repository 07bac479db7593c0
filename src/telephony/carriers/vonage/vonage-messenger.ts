import { nowMs } from "#src/platform/kernel/clock.ts";
import type {
  AskedMessage,
  DeliveryState,
  MessageLookUp,
  Messenger,
  MessageTemplate,
  OutgoingMessage,
  SendResult,
} from "#src/telephony/carriers/messages.ts";
import { type VonageApi, fromVonageNumber, toVonageNumber } from "./vonage-api.ts";
import { BAD_PRIVATE_KEY, readFault } from "./vonage-errors.ts";
import { asJson, asJsonList, asText, asTime, type Json } from "./vonage-json.ts";
import { explainMessageFault, readSendReply } from "./vonage-message-errors.ts";

const SKEW_MS = 5_000;
const HOUR_MS = 3_600_000;

const STATES: Readonly<Record<string, DeliveryState>> = {
  accepted: "SENT",
  submitted: "SENT",
  delivered: "DELIVERED",
  read: "READ",
  rejected: "FAILED",
  undeliverable: "FAILED",
  failed: "FAILED",
  expired: "FAILED",
};

/** Converts Vonage's status of a message; null for a status that we ignore. */
export function readDeliveryState(status: unknown): DeliveryState | null {
  const word = asText(status)?.toLowerCase() ?? "";
  return Object.hasOwn(STATES, word) ? (STATES[word] ?? null) : null;
}

/**
 * SMS and WhatsApp over Vonage. It has no idempotency key for a send, and reports of messages appear in its list some
 * minutes late. So absence proves nothing, and a message of unknown state is given up.
 */
export class VonageMessenger implements Messenger {
  readonly name = "VONAGE";
  readonly horizonMs = 600_000;
  readonly absenceIsProof = false;
  readonly assumesOpenWindow = false;
  readonly #api: VonageApi;

  constructor(api: VonageApi) {
    this.#api = api;
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    if (!this.#api.privateKey) {
      return { kind: "REFUSED", code: "BAD_PRIVATE_KEY", message: BAD_PRIVATE_KEY, retryable: false };
    }
    const body = createMessageBody(message);
    const order = { method: "POST", host: "api", path: "/v1/messages", proof: "APPLICATION", body } as const;
    return readSendReply(await this.#api.call({ ...order, beforeSend: message.assertMayLeave }, signal));
  }

  /** Searches the account's reports: by the message's id, or by both numbers, time and text. */
  async lookUp(message: AskedMessage, signal: AbortSignal): Promise<MessageLookUp> {
    const query = createReportQuery(this.#api, message, nowMs());
    if (!query) return { kind: "ABSENT" };
    const order = { method: "GET", host: "api", path: "/v2/reports/records", proof: "ACCOUNT", query } as const;
    const reply = await this.#api.call(order, signal);
    if (reply.kind === "FAILED" || reply.status !== 200) {
      const said = reply.kind === "FAILED" ? reply.message : (readFault(reply)?.message ?? `HTTP ${reply.status}`);
      return { kind: "UNCERTAIN", message: `Vonage could not be asked about the message: ${said}` };
    }
    const record = asJsonList(asJson(reply.json).records).find((json) => isOf(json, message));
    return (record && readRecord(record)) ?? { kind: "ABSENT" };
  }
}

function createMessageBody(message: OutgoingMessage): object {
  const { channel, from, to, text, template, messageId } = message;
  const ends = { to: toVonageNumber(to), from: toVonageNumber(from), client_ref: messageId };
  if (channel === "SMS") return { channel: "sms", message_type: "text", ...ends, text };
  if (!template) return { channel: "whatsapp", message_type: "text", ...ends, text };
  return { channel: "whatsapp", ...ends, ...createTemplate(template) };
}

/** Returns a template; Vonage takes variables by number, and named ones in WhatsApp's own format. */
function createTemplate({ name, language, variables }: MessageTemplate): object {
  const entries = Object.entries(variables);
  if (entries.every(([key]) => /^\d{1,3}$/.test(key))) {
    const parameters = entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
    const policy = { policy: "deterministic", locale: language };
    return { message_type: "template", whatsapp: policy, template: { name, parameters } };
  }
  const parameters = entries.map(([key, text]) => ({ type: "text", parameter_name: key, text }));
  const template = { name, language: { code: language, policy: "deterministic" } };
  const components = [{ type: "body", parameters }];
  return { message_type: "custom", custom: { type: "template", template: { ...template, components } } };
}

function createReportQuery(api: VonageApi, message: AskedMessage, untilMs: number): Record<string, string> | null {
  const base = { account_id: api.apiKey, product: "MESSAGES", direction: "outbound" };
  if (message.providerMessageId) return { ...base, id: message.providerMessageId };
  if (!message.sentAt) return null;
  const startMs = message.sentAt.getTime() - SKEW_MS;
  const endMs = Math.max(startMs, Math.min(startMs + HOUR_MS, untilMs));
  const ends = { from: toVonageNumber(message.from), to: toVonageNumber(message.to) };
  const time = { date_start: new Date(startMs).toISOString(), date_end: new Date(endMs).toISOString() };
  return { ...base, ...ends, ...time, include_message: "true" };
}

function isOf(json: Json, message: AskedMessage): boolean {
  if (message.providerMessageId) return json.message_id === message.providerMessageId;
  const isBetween = fromVonageNumber(json.from) === message.from && fromVonageNumber(json.to) === message.to;
  const since = asTime(json.date_received);
  if (!isBetween || (since && message.sentAt && Date.parse(since) < message.sentAt.getTime() - SKEW_MS)) return false;
  const ref = asText(json.client_ref);
  return ref === null ? json.message_body === message.text : ref === message.messageId;
}

function readRecord(json: Json): MessageLookUp | null {
  const providerMessageId = asText(json.message_id);
  if (!providerMessageId) return null;
  const status = readDeliveryState(json.status) ?? "SENT";
  const code = asText(json.error_code);
  const isFault = status === "FAILED" && code !== null && code !== "0";
  const fault = isFault ? explainMessageFault(code, asText(json.error_code_description)) : null;
  const error = fault ? { code: fault.code, message: fault.message } : null;
  // An SMS is never reported as read.
  const isSms = /sms/i.test(asText(json.provider) ?? asText(json.channel) ?? "sms");
  const isFinal = status === "FAILED" || status === "READ" || (status === "DELIVERED" && isSms);
  return { kind: "FOUND", providerMessageId, status, error, isFinal };
}
