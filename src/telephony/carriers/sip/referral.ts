import type { SipRequest } from "./sip-message.ts";

/** How the far end said that a referral went. */
export interface ReferralEnd {
  /** Of the call that the far end made; null: it did not say. */
  status: number | null;
}

/** The progress of a call that the far end was asked to make; told by NOTIFY (RFC 3515). */
export class Referral {
  readonly #onEnd: (end: ReferralEnd) => void;
  #isOver = false;
  #wasNotified = false;
  #lastStatus: number | null = null;

  constructor(onEnd: (end: ReferralEnd) => void) {
    this.#onEnd = onEnd;
  }

  /** Whether the far end told anything, so that it took the referral. */
  get wasNotified(): boolean {
    return this.#wasNotified;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes a NOTIFY; gives the status that answers it. */
  notify({ headers, body }: SipRequest): number {
    this.#wasNotified = true;
    const status = readFragment(body);
    if (status !== null) this.#lastStatus = status;
    if (status !== null && status >= 200) this.end(status);
    else if (/^\s*terminated\b/i.test(headers.get("Subscription-State") ?? "")) this.end(this.#lastStatus);
    return 200;
  }

  /** Nothing more will come. */
  end(status: number | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd({ status });
  }
}

/** The status line that the body begins with (RFC 3420). */
function readFragment(body: Buffer): number | null {
  const match = /^\s*SIP\/2\.0\s+([1-6]\d\d)\b/.exec(body.subarray(0, 200).toString("latin1"));
  return match ? Number(match[1]) : null;
}
