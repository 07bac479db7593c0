import type { AnsweredCall } from "./answered-call.ts";
import type { DialledCall } from "./dialled-call.ts";

/** Milliseconds for which an ended call can still be looked up. */
const REMEMBERED_MS = 180_000;

/** A call as the rest of Parley follows it. */
export type FollowedCall = DialledCall | AnsweredCall;

/** SIP calls of this process, by their own id and by their attempt's. A trunk whose settings change keeps its calls. */
export class SipCallRegistry {
  readonly #byAttempt = new Map<string, FollowedCall>();
  readonly #byCall = new Map<string, FollowedCall>();

  ofAttempt(attemptId: string): FollowedCall | undefined {
    return this.#byAttempt.get(attemptId);
  }

  ofCall(providerCallId: string): FollowedCall | undefined {
    return this.#byCall.get(providerCallId);
  }

  /** Calls that have not ended. */
  get live(): FollowedCall[] {
    return [...this.#byCall.values()].filter((call) => call.endedAtMs === Number.POSITIVE_INFINITY);
  }

  add(call: FollowedCall): void {
    const old = Date.now() - REMEMBERED_MS;
    for (const [id, one] of this.#byCall) {
      // The oldest come first, so one check is mostly enough; a long call also keeps the ended ones after it.
      if (one.endedAtMs > old) break;
      this.#byCall.delete(id);
      this.#byAttempt.delete(one.attemptId);
    }
    this.#byCall.set(call.providerCallId, call);
    this.#byAttempt.set(call.attemptId, call);
  }
}
