import { toStorableText } from "#src/platform/kernel/storable.ts";
import type { CarrierWebhookEvent } from "#src/telephony/carriers/account.ts";

/** The ids of carriers have 20 to 80 characters; an index accepts at most a few thousand. */
const MOST_ID = 500;
/** Plausible age of an event: clocks differ, and carriers repeat webhookEvent for days. */
const OLDEST_MS = 30 * 86_400_000;
const NEWEST_MS = 86_400_000;
const IDS = ["eventKey", "providerCallId", "providerMessageId"] as const;

/**
 * Returns an event that can be stored: texts without NUL and lone surrogates, and a plausible time. Null when an id is
 * not one of a carrier. The holder of an account's keys may have forged any of it.
 */
export function cleanWebhookEvent(webhookEvent: CarrierWebhookEvent, nowMs: number): CarrierWebhookEvent | null {
  const clean = cleanValue(webhookEvent) as CarrierWebhookEvent;
  const reported: object = clean.kind === "CALL" ? clean.event : whatOf(clean);
  const ids = IDS.map((name) => (reported as Record<string, unknown>)[name]).filter((id) => id !== undefined);
  if (ids.some((id) => typeof id !== "string" || id === "" || id.length > MOST_ID)) return null;
  if (clean.kind !== "CALL") return clean;
  return { kind: "CALL", event: { ...clean.event, at: cleanTime(clean.event.at, nowMs) } };
}

function whatOf(webhookEvent: Exclude<CarrierWebhookEvent, { kind: "CALL" }>): object {
  if (webhookEvent.kind === "CALL_IN") return webhookEvent.call;
  return webhookEvent.kind === "MESSAGE_IN" ? webhookEvent.message : webhookEvent.report;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleanValue(inner)]));
}

function cleanTime(at: string, nowMs: number): string {
  const ms = Date.parse(at);
  const isLikely = ms > nowMs - OLDEST_MS && ms < nowMs + NEWEST_MS;
  return isLikely ? at : new Date(nowMs).toISOString();
}
