import type { SipRequest } from "./sip-message.ts";

/** Result of a referral, as the far end reported it. */
export interface ReferralEnd {
  /** Status of the call that the far end made; null: none was reported. */
  status: number | null;
}

/** Progress of a call that the far end was asked to make, reported by NOTIFY (RFC 3515). */
export class Referral {
  readonly #onEnd: (end: ReferralEnd) => void;
  /** Numbers of its REFER, of which a challenge makes one more. */
  readonly #ids = new Set<string>();
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

  /** Records that it is asked for by this request. */
  ask({ headers }: SipRequest): void {
    this.#ids.add((headers.get("CSeq") ?? "").split(" ", 1)[0] ?? "");
  }

  /** Handles a NOTIFY; returns the status to answer it with. One of an earlier REFER is not wanted (RFC 3515, 2.4.6). */
  notify({ headers, body }: SipRequest): number {
    const id = /;\s*id\s*=\s*(\d+)/i.exec(headers.get("Event") ?? "")?.[1];
    if (id !== undefined && !this.#ids.has(id)) return 481;
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
