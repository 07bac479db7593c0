import { randomBytes } from "node:crypto";
import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type {
  AskedAttempt,
  Carrier,
  CarrierCapabilities,
  DialRequest,
  DialResult,
  LookUpResult,
} from "#src/telephony/carriers/carrier.ts";
import { createEndedLine } from "#src/telephony/carriers/ended-line.ts";
import { AnsweredCall } from "./answered-call.ts";
import type { CallMedia } from "./call-media.ts";
import { DialledCall, type OnCarrierEvent } from "./dialled-call.ts";
import type { Hop } from "./flow.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { UnreachableHost } from "./locate.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import type { SipCallRegistry } from "./sip-call-registry.ts";
import { PATIENCE_MS } from "./timing.ts";
import { type CallParts, dialLegTo, prepareCall } from "./transfer-leg.ts";
import { dialTarget, transferByReferral } from "./transfer.ts";

/**
 * SIP has no idempotency key for an INVITE and no look-up afterwards: only the process that sent a dial knows its
 * result. There the result is certain once timer B has passed, 32 s after the INVITE, because then nothing more is sent
 * and no answer counts. After a crash nothing is known, and the attempt stays unconfirmed.
 */
const CAPABILITIES: CarrierCapabilities = {
  dedupe: null,
  looksUpBy: "ATTEMPT_ID",
  absenceIsProof: false,
  horizonMs: PATIENCE_MS + 3_000,
};
/** Trunks answer within a second; a phone rings after a few. */
const DIAL_ANSWER_MS = 8_000;

/** Dependencies of a carrier for one number. */
export interface SipCarrierParts extends CallParts {
  notify: OnCarrierEvent;
  /** Registry of the whole process. */
  registry: SipCallRegistry;
}

/** Calls over the trunk of one number. */
export class SipCarrier implements Carrier {
  readonly name = "sip";
  readonly capabilities = CAPABILITIES;
  readonly #parts: SipCarrierParts;

  constructor(parts: SipCarrierParts) {
    this.#parts = parts;
  }

  async dial(request: DialRequest, signal: AbortSignal): Promise<DialResult> {
    if (signal.aborted) return refused("ABORTED", toError(signal.reason).message);
    // The same attempt is never sent twice, whoever calls.
    const known = this.#parts.registry.ofAttempt(request.attemptId);
    if (known) return known.soFar;
    const { trunk } = this.#parts;
    const unready = await trunk.whenReady();
    if (unready) {
      const code = unready.isRefused ? "SIP_NOT_REGISTERED" : "SIP_UNREACHED";
      return { ...refused(code, unready.message), ...(unready.isRefused ? { blame: "NUMBER" } : {}) };
    }
    let prepared: { hops: Hop[]; media: CallMedia };
    try {
      prepared = await prepareCall(this.#parts);
    } catch (error) {
      return readPreparation(error);
    }
    const { hops, media } = prepared;
    if (signal.aborted || this.#parts.registry.ofAttempt(request.attemptId)) {
      media.close();
      return (
        this.#parts.registry.ofAttempt(request.attemptId)?.soFar ?? refused("ABORTED", toError(signal.reason).message)
      );
    }
    return this.#await(this.#call(request, hops, media), signal);
  }

  async lookUp({ attemptId }: AskedAttempt): Promise<LookUpResult> {
    const call = this.#parts.registry.ofAttempt(attemptId);
    if (call) return call.describe();
    const message = "The process that dialled this call over SIP is gone, and a trunk cannot be asked about its calls.";
    return { kind: "UNCERTAIN", message };
  }

  async hangUp(providerCallId: string): Promise<void> {
    this.#parts.registry.ofCall(providerCallId)?.hangUp("Parley hung up.");
  }

  openLine(providerCallId: string): Line {
    // Called when there is no audio any more: the call ended before it was opened.
    const known = this.#parts.registry.ofCall(providerCallId)?.describe();
    return createEndedLine(known?.kind === "ENDED" && known.event.hungUpBy !== "CARRIER");
  }

  openMedia(providerCallId: string): MediaSource | null {
    return this.#parts.registry.ofCall(providerCallId)?.takeMedia() ?? null;
  }

  async transfer(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<TransferResult> {
    const session = this.#parts.registry.ofCall(providerCallId)?.session;
    return session ? transferByReferral(session, this.#parts.trunk, order, signal) : { kind: "HUNG_UP" };
  }

  async dialLeg(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg> {
    const target = dialTarget(this.#parts.trunk, order);
    if (target === null) return { kind: "FAILED", reason: "UNREACHABLE", message: "The target is no address for SIP." };
    const person = this.#parts.registry.ofCall(providerCallId)?.person ?? "";
    return dialLegTo(this.#parts, { uri: target, order, person }, signal);
  }

  /** Answers an inbound call as the attempt with this id. Rejects with an Error for people. */
  answer(call: IncomingCall, attemptId: string): Promise<void> {
    const answered = new AnsweredCall(attemptId, call, this.#parts.notify);
    this.#parts.registry.add(answered);
    return answered.answer();
  }

  #call(request: DialRequest, hops: Hop[], media: CallMedia): DialledCall {
    const { agent, locator, trunk, notify } = this.#parts;
    const providerCallId = randomBytes(16).toString("hex");
    const call = new DialledCall({ attemptId: request.attemptId, providerCallId, person: request.to }, media, notify);
    this.#parts.registry.add(call);
    const outgoing = new OutgoingCall({
      agent,
      locator,
      media,
      credentials: trunk.credentials,
      hops,
      callId: providerCallId,
      uri: trunk.addressOf(request.to),
      from: `<sip:${request.from}@${trunk.domain}>`,
      user: request.from,
      headers: [
        ["P-Asserted-Identity", `<sip:${request.from}@${trunk.domain}>`],
        ["X-Parley-Attempt", request.attemptId],
      ],
      ringTimeoutMs: request.ringTimeoutSeconds * 1_000,
      assertMayLeave: request.assertMayLeave,
      events: {
        onTrying: () => {
          trunk.noteAlive();
          call.hearTrying();
        },
        onRinging: () => call.hearRinging(),
        onAnswered: (session) => call.hearAnswer(session),
        onFailed: (failure) => {
          if (failure.response) trunk.noteAlive();
          call.hearFailure(failure);
        },
        onEnded: (end) => call.hearEnd(end),
        onDeadHop: (hop) => trunk.noteDead(hop, `${hop.host} (${hop.address}:${hop.port}) does not answer.`),
      },
    });
    call.dial(outgoing);
    return call;
  }

  /** Waits for the result of a dial. A dial cannot be undone: after an abort the look-up settles the call. */
  async #await(call: DialledCall, signal: AbortSignal): Promise<DialResult> {
    const { promise: stopped, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), DIAL_ANSWER_MS);
    const abort = (): void => resolve(null);
    signal.addEventListener("abort", abort, { once: true });
    const result = await Promise.race([call.accepted, stopped]);
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    return result ?? call.soFar;
  }
}

function refused(code: string, message: string): DialResult & { kind: "REFUSED" } {
  return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code, message, retryAfterMs: 5_000 };
}

function readPreparation(error: unknown): DialResult {
  const { message } = toError(error);
  if (!(error instanceof UnreachableHost)) return refused("SIP_NO_AUDIO_PORT", message);
  const blame = error.code === "BLOCKED" ? ({ blame: "NUMBER" } as const) : {};
  return { ...refused(`SIP_${error.code}`, message), ...blame };
}
