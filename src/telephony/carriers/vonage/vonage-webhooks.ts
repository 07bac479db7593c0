import { createHash } from "node:crypto";
import { isUuid } from "#src/platform/kernel/id.ts";
import { parseObject } from "#src/platform/kernel/json-object.ts";
import type {
  CarrierWebhookEvent,
  CarrierWebhook,
  WebhookAnswer,
  WebhookReading,
} from "#src/telephony/carriers/account.ts";
import { fromVonageNumber } from "./vonage-api.ts";
import type { LegEvent } from "./vonage-calls.ts";
import { readCallEvent } from "./vonage-events.ts";
import { asText, type Json } from "./vonage-json.ts";
import { readDeliveryReport, readInboundMessage } from "./vonage-message-events.ts";
import type { VonageParts } from "./vonage-parts.ts";
import { verifySignature } from "./vonage-signature.ts";

/** Vonage would read an answer with content as new actions for the call. */
const DONE: WebhookAnswer = { status: 204, headers: {}, body: "" };

/** Verifies and parses a webhook of Vonage's. Never throws. */
export function readVonageWebhook(parts: VonageParts, webhook: CarrierWebhook): WebhookReading {
  const { api, signatureSecret, now } = parts;
  const verdict = verifySignature({
    authorization: webhook.headers.authorization,
    body: webhook.body,
    signatureSecret,
    apiKey: api.apiKey,
    applicationId: api.applicationId,
    nowMs: now(),
  });
  if (!verdict.isGenuine) return { kind: "FORGED", message: verdict.message };
  const json = parseObject(webhook.body);
  if (!json) return malformed("The body is no JSON object.");
  const [area = "", id = "", part = "", ...more] = webhook.path.split("/");
  const events = more.length > 0 ? null : readEvents(parts, { area, id, part, json, body: webhook.body });
  return events ? { kind: "READ", events, answer: DONE } : malformed("The webhook makes no sense to this address.");
}

interface Sent {
  area: string;
  id: string;
  part: string;
  json: Json;
  body: Buffer;
}

function readEvents(parts: VonageParts, sent: Sent): CarrierWebhookEvent[] | null {
  const { area, id, part, json } = sent;
  if (area === "calls" && id === "") return readCallOfApplication(parts, sent);
  if ((area === "calls" || area === "legs") && isUuid(id)) {
    // Vonage treats the socket as a separate call; our end of it already sees the events that matter.
    if (part === "media") return [];
    if (part !== "") return null;
    return area === "calls" ? readCall(parts, sent, id) : readLeg(parts, sent);
  }
  if (id !== "") return null;
  if (area === "calls-in") return readCallIn(json);
  if (area === "messages") return readInboundMessage(json);
  return area === "message-status" ? readDeliveryReport(json) : null;
}

/** Reads events of an inbound call, which name no attempt: this node knows the attempt that it accepted the call as. */
function readCallOfApplication(parts: VonageParts, sent: Sent): CarrierWebhookEvent[] {
  const callId = callIdOf(sent.json);
  const known = callId ? parts.calls.byCall(callId) : undefined;
  return known ? (readCall(parts, sent, known.attemptId) ?? []) : [];
}

function readCall(parts: VonageParts, { json, body }: Sent, attemptId: string): CarrierWebhookEvent[] | null {
  const { calls, media, now } = parts;
  const providerCallId = callIdOf(json);
  if (asText(json.status) === null) return readTrouble(parts, json, attemptId);
  if (!providerCallId) return null;
  const known = calls.byAttempt(attemptId);
  // The signed body names the call; the path, which is not signed, must not move it to another one.
  const isOther = known?.providerCallId && known.providerCallId !== providerCallId;
  if (isOther || isSocket(json)) return [];
  calls.link(attemptId, providerCallId);
  const base = { eventKey: createHash("sha256").update(`${attemptId} `).update(body).digest("hex"), attemptId };
  const isHungUp = known?.isHungUp ?? false;
  const event = readCallEvent(json, { ...base, providerCallId, now: new Date(now()).toISOString(), isHungUp });
  if (event?.type === "ENDED") {
    media.close(attemptId);
    calls.forget(attemptId);
    calls.ended.add(providerCallId);
  }
  return event ? [{ kind: "CALL", event }] : [];
}

/** Logs an error that Vonage reports, without a status, about our actions. */
function readTrouble({ log }: VonageParts, json: Json, attemptId: string): CarrierWebhookEvent[] {
  const reason = asText(json.reason);
  if (reason) log.warn("Vonage reports an error of a call.", { attemptId, reason: reason.slice(0, 300) });
  return [];
}

function readLeg({ calls, now }: VonageParts, { id, json }: Sent): CarrierWebhookEvent[] | null {
  const providerCallId = callIdOf(json);
  if (!providerCallId) return null;
  if (isSocket(json)) return [];
  const base = { eventKey: "leg", attemptId: id, providerCallId, isHungUp: false };
  const event = readCallEvent(json, { ...base, now: new Date(now()).toISOString() });
  if (event?.type === "ANSWERED") calls.notifyLeg(id, { kind: "ANSWERED" });
  if (event?.type === "ENDED") calls.notifyLeg(id, { ...toLegEnd(event.outcome), message: event.reason });
  return [];
}

function toLegEnd(outcome: string): Omit<LegEvent & { kind: "ENDED" }, "message"> {
  if (outcome === "BUSY" || outcome === "NO_ANSWER" || outcome === "REJECTED")
    return { kind: "ENDED", reason: outcome };
  return { kind: "ENDED", reason: "UNREACHABLE" };
}

function readCallIn(json: Json): CarrierWebhookEvent[] | null {
  const providerCallId = callIdOf(json);
  const to = fromVonageNumber(json.to);
  if (!providerCallId || !to) return null;
  return [{ kind: "CALL_IN", call: { providerCallId, from: fromVonageNumber(json.from) ?? "", to } }];
}

/** Returns the call's id; verdicts of machine detection name it in another field. */
function callIdOf(json: Json): string | null {
  const id = asText(json.uuid) ?? asText(json.call_uuid);
  return id && id.length <= 100 ? id : null;
}

function isSocket(json: Json): boolean {
  return /^wss?:/.test(asText(json.to) ?? "");
}

function malformed(message: string): WebhookReading {
  return { kind: "MALFORMED", message };
}
