import type { SipHeaders } from "./sip-message.ts";

/** Shorter intervals would make refreshing a burden (RFC 4028, 5). */
const SHORTEST_S = 90;
const LONGEST_S = 86_400;

/** Contents of a Session-Expires header. */
export interface SessionExpiry {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/** Reads Session-Expires; null when there is no valid one. */
export function readSessionExpiry(headers: SipHeaders): SessionExpiry | null {
  const match = /^\s*(\d{1,9})\s*(?:;(.*))?$/s.exec(headers.get("Session-Expires") ?? "");
  if (!match) return null;
  const seconds = Math.min(Math.max(Number(match[1]), SHORTEST_S), LONGEST_S);
  const refresher = /(?:^|;)\s*refresher\s*=\s*"?(ua[cs])/i.exec(match[2] ?? "")?.[1]?.toLowerCase();
  return { seconds, refresher: refresher === "uac" || refresher === "uas" ? refresher : null };
}

/** Ends a call whose far end vanished without a BYE, and reports when it is our turn to refresh the session. */
export class SessionTimer {
  readonly #onRefresh: () => void;
  readonly #onExpired: () => void;
  #timer: NodeJS.Timeout | undefined;
  #seconds = SHORTEST_S;
  #weRefresh = false;
  #leftS = 0;

  constructor(onRefresh: () => void, onExpired: () => void) {
    this.#onRefresh = onRefresh;
    this.#onExpired = onExpired;
  }

  /** The agreed session interval, which a refresh asks for again (RFC 4028, 7.4). */
  get seconds(): number {
    return this.#seconds;
  }

  /** True when it is on us to refresh. */
  get weRefresh(): boolean {
    return this.#weRefresh;
  }

  /** Restarts the timer after a refresh, which shows that both sides are there. */
  restart(seconds: number, weRefresh: boolean): void {
    const graceS = Math.min(32, seconds / 3);
    this.#seconds = seconds;
    this.#weRefresh = weRefresh;
    this.#leftS = seconds / 2 - graceS;
    if (weRefresh) this.#start(this.#onRefresh, seconds / 2);
    else this.#start(this.#onExpired, seconds - graceS);
  }

  /** Reports our turn again after a refused refresh, each time halfway to the moment at which the far end gives up. */
  retry(): void {
    this.#leftS /= 2;
    if (this.#leftS >= 1) this.#start(this.#onRefresh, this.#leftS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(run: () => void, afterS: number): void {
    this.stop();
    this.#timer = setTimeout(run, afterS * 1_000);
    this.#timer.unref();
  }
}
