import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { AnnouncedCall } from "./announcer.ts";
import { AudioCall } from "./audio-call.ts";
import type { AcceptedBehaviour } from "./behaviour.ts";
import { CallClock } from "./call-clock.ts";
import { SandboxDialogue, type DialogueEnd } from "./dialogue.ts";
import { callIdOf, type EndedEvent, toEndedEvent } from "./ended-event.ts";
import type { LedgerLine } from "./ledger.ts";
import { createPersona } from "./persona.ts";
import type { SandboxDial } from "./sandbox-dial.ts";
import { hashText } from "./seeded-chance.ts";

/** End of a call, as its ENDED event reports it. */
export type CallEnd = Pick<EndedEvent, "outcome" | "hungUpBy" | "sipCode" | "reason">;

/** Services of the exchange that a call uses. */
export interface CallHost {
  write(line: Omit<LedgerLine, "at">, at: string): void;
  announce(event: CarrierEvent, call: AnnouncedCall): void;
  settled(call: SandboxCall, event: EndedEvent, elapsedMs: number): void;
  now(): number;
}

const ENDINGS: Record<DialogueEnd, string> = {
  CUSTOMER: "The customer hung up.",
  AGENT: "The agent hung up.",
  CARRIER: "The media path broke.",
};

/**
 * One call at the exchange: RINGING, then ANSWERED, then ENDED, or ENDED at once. Every step is written to the ledger
 * and announced once.
 */
export class SandboxCall implements AnnouncedCall {
  readonly request: SandboxDial;
  readonly providerCallId: string;
  readonly everyEventTwice: boolean;
  readonly outOfOrder: boolean;
  /** Time of our side's last action on the call, in milliseconds of the exchange's clock. */
  touchedAtMs: number;
  /** Number of our side's actions on the call in progress. */
  busy = 0;
  readonly #behaviour: AcceptedBehaviour;
  readonly #host: CallHost;
  readonly #clock: CallClock;
  /** Runs beside the dialogue's own clock, for an end that comes whatever is said. */
  readonly #limit: CallClock;
  /** The persona that answered, and the behaviour of the call from then on. */
  #answer: { persona: Persona; behaviour: AcceptedBehaviour & { kind: "ANSWERS" } } | undefined;
  /** At most one of `#dialogue` and `#audio` is set. */
  #dialogue: SandboxDialogue | undefined;
  #audio: AudioCall | undefined;
  #ended = false;

  constructor(request: SandboxDial, behaviour: AcceptedBehaviour, host: CallHost) {
    this.request = request;
    this.providerCallId = callIdOf(request.attemptId);
    this.#behaviour = behaviour;
    this.#host = host;
    this.#clock = new CallClock(request.sandboxSpeed);
    this.#limit = new CallClock(request.sandboxSpeed);
    this.touchedAtMs = host.now();
    const fault = behaviour.kind === "ANSWERS" ? behaviour.fault : undefined;
    this.everyEventTwice = fault === "EVENTS_TWICE";
    this.outOfOrder = fault === "EVENTS_OUT_OF_ORDER";
  }

  get eventsUrl(): string {
    return this.request.eventsUrl;
  }

  get speed(): SandboxDial["sandboxSpeed"] {
    return this.request.sandboxSpeed;
  }

  /** True once the call was answered. */
  get isAnswered(): boolean {
    return this.#answer !== undefined;
  }

  /** Verdict on the answer for look-ups; undefined before the answer. */
  get answeredBy(): AnsweredBy | undefined {
    return this.#answer?.behaviour.answeredBy;
  }

  /** Milliseconds of call time since the answer. */
  elapsedMs(): number {
    return this.#dialogue?.elapsedMs() ?? this.#audio?.elapsedMs() ?? 0;
  }

