import { isUuid } from "#src/platform/kernel/id.ts";
import type { CarrierWebhookEvent } from "#src/telephony/carriers/account.ts";
import type { MessageChannel } from "#src/telephony/carriers/messages.ts";
import { fromVonageNumber } from "./vonage-api.ts";
import { asJson, asText, type Json } from "./vonage-json.ts";
import { readReportedFault } from "./vonage-message-errors.ts";
import { readDeliveryState } from "./vonage-messenger.ts";

/**
 * Reads a message that a person sent. Empty for an unsupported channel; null for an invalid message. Version 1 has
 * numbers as texts; the version before it, which applications may still use, has them as objects and the content apart.
 */
export function readInboundMessage(json: Json): CarrierWebhookEvent[] | null {
  const channel = channelOf(json);
  const providerMessageId = asText(json.message_uuid);
  if (!providerMessageId || channel === null) return null;
  if (channel === "OTHER") return [];
  // Names and short codes cannot be answered; refused, they would be sent again for a day.
  const from = numberOf(json.from) ?? asText(json.from) ?? asText(asJson(json.from).number);
  const to = numberOf(json.to);
  if (!from || !to) return null;
  const text = textOf(json);
  return [{ kind: "MESSAGE_IN", message: { channel, provider: "VONAGE", providerMessageId, from, to, text } }];
}

/** Reads Vonage's report of a message that we sent. Empty for a status that we ignore; null for an invalid report. */
export function readDeliveryReport(json: Json): CarrierWebhookEvent[] | null {
  const providerMessageId = asText(json.message_uuid);
  if (!providerMessageId || asText(json.status) === null) return null;
  const status = readDeliveryState(json.status);
  if (!status) return [];
  const ref = asText(json.client_ref);
  const fault = status === "FAILED" ? readReportedFault(json.error) : null;
  const error = fault ? { code: fault.code, message: fault.message } : null;
  const report = { messageId: ref && isUuid(ref) ? ref : null, providerMessageId, status, error };
  return [{ kind: "DELIVERY", report: fault?.hasOptedOut ? { ...report, optedOut: true } : report }];
}

function channelOf(json: Json): MessageChannel | "OTHER" | null {
  const word = asText(json.channel) ?? asText(asJson(json.from).type);
  if (word === "sms") return "SMS";
  if (word === "whatsapp") return "WHATSAPP";
  return word ? "OTHER" : null;
}

function numberOf(end: unknown): string | null {
  return fromVonageNumber(end) ?? fromVonageNumber(asJson(end).number);
}

/** Returns the text; content that is not text is named, so that the message is not empty. */
function textOf(json: Json): string {
  const content = asJson(asJson(json.message).content);
  const kind = asText(json.message_type) ?? asText(content.type) ?? "message";
  const media = asJson(json[kind] ?? content[kind]);
  const words = [json.text, content.text, asJson(json.button).text, asJson(json.reply).title, media.caption];
  return words.map(asText).find((text) => text !== null) ?? (kind === "text" ? "" : `[${kind}]`);
}
