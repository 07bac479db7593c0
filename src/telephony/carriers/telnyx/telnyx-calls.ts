import { isUuid } from "#src/platform/kernel/id.ts";
import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";

/** A call of this process, as far as more than its id must be known to go on with it. */
export interface KnownCall {
  attemptId: string;
  /** E.164, of the account. */
  ours: string;
  /** E.164, of the person; for a withheld number what the network shows. */
  theirs: string;
  isAnswered: boolean;
}

/** More than any process carries; the oldest go first, should their ends never be told. */
const MAX_CALLS = 20_000;

/** The calls of this process by Telnyx's id: audio, transfers and look-ups ask by it. */
export class TelnyxCalls {
  readonly #calls = new Map<string, KnownCall>();

  /** Learns of a call; what is known of it already stays. */
  learn(providerCallId: string, call: Omit<KnownCall, "isAnswered">): void {
    if (this.#calls.has(providerCallId)) return;
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    this.#calls.set(providerCallId, { ...call, isAnswered: false });
  }

  /** Notes that somebody has answered. */
  markAnswered(providerCallId: string): void {
    const call = this.#calls.get(providerCallId);
    if (call) call.isAnswered = true;
  }

  /** A call by Telnyx's id. */
  find(providerCallId: string): KnownCall | undefined {
    return this.#calls.get(providerCallId);
  }

  /** Telnyx's id of the call of an attempt; null when it was not learnt here. */
  idOf(attemptId: string): string | null {
    for (const [id, call] of this.#calls) if (call.attemptId === attemptId) return id;
    return null;
  }

  /** The call is over. */
  forget(providerCallId: string): void {
    this.#calls.delete(providerCallId);
  }
}

const CALLS = new WeakMap<AccountMedia, TelnyxCalls>();

/** The calls of an account on this node: it may be opened anew while its calls go on, their audio stays where it is. */
export function callsOf(media: AccountMedia): TelnyxCalls {
  const calls = CALLS.get(media) ?? new TelnyxCalls();
  CALLS.set(media, calls);
  return calls;
}

/** Who called whom, which Telnyx's word for who hung up depends on. */
export type CallDirection = "OUTBOUND" | "INBOUND";

/** What every event of a call returns to us: whose call it is. */
export interface ClientState {
  attemptId: string;
  direction: CallDirection;
}

const INBOUND_MARK = " in";
const UUID_LENGTH = 36;

/** The `client_state` of a call: base64, of the attempt's id alone for a call that we dial. */
export function writeClientState({ attemptId, direction }: ClientState): string {
  return Buffer.from(direction === "INBOUND" ? attemptId + INBOUND_MARK : attemptId).toString("base64");
}

/** Reads it back; null for one that is not ours. */
export function readClientState(value: unknown): ClientState | null {
  if (typeof value !== "string" || value.length > 100) return null;
  const text = Buffer.from(value, "base64").toString("latin1");
  const attemptId = text.slice(0, UUID_LENGTH);
  const rest = text.slice(UUID_LENGTH);
  if (!isUuid(attemptId) || (rest !== "" && rest !== INBOUND_MARK)) return null;
  return { attemptId, direction: rest === "" ? "OUTBOUND" : "INBOUND" };
}
