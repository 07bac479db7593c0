import { nowMs } from "#src/platform/kernel/clock.ts";
import type { AskedAttempt, CarrierEvent, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { type TwilioApi, readList, readSuccess, textOf } from "./twilio-api.ts";
import { readAnsweredBy, readStage, toEnd } from "./twilio-call-state.ts";
import type { CallLinks } from "./twilio-links.ts";

/** Twilio's dates have whole seconds, and its clock may be a little behind ours. */
const CLOCK_SLACK_MS = 2_000;
/** A dial is given up after seconds, so a call that began later belongs to another attempt. */
const LONGEST_DIAL_MS = 60_000;
/** Page size; Twilio lists the newest first. */
const NEWEST = "50";

type Call = Record<string, unknown>;

/**
 * Looks up an attempt at Twilio: by the call's id, else by both numbers and the time. The list is not filtered by
 * StartTime, which a queued or ringing call does not have; the time of creation is compared here.
 */
export async function lookUpCall(
  api: TwilioApi,
  links: CallLinks,
  attempt: AskedAttempt,
  signal: AbortSignal,
): Promise<LookUpResult> {
  if (attempt.providerCallId !== null) return lookUpById(api, links, attempt, attempt.providerCallId, signal);
  const fields = [
    ["To", attempt.to],
    ["From", attempt.from],
    ["PageSize", NEWEST],
  ] as const;
  const reply = await api.send({ method: "GET", path: "/Calls.json", fields, signal });
  const calls = readList(reply, "calls");
  if (!calls) return { kind: "UNCERTAIN", message: "Twilio did not tell its calls." };
  // A person has one live attempt at a time, so the newest call is this one's, unless it is known to be another's.
  const found = calls.find((call) => isOf(attempt, links, call));
  return found ? toResult(found, attempt, links) : { kind: "ABSENT" };
}

async function lookUpById(
  api: TwilioApi,
  links: CallLinks,
  attempt: AskedAttempt,
  sid: string,
  signal: AbortSignal,
): Promise<LookUpResult> {
  const reply = await api.send({ method: "GET", path: `/Calls/${encodeURIComponent(sid)}.json`, signal });
  if (reply.kind === "ANSWER" && reply.status === 404) return { kind: "ABSENT" };
  const call = readSuccess(reply);
  return call
    ? toResult(call, attempt, links)
    : { kind: "UNCERTAIN", message: "Twilio did not tell how the call stands." };
}

function isOf({ attemptId, dialledAt }: AskedAttempt, links: CallLinks, call: Call): boolean {
  if (textOf(call, "direction")?.startsWith("outbound-api") !== true) return false;
  const known = links.find(textOf(call, "sid") ?? "");
  if (known !== null) return known.attemptId === attemptId;
  const createdMs = Date.parse(textOf(call, "date_created") ?? textOf(call, "start_time") ?? "");
  // A call without a date has not begun, so it is as recent as this attempt.
  if (Number.isNaN(createdMs)) return readStage(textOf(call, "status")) === "RINGING";
  const sinceMs = createdMs - dialledAt.getTime();
  return sinceMs >= -CLOCK_SLACK_MS && sinceMs <= LONGEST_DIAL_MS;
}

function toResult(call: Call, { attemptId }: AskedAttempt, links: CallLinks): LookUpResult {
  const providerCallId = textOf(call, "sid");
  const status = textOf(call, "status");
  const stage = readStage(status);
  if (providerCallId === null || status === null || stage === null) {
    return { kind: "UNCERTAIN", message: "Twilio told of the call in words that make no sense." };
  }
  links.link(providerCallId, attemptId);
  if (stage === "RINGING") return { kind: "RINGING", providerCallId };
  const answeredBy = textOf(call, "answered_by");
  if (stage === "ANSWERED") return { kind: "ANSWERED", providerCallId, answeredBy: readAnsweredBy(answeredBy) };
  const endedMs = Date.parse(textOf(call, "end_time") ?? textOf(call, "date_updated") ?? "");
  const event: CarrierEvent & { type: "ENDED" } = {
    type: "ENDED",
    eventKey: `${providerCallId}:looked-up`,
    attemptId,
    providerCallId,
    at: new Date(Number.isNaN(endedMs) ? nowMs() : endedMs).toISOString(),
    ...toEnd({ status, answeredBy, sipCode: null, isOurs: links.isOurs(providerCallId) }),
  };
  return { kind: "ENDED", event };
}
