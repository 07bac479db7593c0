import { webhookUrl } from "#src/carriers/account.ts";
import type {
  AskedAttempt,
  Carrier,
  CarrierCapabilities,
  DialRequest,
  DialResult,
  LookUpResult,
} from "#src/carriers/carrier.ts";
import type { Line, TransferOrder } from "#src/media/line.ts";
import type { DialledLeg, MediaSource } from "#src/media/media-source.ts";
import { VonageMediaSocket } from "#src/media/vonage-socket.ts";
import { toVonageNumber } from "./vonage-api.ts";
import { BAD_PRIVATE_KEY, readDialReply, readFault } from "./vonage-errors.ts";
import { readCallEvent } from "./vonage-events.ts";
import { dialLeg } from "./vonage-leg.ts";
import { type CallRecord, findCall } from "./vonage-look-up.ts";
import { connectSocket } from "./vonage-ncco.ts";
import type { VonageParts } from "./vonage-parts.ts";

/**
 * Vonage takes no key of ours with a dial, so a second dial rings a second time. Its list of calls can be asked by time
 * and read by both numbers. Nothing says how soon a call stands in the list, so that it is absent proves nothing; two
 * minutes are far more than an answer that was lost takes.
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

/** Calls over Vonage, whose audio comes over a WebSocket that the call is connected to when it is answered. */
export class VonageCarrier implements Carrier {
  readonly name = "VONAGE";
  readonly capabilities = VONAGE_CAPABILITIES;
  readonly #parts: VonageParts;

  constructor(parts: VonageParts) {
    this.#parts = parts;
  }

  async dial(request: DialRequest, signal: AbortSignal): Promise<DialResult> {
    const { api, calls, media } = this.#parts;
    if (!api.privateKey) return refuseKey();
    const { attemptId, from, to } = request;
    calls.add(attemptId, from, to);
    const body = createDialBody(request, this.#eventsUrl(attemptId), this.#expectAudio(attemptId));
    const order = { method: "POST", host: "api", path: "/v1/calls", proof: "APPLICATION", body } as const;
    const result = readDialReply(await api.call(order, signal));
    if (result.kind === "ACCEPTED") calls.link(attemptId, result.providerCallId);
    if (result.kind === "REFUSED") {
      media.close(attemptId);
      calls.forget(attemptId);
    }
    return result;
  }

  async lookUp(attempt: AskedAttempt, signal: AbortSignal): Promise<LookUpResult> {
    const { api, calls } = this.#parts;
    const found = await findCall(api, attempt, signal);
    if (found.kind !== "FOUND") return found;
    const { attemptId, from, to } = attempt;
    if (!calls.byAttempt(attemptId)) calls.add(attemptId, from, to);
    calls.link(attemptId, found.call.callId);
    const told = this.#tell(attemptId, found.call);
    // It may have been dialled by a process that is gone: whoever goes on with it waits for its audio.
    if (told.kind === "RINGING") this.#expectAudio(attemptId);
    return told;
  }

  async hangUp(providerCallId: string): Promise<void> {
    const { api, calls, log } = this.#parts;
    const known = calls.byCall(providerCallId);
    if (known) known.isHungUp = true;
    const path = `/v1/calls/${encodeURIComponent(providerCallId)}`;
    const order = { method: "PUT", host: "api", path, proof: "APPLICATION", body: { action: "hangup" } } as const;
    const reply = await api.call(order, AbortSignal.timeout(HANG_UP_MS));
    if (reply.kind === "ANSWER" && (reply.status < 300 || reply.status === 404)) return;
    // Without its socket a call has nothing more to do at Vonage, which ends it.
    if (known) this.#parts.media.close(known.attemptId);
    log.warn("Vonage did not take the order to hang up.", { providerCallId, code: readFault(reply)?.code ?? "FAILED" });
  }

  openLine(): Line {
    throw new Error("The calls of Vonage are spoken to over their audio.");
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

  /** The socket comes when somebody has answered, which may be known before the event tells, or without it. */
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

  #tell(attemptId: string, call: CallRecord): LookUpResult {
    const { calls, media, now } = this.#parts;
    const { callId, json } = call;
    const isHungUp = calls.byAttempt(attemptId)?.isHungUp ?? false;
    const base = { eventKey: `look-up-${callId}`, attemptId, providerCallId: callId };
    const event = readCallEvent(json, { ...base, now: new Date(now()).toISOString(), isHungUp });
    if (event?.type === "ENDED") {
      media.close(attemptId);
      calls.forget(attemptId);
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

/** The order to dial. Machine detection goes on with the call and reports what it finds. */
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
