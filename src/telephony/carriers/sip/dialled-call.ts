import type { MediaSource } from "#src/audio/line/media-source.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { CallOutcome, CarrierEvent, DialResult, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import type { CallMedia } from "./call-media.ts";
import type { CallSession, SessionEnd } from "./call-session.ts";
import type { CallFailure, OutgoingCall } from "./outgoing-call.ts";
import { readOutcome } from "./response-outcomes.ts";

/** Message while no response has come: the trunk may or may not have the call. */
const UNHEARD = "The trunk has not answered the INVITE yet.";
/** Time after our hang-up at which the audio is closed, in case the conversation has not closed it. */
const TAKE_DOWN_MS = 5_000;

/** Delivers an event of a call; may be called any number of times. */
export type OnCarrierEvent = (event: CarrierEvent) => void;

/** One dialled call as the rest of Parley follows it: its state and the events that it emits. */
export class DialledCall {
  readonly attemptId: string;
  readonly providerCallId: string;
  /** E.164 of the dialled person. */
  readonly person: string;
  readonly #media: CallMedia;
  readonly #notify: OnCarrierEvent;
  readonly #accepted = Promise.withResolvers<DialResult>();
  #outgoing: OutgoingCall | null = null;
  #session: CallSession | null = null;
  #state: "DIALLED" | "RINGING" | "ANSWERED" = "DIALLED";
  #ended: (CarrierEvent & { type: "ENDED" }) | null = null;
  #wasHeard = false;
  /** True once the dial has its answer; later changes are emitted as events. */
  #isAnswered = false;
  #hungUp = false;
  #endedAtMs = Number.POSITIVE_INFINITY;

  constructor(
    ids: { attemptId: string; providerCallId: string; person: string },
    media: CallMedia,
    notify: OnCarrierEvent,
  ) {
    this.attemptId = ids.attemptId;
    this.providerCallId = ids.providerCallId;
    this.person = ids.person;
    this.#media = media;
    this.#notify = notify;
  }

  /** Time of the end, in milliseconds since the epoch; infinite while the call lives. */
  get endedAtMs(): number {
    return this.#endedAtMs;
  }

  get session(): CallSession | null {
    return this.#session;
  }

  /** Resolves once the trunk has the call, or has refused it. */
  get accepted(): Promise<DialResult> {
    return this.#accepted.promise;
  }

