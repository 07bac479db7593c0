import type { AnsweredCall } from "./answered-call.ts";
import type { DialledCall } from "./dialled-call.ts";

/** So long an ended call is still told of. */
const REMEMBERED_MS = 180_000;

/** A call as the rest of Parley follows it. */
export type FollowedCall = DialledCall | AnsweredCall;

/** The calls of this process over SIP, by their own id and by their attempt's; a trunk whose settings change keeps them. */
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
      // The oldest come first, so that a look at one of them is mostly enough; a long call keeps those behind it.
      if (one.endedAtMs > old) break;
      this.#byCall.delete(id);
      this.#byAttempt.delete(one.attemptId);
    }
    this.#byCall.set(call.providerCallId, call);
    this.#byAttempt.set(call.attemptId, call);
  }
}
