import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { EndedCalls } from "#src/telephony/carriers/ended-calls.ts";
import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** A call of this process: the data, besides its id, that is needed to continue with it. */
export interface KnownCall {
  attemptId: string;
  /** E.164, the account's number. */
  ours: string;
  /** E.164, the person's number; for a withheld one the network's replacement. */
  theirs: string;
  isAnswered: boolean;
}

/** More calls than any process carries. The oldest are dropped first, in case their ends were never reported. */
const MAX_CALLS = 20_000;

/** The calls of this process by Telnyx's id, for audio, transfers and look-ups. */
export class TelnyxCalls {
  readonly ended = new EndedCalls();
  readonly #calls = new BoundedMap<string, KnownCall>(MAX_CALLS);

  /** Adds a call; a known call stays unchanged. */
  learn(providerCallId: string, call: Omit<KnownCall, "isAnswered">): void {
    if (this.#calls.has(providerCallId)) return;
    this.#calls.set(providerCallId, { ...call, isAnswered: false });
  }

  /** Records that the call was answered. */
  markAnswered(providerCallId: string): void {
    const call = this.#calls.get(providerCallId);
    if (call) call.isAnswered = true;
  }

  /** Returns a call by Telnyx's id. */
  find(providerCallId: string): KnownCall | undefined {
    return this.#calls.get(providerCallId);
  }

  /** Returns Telnyx's id of an attempt's call; null when it is not known here. */
  idOf(attemptId: string): string | null {
    for (const [id, call] of this.#calls) if (call.attemptId === attemptId) return id;
    return null;
  }

  /** Removes a call that is over. */
  forget(providerCallId: string): void {
    this.#calls.delete(providerCallId);
    this.ended.add(providerCallId);
  }
}

const CALLS = new WeakMap<AccountMedia, TelnyxCalls>();

/**
 * Returns the calls of an account on this node. They outlive the opened account: their audio stays where it is when the
 * account is opened again.
 */
export function callsOf(media: AccountMedia): TelnyxCalls {
  const calls = CALLS.get(media) ?? new TelnyxCalls();
  CALLS.set(media, calls);
  return calls;
}

/** Direction of a call; Telnyx's value for the side that hung up depends on it. */
export type CallDirection = "OUTBOUND" | "INBOUND";

/** The attempt and direction of a call, which every event of the call returns to us. */
export interface ClientState {
  attemptId: string;
  direction: CallDirection;
}

const INBOUND_MARK = " in";
const UUID_LENGTH = 36;

/** Writes the `client_state` of a call: base64, of the attempt's id alone for a call that we dial. */
export function writeClientState({ attemptId, direction }: ClientState): string {
  return Buffer.from(direction === "INBOUND" ? attemptId + INBOUND_MARK : attemptId).toString("base64");
}

/** Reads a `client_state`; null for one that is not ours. */
export function readClientState(value: unknown): ClientState | null {
  if (typeof value !== "string" || value.length > 100) return null;
  const text = Buffer.from(value, "base64").toString("latin1");
  const attemptId = text.slice(0, UUID_LENGTH);
  const rest = text.slice(UUID_LENGTH);
  if (!isUuid(attemptId) || (rest !== "" && rest !== INBOUND_MARK)) return null;
  return { attemptId, direction: rest === "" ? "OUTBOUND" : "INBOUND" };
}
