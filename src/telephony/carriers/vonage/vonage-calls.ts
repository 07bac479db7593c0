import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** What this node knows of a call it dialled or took. */
export interface KnownCall {
  attemptId: string;
  /** Null: the dial's answer and the first event are still to come. */
  providerCallId: string | null;
  /** E.164, our number of the call. */
  ours: string;
  /** E.164 of the person; empty when it is withheld. */
  theirs: string;
  /** Ended by our order. */
  isHungUp: boolean;
  /** Waits for the call's id. */
  onLinked: ((providerCallId: string) => void) | null;
}

/** What became of ringing the target of a transfer. */
export type LegEvent =
  | { kind: "ANSWERED" }
  | { kind: "ENDED"; reason: "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE"; message: string };

/** Calls whose end was never reported stay, so the oldest of so many are let go. */
const MOST_CALLS = 20_000;

/** The calls of this node, by both ids: Vonage knows its own alone, and the socket of the audio knows ours alone. */
export class VonageCalls {
  readonly #byAttempt = new Map<string, KnownCall>();
  readonly #byCall = new Map<string, KnownCall>();
  readonly #legs = new Map<string, (events: LegEvent) => void>();

  /** A call that is about to be dialled or taken. */
  add(attemptId: string, ours: string, theirs: string): void {
    const [oldest] = this.#byAttempt.keys();
    if (this.#byAttempt.size >= MOST_CALLS && oldest !== undefined) this.forget(oldest);
    const call = { attemptId, providerCallId: null, ours, theirs, isHungUp: false, onLinked: null };
    this.#byAttempt.set(attemptId, call);
  }

  /** Vonage's id of a call became known; the first one counts. */
  link(attemptId: string, providerCallId: string): void {
    const call = this.#byAttempt.get(attemptId);
    if (!call || call.providerCallId !== null) return;
    call.providerCallId = providerCallId;
    this.#byCall.set(providerCallId, call);
    call.onLinked?.(providerCallId);
    call.onLinked = null;
  }

  /** Calls back with the call's id, now or when it is known. */
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

  /** The call is over. */
  forget(attemptId: string): void {
    const call = this.#byAttempt.get(attemptId);
    this.#byAttempt.delete(attemptId);
    if (call?.providerCallId) this.#byCall.delete(call.providerCallId);
  }

  /** Waits for news of a leg until the function that it gives is called. */
  watchLeg(legId: string, onEvent: (events: LegEvent) => void): () => void {
    this.#legs.set(legId, onEvent);
    return () => this.#legs.delete(legId);
  }

  /** News of a leg; nobody may wait for them. */
  notifyLeg(legId: string, events: LegEvent): void {
    this.#legs.get(legId)?.(events);
  }
}

const CALLS = new WeakMap<AccountMedia, VonageCalls>();

/** The calls of an account on this node: it may be opened anew while its calls go on, their audio stays where it is. */
export function callsOf(media: AccountMedia): VonageCalls {
  const calls = CALLS.get(media) ?? new VonageCalls();
  CALLS.set(media, calls);
  return calls;
}
