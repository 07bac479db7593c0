import type { Line, TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";
import { webhookUrl } from "#src/telephony/carriers/account.ts";
import type {
  AskedAttempt,
  Carrier,
  CarrierCapabilities,
  DialRequest,
  DialResult,
  LookUpResult,
} from "#src/telephony/carriers/carrier.ts";
import { createEndedLine } from "#src/telephony/carriers/ended-line.ts";
import { toVonageNumber } from "./vonage-api.ts";
import { BAD_PRIVATE_KEY, readDialReply, readFault } from "./vonage-errors.ts";
import { readCallEvent } from "./vonage-events.ts";
import { dialLeg } from "./vonage-leg.ts";
import { type CallRecord, findCall } from "./vonage-look-up.ts";
import { connectSocket } from "./vonage-ncco.ts";
import type { VonageParts } from "./vonage-parts.ts";
import { VonageMediaSocket } from "./vonage-socket.ts";

/**
 * Vonage has no idempotency key for a dial, so a second dial rings a second time. Its list of calls can be filtered by
 * time and compared by both numbers. The delay until a call is listed is not documented, so absence proves nothing; two
 * minutes are far more than a lost answer takes.
 */
export const VONAGE_CAPABILITIES: CarrierCapabilities = {
  dedupe: null,
  looksUpBy: "NUMBERS_AND_TIME",
  absenceIsProof: false,
  horizonMs: 120_000,
};

const HANG_UP_MS = 10_000;
const LONGEST_RING_SECONDS = 120;
const LONGEST_CALL_SECONDS = 7_200;

/** Calls over Vonage; an answered call is connected to a WebSocket for its audio. */
export class VonageCarrier implements Carrier {
  readonly name = "VONAGE";
  readonly capabilities = VONAGE_CAPABILITIES;
  readonly #parts: VonageParts;

  constructor(parts: VonageParts) {
    this.#parts = parts;
  }

  async dial(request: DialRequest, signal: AbortSignal): Promise<DialResult> {
    const { api, calls } = this.#parts;
    if (!api.privateKey) return refuseKey();
    const { attemptId, from, to } = request;
    calls.add(attemptId, from, to);
    const body = createDialBody(request, this.#eventsUrl(attemptId), this.#expectAudio(attemptId));
    const order = { method: "POST", host: "api", path: "/v1/calls", proof: "APPLICATION", body } as const;
    const result = readDialReply(await api.call({ ...order, beforeSend: request.assertMayLeave }, signal));
    if (result.kind === "ACCEPTED") calls.link(attemptId, result.providerCallId);
    if (result.kind === "REFUSED") this.#drop(attemptId);
    if (result.kind === "UNCERTAIN") this.#dropUnlessFound(attemptId);
    return result;
  }

  async lookUp(attempt: AskedAttempt, signal: AbortSignal): Promise<LookUpResult> {
    const { api, calls } = this.#parts;
    const found = await findCall(api, attempt, signal);
    if (found.kind !== "FOUND") return found;
    const { attemptId, from, to } = attempt;
    const reported = this.#toLookUp(attemptId, found.call);
    if (reported.kind === "ENDED") return reported;
    if (!calls.byAttempt(attemptId)) {
      // It was dialled before this process began: its socket may still come.
      calls.add(attemptId, from, to);
      this.#expectAudio(attemptId);
    }
    calls.link(attemptId, found.call.callId);
    return reported;
  }

  async hangUp(providerCallId: string): Promise<void> {
    const { api, calls, log } = this.#parts;
    const known = calls.byCall(providerCallId);
    if (known) known.isHungUp = true;
    const path = `/v1/calls/${encodeURIComponent(providerCallId)}`;
    const order = { method: "PUT", host: "api", path, proof: "APPLICATION", body: { action: "hangup" } } as const;
    const reply = await api.call(order, AbortSignal.timeout(HANG_UP_MS));
    if (reply.kind === "ANSWER" && (reply.status < 300 || reply.status === 404)) return;
    // Vonage ends a call that has lost its socket, because the call has no other action.
    if (known) this.#parts.media.close(known.attemptId);
    log.warn("Vonage did not take the order to hang up.", { providerCallId, code: readFault(reply)?.code ?? "FAILED" });
  }

  openLine(providerCallId: string): Line {
    // Called when there is no audio any more: the call ended before it was opened, or its audio was lost.
    const { calls, media } = this.#parts;
    const call = calls.byCall(providerCallId);
    const hasHungUp = call !== undefined && (call.isHungUp || media.hasHungUp(call.attemptId));
    return createEndedLine(hasHungUp || calls.ended.has(providerCallId));
  }

  openMedia(providerCallId: string): MediaSource | null {
    const call = this.#parts.calls.byCall(providerCallId);
    return call ? this.#parts.media.sourceOf(call.attemptId) : null;
  }

  dialLeg(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg> {
    return dialLeg(this.#parts, providerCallId, order, signal);
  }

  #eventsUrl(attemptId: string): string {
    const { publicUrl, accountId } = this.#parts;
    return webhookUrl(publicUrl, this.name, accountId, `calls/${attemptId}`);
  }

  /** Expects the audio; the socket opens when the call is answered, which may be before the event, or without it. */
  #expectAudio(attemptId: string): string {
    const { media, calls, deliver, now } = this.#parts;
    return media.expect(
      attemptId,
      () => new VonageMediaSocket(),
      () => {
        calls.whenLinked(attemptId, (providerCallId) => {
          const shared = { eventKey: `socket-${attemptId}`, attemptId, providerCallId };
          const at = new Date(now()).toISOString();
          deliver({ ...shared, at, type: "ANSWERED", answeredBy: "UNCERTAIN" });
        });
      },
    );
  }

  #drop(attemptId: string): void {
    this.#parts.media.close(attemptId);
    this.#parts.calls.forget(attemptId);
  }

  /** Drops a call not found within the horizon, because no look-up follows it. */
  #dropUnlessFound(attemptId: string): void {
    setTimeout(() => {
      if (this.#parts.calls.byAttempt(attemptId)?.providerCallId === null) this.#drop(attemptId);
    }, VONAGE_CAPABILITIES.horizonMs).unref();
  }

  /** Returns the result of a look-up that found a call, and drops the call if it is over. */
  #toLookUp(attemptId: string, call: CallRecord): LookUpResult {
    const { calls, now } = this.#parts;
    const { callId, json } = call;
    const isHungUp = calls.byAttempt(attemptId)?.isHungUp ?? false;
    const base = { eventKey: `look-up-${callId}`, attemptId, providerCallId: callId };
    const event = readCallEvent(json, { ...base, now: new Date(now()).toISOString(), isHungUp });
    if (event?.type === "ENDED") {
      this.#drop(attemptId);
      calls.ended.add(callId);
      return { kind: "ENDED", event };
    }
    if (event?.type === "ANSWERED") {
      return { kind: "ANSWERED", providerCallId: callId, answeredBy: event.answeredBy };
    }
    return { kind: "RINGING", providerCallId: callId };
  }
}

function refuseKey(): DialResult {
  const refused = { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", blame: "ACCOUNT" } as const;
  return { ...refused, code: "BAD_PRIVATE_KEY", message: BAD_PRIVATE_KEY };
}

/** Returns the body of a dial. Machine detection runs while the call continues, and reports its verdict. */
function createDialBody(request: DialRequest, eventsUrl: string, socketUrl: string): object {
  const { attemptId, from, to, ringTimeoutSeconds } = request;
  return {
    to: [{ type: "phone", number: toVonageNumber(to) }],
    from: { type: "phone", number: toVonageNumber(from) },
    ncco: [connectSocket({ socketUrl, from, eventsUrl: `${eventsUrl}/media`, headers: { attemptId } })],
    event_url: [eventsUrl],
    event_method: "POST",
    machine_detection: "continue",
    ringing_timer: Math.min(LONGEST_RING_SECONDS, Math.max(1, Math.round(ringTimeoutSeconds))),
    length_timer: LONGEST_CALL_SECONDS,
  };
}
