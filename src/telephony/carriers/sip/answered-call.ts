import type { MediaSource } from "#src/audio/line/media-source.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { CarrierEvent, DialResult, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import type { CallSession, SessionEnd } from "./call-session.ts";
import type { OnCarrierEvent } from "./dialled-call.ts";
import type { IncomingCall } from "./incoming-call.ts";

/** An inbound call that was answered, as the rest of Parley follows it. */
export class AnsweredCall {
  readonly attemptId: string;
  readonly providerCallId: string;
  readonly #call: IncomingCall;
  readonly #notify: OnCarrierEvent;
  #source: MediaSource | null = null;
  #ended: (CarrierEvent & { type: "ENDED" }) | null = null;
  #endedAtMs = Number.POSITIVE_INFINITY;

  constructor(attemptId: string, call: IncomingCall, notify: OnCarrierEvent) {
    this.attemptId = attemptId;
    this.providerCallId = call.providerCallId;
    this.#call = call;
    this.#notify = notify;
  }

  /** Time of the end, in milliseconds since the epoch; infinite while the call lives. */
  get endedAtMs(): number {
    return this.#endedAtMs;
  }

  /** The caller's number, as the trunk gives it; empty when it is withheld. */
  get person(): string {
    return this.#call.from;
  }

  get session(): CallSession | null {
    return this.#call.session;
  }

  /** Always ACCEPTED, because the call was never dialled. */
  get soFar(): DialResult {
    return { kind: "ACCEPTED", providerCallId: this.providerCallId };
  }

  /** Answers the caller. Rejects with an Error for people, after its ENDED event. */
  async answer(): Promise<void> {
    try {
      this.#source = await this.#call.answer((end) => this.#end("ANSWERED", end));
      this.#notify({ ...this.#base("ANSWERED"), type: "ANSWERED", answeredBy: "HUMAN" });
    } catch (error) {
      this.#end("CARRIER_FAILURE", { by: "CARRIER", reason: (error as Error).message });
      throw error;
    }
  }

  /** Returns the call's audio, once. */
  takeMedia(): MediaSource | null {
    const source = this.#source;
    this.#source = null;
    return source;
  }

  hangUp(reason: string): void {
    this.#call.hangUp(reason);
  }

  /** Returns the call's state for a look-up. */
  describe(): LookUpResult {
    if (this.#ended) return { kind: "ENDED", event: this.#ended };
    return { kind: "ANSWERED", providerCallId: this.providerCallId, answeredBy: "HUMAN" };
  }

  #end(outcome: "ANSWERED" | "CARRIER_FAILURE", { by, reason }: SessionEnd): void {
    if (this.#ended) return;
    this.#endedAtMs = Date.now();
    const event = { ...this.#base("ENDED"), type: "ENDED" as const, outcome, hungUpBy: by, sipCode: null, reason };
    this.#ended = event;
    this.#notify(event);
  }

  #base(type: string) {
    const { attemptId, providerCallId } = this;
    return { eventKey: `${providerCallId}:${type}`, attemptId, providerCallId, at: now().toISOString() };
  }
}
