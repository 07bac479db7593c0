import type { TransferFailure, TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg } from "#src/audio/line/media-source.ts";
import { isE164 } from "#src/platform/kernel/e164.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import type { CallOutcome } from "#src/telephony/carriers/carrier.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { isSuccess, readData, type TelnyxApi } from "./telnyx-api.ts";
import { expectAudio, streamTo } from "./telnyx-audio.ts";
import { type KnownCall, writeClientState } from "./telnyx-calls.ts";
import { explainDial } from "./telnyx-errors.ts";
import { readHangup, type TelnyxEvent } from "./telnyx-events.ts";
import { hangUpCall } from "./telnyx-hang-up.ts";
import { TELNYX } from "./telnyx-messages.ts";

const REASONS: Readonly<Partial<Record<CallOutcome, TransferFailure["reason"]>>> = {
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  REJECTED: "REJECTED",
};

/** Dependencies of the second calls. */
export interface TelnyxLegParts {
  accountId: string;
  connectionId: string;
  api: TelnyxApi;
  account: AccountParts;
}

interface Leg {
  id: string;
  providerCallId: string | null;
  settle: (result: DialledLeg) => void;
}

/**
 * The second calls of transfers. They are bridged to the first call here: Telnyx's own transfer command has no
 * announcement to the target, no test for a machine and no return to the dialogue.
 */
export class TelnyxLegs {
  readonly #parts: TelnyxLegParts;
  readonly #waiting = new Map<string, Leg>();

  constructor(parts: TelnyxLegParts) {
    this.#parts = parts;
  }

  /** Rings the target of a transfer; never rejects. */
  async dial(call: KnownCall | undefined, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg> {
    if (!call) return fail("UNREACHABLE", "This call is not known to this process any more.");
    if (order.destinationType === "FLOW") return fail("UNREACHABLE", "A flow cannot be rung.");
    if (signal.aborted) return fail("NO_ANSWER", "The transfer was given up.");
    const { promise, resolve } = Promise.withResolvers<DialledLeg>();
    const leg: Leg = { id: uuidv7(), providerCallId: null, settle: resolve };
    this.#waiting.set(leg.id, leg);
    const giveUp = (): void => void this.#giveUp(leg);
    signal.addEventListener("abort", giveUp, { once: true });
    await this.#place(leg, call, order, signal);
    const result = await promise;
    signal.removeEventListener("abort", giveUp);
    this.#waiting.delete(leg.id);
    if (result.kind === "FAILED") this.#parts.account.media.close(leg.id);
    return result;
  }

  /** Handles an event of a second call. */
  take(legId: string, { type, payload }: TelnyxEvent): void {
    if (type !== "call.hangup") return;
    const { outcome, reason } = readHangup(payload, "OUTBOUND");
    this.#waiting.get(legId)?.settle(fail(REASONS[outcome] ?? "UNREACHABLE", reason));
    this.#parts.account.media.close(legId);
  }

  async #place(leg: Leg, call: KnownCall, order: TransferOrder, signal: AbortSignal): Promise<void> {
    const { api, account } = this.#parts;
    const stream = expectAudio(account.media, leg.id, (providerCallId) => this.#answer(leg, providerCallId));
    const body = this.#toCall(leg.id, call, order, stream);
    // Not cancelled half-way: a call placed after all could not be hung up without its id.
    const unhurried = new AbortController().signal;
    const reply = await api({ method: "POST", path: "/calls", body, signal: unhurried });
    const providerCallId = asText(readData(reply)?.["call_control_id"]);
    if (isSuccess(reply) && providerCallId) {
      leg.providerCallId = providerCallId;
      if (signal.aborted) await this.#giveUp(leg);
      return;
    }
    const refused = explainDial(reply);
    // A target that was dialled after all opens its socket; otherwise the transfer waits until it is aborted.
    if (refused.kind === "REFUSED") leg.settle(fail("UNREACHABLE", refused.message));
  }

  #toCall(legId: string, call: KnownCall, order: TransferOrder, stream: string): object {
    const { connectionId, accountId, account } = this.#parts;
    const headers = Object.entries(order.sipHeaders).map(([name, value]) => ({ name, value }));
    return {
      connection_id: connectionId,
      // A withheld number is shown as ours.
      from: order.callerId === "CUSTOMER" && isE164(call.theirs) ? call.theirs : call.ours,
      to: order.destination,
      timeout_secs: Math.min(600, Math.max(5, Math.round(order.ringTimeoutSeconds))),
      retry_on_timeout: false,
      command_id: legId,
      client_state: writeClientState({ attemptId: legId, direction: "OUTBOUND" }),
      webhook_url: webhookUrl(account.publicUrl, TELNYX, accountId, `legs/${legId}`),
      webhook_url_method: "POST",
      ...(headers.length > 0 ? { custom_headers: headers } : {}),
      ...streamTo(stream),
      stream_bidirectional_sampling_rate: 8_000,
    };
  }

  #answer(leg: Leg, providerCallId: string): void {
    leg.providerCallId = providerCallId;
    const { api, account } = this.#parts;
    const source = account.media.sourceOf(leg.id);
    if (!source) return;
    const hangUp = async (): Promise<void> => {
      await hangUpCall(api, providerCallId);
      account.media.close(leg.id);
    };
    if (this.#waiting.has(leg.id)) leg.settle({ kind: "ANSWERED", source, hangUp });
    else void hangUp();
  }

  async #giveUp(leg: Leg): Promise<void> {
    leg.settle(fail("NO_ANSWER", "The transfer was given up."));
    if (leg.providerCallId) await hangUpCall(this.#parts.api, leg.providerCallId);
  }
}

function fail(reason: TransferFailure["reason"], message: string): TransferFailure {
  return { kind: "FAILED", reason, message };
}
