import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** Calls that are remembered: more than any node carries in the hours that a call may last. */
const MOST_LINKS = 20_000;

/** Who talks on a call. */
export interface CallParties {
  /** Our number, E.164. */
  own: string;
  /** The person's, E.164. */
  person: string;
}

/** A call of the carrier as we know it. */
export interface LinkedCall {
  attemptId: string;
  /** Null for a call that this node neither dialled nor answered. */
  parties: CallParties | null;
}

/** Which call of the carrier belongs to which attempt of ours, as far as this node has seen it. */
export class CallLinks {
  readonly #parties = new Map<string, CallParties>();
  readonly #attempts = new Map<string, string>();
  readonly #hungUp = new Set<string>();
  readonly #ended = new Set<string>();

  /** An attempt is about to be made, or was taken. */
  expect(attemptId: string, parties: CallParties): void {
    this.#parties.set(attemptId, parties);
    dropOldest(this.#parties);
  }

  /** A call turned out to be an attempt's. */
  link(providerCallId: string, attemptId: string): void {
    this.#attempts.set(providerCallId, attemptId);
    dropOldest(this.#attempts);
  }

  /** The call with this id of the carrier; null for one that nothing was heard of here. */
  find(providerCallId: string): LinkedCall | null {
    const attemptId = this.#attempts.get(providerCallId);
    return attemptId === undefined ? null : { attemptId, parties: this.#parties.get(attemptId) ?? null };
  }

  /** We ask the carrier to end a call. */
  noteHangUp(providerCallId: string): void {
    this.#hungUp.add(providerCallId);
    dropOldest(this.#hungUp);
  }

  /** The carrier says that a call is over. */
  noteEnded(providerCallId: string): void {
    this.#ended.add(providerCallId);
    dropOldest(this.#ended);
  }

  /** Whether the carrier said that a call is over. */
  hasEnded(providerCallId: string): boolean {
    return this.#ended.has(providerCallId);
  }

  /** Whether it was we who ended a call. */
  isOurs(providerCallId: string): boolean {
    return this.#hungUp.has(providerCallId);
  }
}

const LINKS = new WeakMap<AccountMedia, CallLinks>();

/** The calls of an account on this node: it may be opened anew while its calls go on, their audio stays where it is. */
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
