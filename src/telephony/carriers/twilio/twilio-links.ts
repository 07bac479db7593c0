import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** Most calls remembered: more than any node carries in the hours that a call may last. */
const MOST_LINKS = 20_000;

/** Numbers of both parties of a call. */
export interface CallParties {
  /** Our number, E.164. */
  own: string;
  /** The person's, E.164. */
  person: string;
}

/** A call of the carrier as this node knows it. */
export interface LinkedCall {
  attemptId: string;
  /** Null for a call that this node neither dialled nor answered. */
  parties: CallParties | null;
}

/** Registry of the carrier's calls and our attempts, as far as this node knows them. */
export class CallLinks {
  readonly #parties = new Map<string, CallParties>();
  readonly #attempts = new Map<string, string>();
  readonly #hungUp = new Set<string>();
  readonly #ended = new Set<string>();

  /** Records the numbers of an attempt that is about to be dialled, or was accepted. */
  expect(attemptId: string, parties: CallParties): void {
    this.#parties.set(attemptId, parties);
    dropOldest(this.#parties);
  }

  /** Links a call of the carrier to an attempt. */
  link(providerCallId: string, attemptId: string): void {
    this.#attempts.set(providerCallId, attemptId);
    dropOldest(this.#attempts);
  }

  /** Returns the call with this id of the carrier; null when it is not known here. */
  find(providerCallId: string): LinkedCall | null {
    const attemptId = this.#attempts.get(providerCallId);
    return attemptId === undefined ? null : { attemptId, parties: this.#parties.get(attemptId) ?? null };
  }

  /** Records that we asked the carrier to end a call. */
  noteHangUp(providerCallId: string): void {
    this.#hungUp.add(providerCallId);
    dropOldest(this.#hungUp);
  }

  /** Records that the carrier reported the end of a call. */
  noteEnded(providerCallId: string): void {
    this.#ended.add(providerCallId);
    dropOldest(this.#ended);
  }

  /** True when the carrier reported the end of a call. */
  hasEnded(providerCallId: string): boolean {
    return this.#ended.has(providerCallId);
  }

  /** True when we ended a call. */
  isOurs(providerCallId: string): boolean {
    return this.#hungUp.has(providerCallId);
  }
}

const LINKS = new WeakMap<AccountMedia, CallLinks>();

/**
 * Returns the calls of an account on this node. They outlive the opened account: their audio stays where it is when the
 * account is opened again.
 */
export function linksOf(media: AccountMedia): CallLinks {
  const links = LINKS.get(media) ?? new CallLinks();
  LINKS.set(media, links);
  return links;
}

function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size <= MOST_LINKS) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