  /** Result for a dial that is no longer awaited. */
  get soFar(): DialResult {
    if (this.#wasHeard || this.#state !== "DIALLED" || this.#ended) return this.#accept();
    this.#isAnswered = true;
    return { kind: "UNCERTAIN", code: "NO_ANSWER_YET", message: UNHEARD };
  }

  /** Sets and starts the outgoing call. */
  dial(outgoing: OutgoingCall): void {
    this.#outgoing = outgoing;
    outgoing.start();
  }

  hearTrying(): void {
    this.#wasHeard = true;
  }

  hearRinging(): void {
    this.#accepted.resolve(this.#accept());
    if (this.#state !== "DIALLED" || this.#ended) return;
    this.#state = "RINGING";
    this.#notify({ ...this.#base("RINGING"), type: "RINGING" });
  }

  hearAnswer(session: CallSession): void {
    this.#session = session;
    this.#state = "ANSWERED";
    this.#accepted.resolve(this.#accept());
    this.#notify({ ...this.#base("ANSWERED"), type: "ANSWERED", answeredBy: "UNCERTAIN" });
  }

  /** Handles a call that nobody answered: the answer to the dial before it was accepted, an event afterwards. */
  hearFailure(failure: CallFailure): void {
    const result = this.#readFailure(failure);
    this.#media.close();
    if (!this.#isAnswered && !failure.mayHaveRung) {
      this.#endedAtMs = Date.now();
      this.#ended = this.#createEnd(result.outcome, "CARRIER", failure.response?.status ?? null, result.message);
      this.#accepted.resolve(result);
      return;
    }
    const isRefused = !this.#isAnswered && failure.kind === "REFUSED" && this.#state === "DIALLED";
    this.#end(
      result.outcome,
      this.#hungUp ? "AGENT" : "CARRIER",
      failure.response?.status ?? null,
      result.message,
      !isRefused,
    );
    this.#accepted.resolve(isRefused ? result : this.#accept());
  }

  /** Handles the end of an answered call. */
  hearEnd({ by, reason }: SessionEnd): void {
    const isOurs = by === "AGENT";
    // After our hang-up the conversation closes the audio; after a far end's it is closed here, which ends the
    // conversation.
    if (isOurs) setTimeout(() => this.#media.close(), TAKE_DOWN_MS).unref();
    else this.#media.close();
    this.#end("ANSWERED", by, 200, reason, true);
  }

  /** Returns the audio of the answered call, once. */
  takeMedia(): MediaSource | null {
    return this.#session ? this.#media.take() : null;
  }

  /** Idempotent. */
  hangUp(reason: string): void {
    this.#hungUp = true;
    if (this.#session) this.#session.hangUp(reason);
    else this.#outgoing?.cancel(reason);
  }

  /** Returns the call's state for a look-up. */
  describe(): LookUpResult {
    const { providerCallId } = this;
    if (this.#ended) return { kind: "ENDED", event: this.#ended };
    if (this.#state === "ANSWERED") return { kind: "ANSWERED", providerCallId, answeredBy: "UNCERTAIN" };
    if (this.#state === "RINGING" || this.#wasHeard) return { kind: "RINGING", providerCallId };
    return { kind: "UNCERTAIN", message: UNHEARD };
  }

  #accept(): DialResult {
    this.#isAnswered = true;
    return { kind: "ACCEPTED", providerCallId: this.providerCallId };
  }

  #readFailure({ kind, response, message }: CallFailure): DialResult & { kind: "REFUSED" } {
    const refused = { kind: "REFUSED" as const, then: "TERMINAL" as const, code: `SIP_${kind}`, message };
    if (kind === "UNREACHED") return { ...refused, then: "REQUEUE", outcome: "UNREACHABLE", retryAfterMs: 5_000 };
    if (kind === "SILENT") return { ...refused, outcome: "UNREACHABLE" };
    if (kind === "CANCELLED") return { ...refused, outcome: this.#wasHeard ? "NO_ANSWER" : "UNREACHABLE" };
    if (kind !== "REFUSED" || !response || response.status < 400) return { ...refused, outcome: "CARRIER_FAILURE" };
    const {
      outcome,
      then,
      blame,
      retryAfterMs,
      code,
      message: reported,
    } = readOutcome(response, {
      rang: this.#state === "RINGING",
      cancelled: false,
    });
    const isLater = then === "REQUEUE" ? { retryAfterMs: retryAfterMs ?? 5_000 } : {};
    return { kind: "REFUSED", then, outcome, code, message: reported, ...(blame ? { blame } : {}), ...isLater };
  }

  #end(
    outcome: CallOutcome,
    hungUpBy: SessionEnd["by"],
    sipCode: number | null,
    reason: string,
    reports: boolean,
  ): void {
    if (this.#ended) return;
    this.#endedAtMs = Date.now();
    const event = this.#createEnd(outcome, hungUpBy, sipCode, reason);
    this.#ended = event;
    if (reports) this.#notify(event);
  }

  #createEnd(
    outcome: CallOutcome,
    hungUpBy: SessionEnd["by"],
    sipCode: number | null,
    reason: string,
  ): CarrierEvent & { type: "ENDED" } {
    return { ...this.#base("ENDED"), type: "ENDED", outcome, hungUpBy, sipCode, reason };
  }

  #base(type: string) {
    const { attemptId, providerCallId } = this;
    return { eventKey: `${providerCallId}:${type}`, attemptId, providerCallId, at: now().toISOString() };
  }
}
