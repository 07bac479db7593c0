import type { SipRequest } from "./sip-message.ts";

/** Result of a referral, as the far end reported it. */
export interface ReferralEnd {
  /** Status of the call that the far end made; null: none was reported. */
  status: number | null;
}

/** Progress of a call that the far end was asked to make, reported by NOTIFY (RFC 3515). */
export class Referral {
  readonly #onEnd: (end: ReferralEnd) => void;
  #isOver = false;
  #wasNotified = false;
  #lastStatus: number | null = null;

  constructor(onEnd: (end: ReferralEnd) => void) {
    this.#onEnd = onEnd;
  }

  /** True once the far end has sent any NOTIFY, which means that it accepted the referral. */
  get wasNotified(): boolean {
    return this.#wasNotified;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Handles a NOTIFY; returns the status to answer it with. */
  notify({ headers, body }: SipRequest): number {
    this.#wasNotified = true;
    const status = readFragment(body);
    if (status !== null) this.#lastStatus = status;
    if (status !== null && status >= 200) this.end(status);
    else if (/^\s*terminated\b/i.test(headers.get("Subscription-State") ?? "")) this.end(this.#lastStatus);
    return 200;
  }

  /** Ends the referral; later reports are ignored. */
  end(status: number | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd({ status });
  }
}

/** Returns the status of the status line at the start of the body (RFC 3420). */
function readFragment(body: Buffer): number | null {
  const match = /^\s*SIP\/2\.0\s+([1-6]\d\d)\b/.exec(body.subarray(0, 200).toString("latin1"));
  return match ? Number(match[1]) : null;
}
