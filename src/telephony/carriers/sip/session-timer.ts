import type { SipHeaders } from "./sip-message.ts";

/** Shorter ones would make refreshing a burden (RFC 4028, 5). */
const SHORTEST_S = 90;
const LONGEST_S = 86_400;

/** What a Session-Expires says. */
export interface SessionExpiry {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/** Reads Session-Expires; null when there is none that makes sense. */
export function readSessionExpiry(headers: SipHeaders): SessionExpiry | null {
  const match = /^\s*(\d{1,9})\s*(?:;(.*))?$/s.exec(headers.get("Session-Expires") ?? "");
  if (!match) return null;
  const seconds = Math.min(Math.max(Number(match[1]), SHORTEST_S), LONGEST_S);
  const refresher = /(?:^|;)\s*refresher\s*=\s*"?(ua[cs])/i.exec(match[2] ?? "")?.[1]?.toLowerCase();
  return { seconds, refresher: refresher === "uac" || refresher === "uas" ? refresher : null };
}

/** Ends a call whose far end vanished without a word, and says when it is our turn to show that we are there. */
export class SessionTimer {
  readonly #onRefresh: () => void;
  readonly #onExpired: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onRefresh: () => void, onExpired: () => void) {
    this.#onRefresh = onRefresh;
    this.#onExpired = onExpired;
  }

  /** Both sides have shown that they are there. */
  restart(seconds: number, weRefresh: boolean): void {
    this.stop();
    const graceS = Math.min(32, seconds / 3);
    const [run, afterS] = weRefresh ? [this.#onRefresh, seconds / 2] : [this.#onExpired, seconds - graceS];
    this.#timer = setTimeout(run, afterS * 1_000);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