  /** Opens the call as text; undefined when it is not answered, or its audio was opened. */
  openDialogue(): SandboxDialogue | undefined {
    if (!this.#answer || this.#audio) return undefined;
    const { persona, behaviour } = this.#answer;
    this.#dialogue ??= new SandboxDialogue(persona, this.#clock, behaviour.dropAtMs, (by) => this.#endDialogue(by));
    return this.#dialogue;
  }

  /** Opens the call as audio, once; null when it is not answered, does not run in real time, or is open as text. */
  openMedia(): MediaSource | null {
    if (!this.#answer || this.#dialogue || this.#audio || this.speed !== 1) return null;
    this.#audio = new AudioCall({
      ...this.#answer,
      onTouched: () => (this.touchedAtMs = this.#host.now()),
      onEnd: (by) => this.#endDialogue(by),
    });
    return this.#audio.source;
  }

  /** The audio, if it was opened. */
  get audio(): AudioCall | undefined {
    return this.#audio;
  }

  /** Rings, then continues to the answer or the failure. Never throws. */
  async run(): Promise<void> {
    if (this.#behaviour.kind === "NO_EVENTS" || this.#ended) return;
    this.#host.announce({ type: "RINGING", ...this.#stamp("RINGING", this.#at()) }, this);
    const limitMs = this.request.ringTimeoutSeconds * 1000;
    await this.#clock.pass(Math.min(this.#behaviour.ringMs, limitMs));
    if (this.#ended) return;
    if (this.#behaviour.ringMs > limitMs) {
      return this.end({ outcome: "NO_ANSWER", hungUpBy: "CARRIER", sipCode: 487, reason: "Nobody answered." });
    }
    if (this.#behaviour.kind === "FAILS") return this.end(this.#behaviour);
    this.#pickUp(this.#behaviour);
    if (this.#behaviour.endsAtMs === undefined) return;
    await this.#limit.pass(this.#behaviour.endsAtMs);
    this.finish("CUSTOMER");
  }

  /** Hangs up for the agent, before or after the answer. */
  hangUp(): void {
    if (this.isAnswered) this.finish("AGENT");
    else this.end({ outcome: "NO_ANSWER", hungUpBy: "AGENT", sipCode: 487, reason: "The agent gave up ringing." });
  }

  /** Ends an answered call; the first end counts. */
  finish(by: DialogueEnd): void {
    const open = this.#dialogue ?? this.#audio;
    if (open) open.finish(by);
    else this.#endDialogue(by);
  }

  /** Ends the call; the first end counts. */
  end(end: CallEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#clock.stop();
    this.#limit.stop();
    this.#audio?.finish(end.hungUpBy);
    const { outcome, hungUpBy, sipCode, reason } = end;
    const at = this.#at();
    const line = { ...this.line("END"), outcome, hungUpBy, sipCode, reason };
    const event = toEndedEvent({ ...line, at });
    this.#host.write(line, at);
    this.#host.settled(this, event, this.elapsedMs());
    if (this.#behaviour.kind !== "NO_EVENTS") this.#host.announce(event, this);
  }

  /** Returns a ledger line about this call, without its time. */
  line(event: LedgerLine["event"]): Omit<LedgerLine, "at"> {
    const { attemptId, from, to, attemptNumber } = this.request;
    return { attemptId, providerCallId: this.providerCallId, from, to, attemptNumber, event };
  }

  #pickUp(behaviour: AcceptedBehaviour & { kind: "ANSWERS" }): void {
    const { answeredBy } = behaviour;
    this.#answer = { persona: createPersona(behaviour, hashText(this.request.to)), behaviour };
    this.#clock.reset();
    this.touchedAtMs = this.#host.now();
    const at = this.#at();
    this.#host.write({ ...this.line("ANSWER"), answeredBy }, at);
    this.#host.announce({ type: "ANSWERED", answeredBy, ...this.#stamp("ANSWERED", at) }, this);
  }

  #endDialogue(by: DialogueEnd): void {
    const outcome = by === "CARRIER" ? "CARRIER_FAILURE" : (this.#answer?.persona.outcome() ?? "NO_ANSWER");
    this.end({ outcome, hungUpBy: by, sipCode: null, reason: ENDINGS[by] });
  }

  #stamp(type: string, at: string): Pick<CarrierEvent, "eventKey" | "attemptId" | "providerCallId" | "at"> {
    const { providerCallId } = this;
    return { eventKey: `${providerCallId}:${type}`, attemptId: this.request.attemptId, providerCallId, at };
  }

  #at(): string {
    return new Date(this.#host.now()).toISOString();
  }
}
