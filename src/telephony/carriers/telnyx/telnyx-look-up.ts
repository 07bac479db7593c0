import { now } from "#src/platform/kernel/clock.ts";
import { asObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type { AskedAttempt, CarrierEvent, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { encodePart, isSuccess, readData, readFault, readList, readNextPage, type TelnyxApi } from "./telnyx-api.ts";
import { readClientState, type TelnyxCalls } from "./telnyx-calls.ts";
import { readHangup, readTime } from "./telnyx-events.ts";

/** Dependencies of a look-up. */
export interface LookUpParts {
  api: TelnyxApi;
  connectionId: string;
  calls: TelnyxCalls;
}

const PAGE_SIZE = 250;
const MAX_PAGES = 8;
/** Telnyx's clock and ours may differ. */
const CLOCK_SLACK_MS = 5_000;
/** Deepest nesting of the raw event in a listed one: the documentation does not say where it is. */
const MAX_DEPTH = 5;

/**
 * Looks up an attempt at Telnyx: by the call's id where that is known, else by our attempt id among the active calls,
 * and last among the events of the last day, the only source for the reason of an end.
 */
export async function lookUpCall(parts: LookUpParts, asked: AskedAttempt, signal: AbortSignal): Promise<LookUpResult> {
  if (asked.providerCallId) {
    const byId = await lookUpById(parts, asked, asked.providerCallId, signal);
    if (byId) return byId;
  }
  const live = await findActive(parts, asked, signal);
  if (live) return live;
  return await findInEvents(parts, asked, null, signal);
}

/** Looks up a call by its id. Null: Telnyx does not know the call, or it is over; then the events are searched. */
async function lookUpById(
  parts: LookUpParts,
  asked: AskedAttempt,
  providerCallId: string,
  signal: AbortSignal,
): Promise<LookUpResult | null> {
  const reply = await parts.api({ method: "GET", path: `/calls/${encodePart(providerCallId)}`, signal });
  const isUnknown = reply.kind === "ANSWER" && (reply.status === 404 || reply.status === 422);
  if (isUnknown) return null;
  const call = readData(reply);
  if (!isSuccess(reply) || !call) return unclear(reply);
  if (call["is_alive"] === true) return alive(parts, asked, providerCallId, signal);
  if (!asText(call["end_time"])) return null;
  const ended = await findInEvents(parts, asked, asText(call["call_leg_id"]), signal);
  if (ended.kind === "ENDED") return ended;
  return { kind: "UNCERTAIN", message: "The call is over, and Telnyx does not tell how it ended." };
}

async function findActive(parts: LookUpParts, asked: AskedAttempt, signal: AbortSignal): Promise<LookUpResult | null> {
  const { api, connectionId } = parts;
  const { attemptId } = asked;
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { "page[limit]": String(PAGE_SIZE), ...(after ? { "page[after]": after } : {}) };
    const path = `/connections/${encodePart(connectionId)}/active_calls`;
    const reply: CarrierReply = await api({ method: "GET", path, query, signal });
    if (!isSuccess(reply)) return unclear(reply);
    const active = readList(reply);
    const found = active.find((call) => readClientState(call["client_state"])?.attemptId === attemptId);
    const providerCallId = asText(found?.["call_control_id"]);
    if (providerCallId) return alive(parts, asked, providerCallId, signal);
    after = readNextPage(reply);
    if (!after || active.length < PAGE_SIZE) return null;
  }
  return null;
}

/**
 * Returns the state of a live call. Telnyx does not say whether it was answered; its events do, which are listed even
 * when their webhook was lost.
 */
async function alive(
  parts: LookUpParts,
  asked: AskedAttempt,
  providerCallId: string,
  signal: AbortSignal,
): Promise<LookUpResult> {
  if (parts.calls.find(providerCallId)?.isAnswered) {
    return { kind: "ANSWERED", providerCallId, answeredBy: "UNCERTAIN" };
  }
  const reported = await findInEvents(parts, asked, null, signal);
  return reported.kind === "ANSWERED" || reported.kind === "ENDED" ? reported : { kind: "RINGING", providerCallId };
}

async function findInEvents(
  { api }: LookUpParts,
  asked: AskedAttempt,
  legId: string | null,
  signal: AbortSignal,
): Promise<LookUpResult> {
  const since = new Date(asked.dialledAt.getTime() - CLOCK_SLACK_MS).toISOString();
  const query: Record<string, string> = legId
    ? { "filter[leg_id]": legId }
    : { "filter[from]": asked.from, "filter[to]": asked.to, "filter[occurred_at][gte]": since };
  query["filter[type]"] = "webhook";
  query["page[size]"] = String(PAGE_SIZE);
  const reply = await api({ method: "GET", path: "/call_events", query, signal });
  if (!isSuccess(reply)) return unclear(reply);
  const events = readList(reply).filter((event) => isOf(asked.attemptId, event));
  const hangup = events.find((event) => event["name"] === "call.hangup");
  if (hangup) return toEnded(asked, hangup);
  if (events.length === 0) return { kind: "ABSENT" };
  const idOf = (event: JsonObject) => asText(findRaw(event)?.["call_control_id"]);
  const answered = events.find((event) => event["name"] === "call.answered" && idOf(event));
  const any = answered ?? events.find(idOf);
  const providerCallId = asked.providerCallId ?? (any ? idOf(any) : null);
  if (!providerCallId) return { kind: "UNCERTAIN", message: "Telnyx has placed the call and does not tell its id." };
  return answered ? { kind: "ANSWERED", providerCallId, answeredBy: "UNCERTAIN" } : { kind: "RINGING", providerCallId };
}

/** True when a listed event is the attempt's: by both numbers and time, or by our state where Telnyx returns it. */
function isOf(attemptId: string, event: JsonObject): boolean {
  const state = findRaw(event)?.["client_state"];
  return state === undefined || readClientState(state)?.attemptId === attemptId;
}

function toEnded(asked: AskedAttempt, listed: JsonObject): LookUpResult {
  const raw = findRaw(listed);
  const providerCallId = asked.providerCallId ?? asText(raw?.["call_control_id"]);
  if (!raw || !asText(raw["hangup_cause"]) || !providerCallId) {
    return { kind: "UNCERTAIN", message: "The call is over, and Telnyx does not tell how it ended." };
  }
  const direction = readClientState(raw["client_state"])?.direction ?? "OUTBOUND";
  const event: CarrierEvent & { type: "ENDED" } = {
    type: "ENDED",
    eventKey: `look-up:${asked.attemptId}`,
    attemptId: asked.attemptId,
    providerCallId,
    at: readTime(listed["event_timestamp"]) ?? now().toISOString(),
    ...readHangup(raw, direction),
  };
  return { kind: "ENDED", event };
}

/** Finds the payload of the webhook inside the metadata of a listed event. */
function findRaw(event: JsonObject): JsonObject | null {
  const metadata = asObject(event["metadata"]);
  const keys = ["hangup_cause", "client_state", "call_control_id"];
  return keys.map((key) => findWith(key, metadata, 0)).find((found) => found !== null) ?? null;
}

function findWith(key: string, value: JsonObject | null, depth: number): JsonObject | null {
  if (!value || depth > MAX_DEPTH) return null;
  if (value[key] !== undefined) return value;
  for (const inner of Object.values(value)) {
    const found = findWith(key, asObject(inner), depth + 1);
    if (found) return found;
  }
  return null;
}

function unclear(reply: CarrierReply): LookUpResult {
  const fault = readFault(reply);
  const why = reply.kind === "FAILED" ? reply.message : (fault?.message ?? `HTTP ${reply.status}`);
  return { kind: "UNCERTAIN", message: `Telnyx could not be asked about the call: ${why}` };
}
