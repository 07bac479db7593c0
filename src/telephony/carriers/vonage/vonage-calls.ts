import { EndedCalls } from "#src/telephony/carriers/ended-calls.ts";
import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** A call that this node dialled or accepted. */
export interface KnownCall {
  attemptId: string;
  /** Null: the dial's answer and the first event are still to come. */
  providerCallId: string | null;
  /** E.164, our number of the call. */
  ours: string;
  /** E.164 of the person; empty when it is withheld. */
  theirs: string;
  /** True when we ordered its end. */
  isHungUp: boolean;
  /** Called once the call's id is known. */
  onLinked: ((providerCallId: string) => void) | null;
}

/** Result of ringing the target of a transfer. */
export type LegEvent =
  | { kind: "ANSWERED" }
  | { kind: "ENDED"; reason: "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE"; message: string };

/** Most calls kept. Calls without a reported end stay, so the oldest are dropped. */
const MOST_CALLS = 20_000;

/** The calls of this node, by both ids: Vonage knows only its own, and the audio socket only ours. */
export class VonageCalls {
  readonly ended = new EndedCalls();
  readonly #byAttempt = new Map<string, KnownCall>();
  readonly #byCall = new Map<string, KnownCall>();
  readonly #legs = new Map<string, (event: LegEvent) => void>();

  /** Adds a call that is about to be dialled or accepted. */
  add(attemptId: string, ours: string, theirs: string): void {
    const [oldest] = this.#byAttempt.keys();
    if (this.#byAttempt.size >= MOST_CALLS && oldest !== undefined) this.forget(oldest);
    const call = { attemptId, providerCallId: null, ours, theirs, isHungUp: false, onLinked: null };
    this.#byAttempt.set(attemptId, call);
  }

  /** Links Vonage's id to an attempt; the first one counts. */
  link(attemptId: string, providerCallId: string): void {
    const call = this.#byAttempt.get(attemptId);
    if (!call || call.providerCallId !== null) return;
    call.providerCallId = providerCallId;
    this.#byCall.set(providerCallId, call);
    call.onLinked?.(providerCallId);
    call.onLinked = null;
  }

  /** Calls back with the call's id, now or once it is known. */
  whenLinked(attemptId: string, onLinked: (providerCallId: string) => void): void {
    const call = this.#byAttempt.get(attemptId);
    if (!call) return;
    if (call.providerCallId === null) call.onLinked = onLinked;
    else onLinked(call.providerCallId);
  }

  byAttempt(attemptId: string): KnownCall | undefined {
    return this.#byAttempt.get(attemptId);
  }

  byCall(providerCallId: string): KnownCall | undefined {
    return this.#byCall.get(providerCallId);
  }

  /** Removes a call that is over. */
  forget(attemptId: string): void {
    const call = this.#byAttempt.get(attemptId);
    this.#byAttempt.delete(attemptId);
    if (call?.providerCallId) this.#byCall.delete(call.providerCallId);
  }

  /** Registers a callback for the events of a leg; returns a function that removes it. */
  watchLeg(legId: string, onEvent: (event: LegEvent) => void): () => void {
    this.#legs.set(legId, onEvent);
    return () => this.#legs.delete(legId);
  }

  /** Delivers an event of a leg, if a callback is registered. */
  notifyLeg(legId: string, event: LegEvent): void {
    this.#legs.get(legId)?.(event);
  }
}

const CALLS = new WeakMap<AccountMedia, VonageCalls>();

/**
 * Returns the calls of an account on this node. They outlive the opened account: their audio stays where it is when the
 * account is opened again.
 */
export function callsOf(media: AccountMedia): VonageCalls {
  const calls = CALLS.get(media) ?? new VonageCalls();
  CALLS.set(media, calls);
  return calls;
}
