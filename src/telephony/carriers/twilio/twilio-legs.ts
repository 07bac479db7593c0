import { randomUUID } from "node:crypto";
import type { TransferFailure, TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg } from "#src/audio/line/media-source.ts";
import type { CallOutcome, DialResult } from "#src/telephony/carriers/carrier.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { toEnd } from "./twilio-call-state.ts";
import { readDial, writeDial } from "./twilio-dial.ts";
import { endCall } from "./twilio-hang-up.ts";
import type { CallParties } from "./twilio-links.ts";

/** Time for the last report of a leg that was not answered. */
const GRACE_MS = 15_000;

interface WaitingLeg {
  settle: (answer: { providerCallId: string } | TransferFailure) => void;
}

/** The second calls of transfers, beside the calls of attempts. They are bridged to those here. */
export class TwilioLegs {
  readonly #twilio: TwilioAccount;
  readonly #waiting = new Map<string, WaitingLeg>();

  constructor(twilio: TwilioAccount) {
    this.#twilio = twilio;
  }

  /** Handles a report of a leg. Only its end matters, because its socket already shows the answer. */
  noteEnd(legId: string, end: { status: string; sipCode: number | null }): void {
    const { outcome, reason } = toEnd({ ...end, answeredBy: null, isOurs: false });
    this.#waiting.get(legId)?.settle(toFailure(outcome, reason));
    this.#twilio.endSoon(legId);
  }

  /** Rings the target of a transfer and waits for its answer. */
  async dial(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg> {
    const parties = this.#twilio.links.find(providerCallId)?.parties;
    if (!parties) return toFailure("CARRIER_FAILURE", "The call is not on this server.");
    if (signal.aborted) return toFailure("NO_ANSWER", "The transfer was called off.");
    const legId = randomUUID();
    const answered = Promise.withResolvers<{ providerCallId: string } | TransferFailure>();
    this.#waiting.set(legId, { settle: answered.resolve });
    const placed = await this.#place(legId, parties, order, signal);
    if (placed.kind === "REFUSED") answered.resolve(toFailure(placed.outcome, placed.message));
    const giveUp = () => answered.resolve(toFailure("NO_ANSWER", "Nobody answered in time."));
    const timer = setTimeout(giveUp, order.ringTimeoutSeconds * 1_000 + GRACE_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    const answer = await answered.promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    this.#waiting.delete(legId);
    return this.#hand(legId, placed, answer);
  }

  /**
   * Places the call. Twilio shows the person's number only when the account may; a refusal proves that nobody was rung,
   * so our own number is tried next.
   */
  async #place(
    legId: string,
    { own, person }: CallParties,
    order: TransferOrder,
    signal: AbortSignal,
  ): Promise<DialResult> {
    const { api, hook } = this.#twilio;
    const { settle } = this.#waiting.get(legId) as WaitingLeg;
    const markup = this.#twilio.stream(legId, `legs/${legId}`, (providerCallId) => settle({ providerCallId }));
    const from = order.callerId === "CUSTOMER" && person !== "" ? [person, own] : [own];
    let result: DialResult | null = null;
    for (const number of from) {
      const dial = { from: number, to: addressOf(order), ringTimeoutSeconds: order.ringTimeoutSeconds };
      const fields = writeDial(dial, { markup, statusUrl: hook(`legs/${legId}`), answeredByUrl: null });
      // Not cancelled half-way: a call placed after all could not be hung up without its id.
      const unhurried = new AbortController().signal;
      result = readDial(await api.send({ method: "POST", path: "/Calls.json", fields, signal: unhurried }));
      if (result.kind !== "REFUSED" || result.blame !== "NUMBER" || signal.aborted) return result;
    }
    return result as DialResult;
  }

  async #hand(
    legId: string,
    placed: DialResult,
    answer: { providerCallId: string } | TransferFailure,
  ): Promise<DialledLeg> {
    const { media } = this.#twilio.parts;
    if ("kind" in answer) {
      media.close(legId);
      if (placed.kind === "ACCEPTED") await endCall(this.#twilio, placed.providerCallId);
      return answer;
    }
    const hangUp = async () => {
      media.close(legId);
      await endCall(this.#twilio, answer.providerCallId);
    };
    const source = media.sourceOf(legId);
    if (source) return { kind: "ANSWERED", source, hangUp };
    await hangUp();
    return toFailure("CARRIER_FAILURE", "The audio of the second call was lost.");
  }
}

/**
 * Returns the target's address: a number unchanged, or a SIP address with its headers in the query, as Twilio takes
 * them.
 */
function addressOf({ destinationType, destination, sipHeaders }: TransferOrder): string {
  const headers = Object.entries(sipHeaders);
  if (destinationType !== "SIP" || headers.length === 0) return destination;
  const query = headers.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return `${destination}${destination.includes("?") ? "&" : "?"}${query}`;
}

const REASONS: Partial<Record<CallOutcome, TransferFailure["reason"]>> = {
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  ANSWERED: "NO_ANSWER",
  REJECTED: "REJECTED",
  VOICEMAIL: "MACHINE",
  FAX: "MACHINE",
};

function toFailure(outcome: CallOutcome, message: string): TransferFailure {
  return { kind: "FAILED", reason: REASONS[outcome] ?? "UNREACHABLE", message };
}
