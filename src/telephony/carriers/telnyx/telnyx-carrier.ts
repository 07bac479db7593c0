import type { Line, TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";
import { type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import type {
  AskedAttempt,
  Carrier,
  CarrierCapabilities,
  DialRequest,
  DialResult,
  LookUpResult,
} from "#src/telephony/carriers/carrier.ts";
import { createEndedLine } from "#src/telephony/carriers/ended-line.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { isSuccess, readData, type TelnyxApi } from "./telnyx-api.ts";
import { answeredByAudio, expectAudio, streamTo } from "./telnyx-audio.ts";
import { type KnownCall, type TelnyxCalls, writeClientState } from "./telnyx-calls.ts";
import { explainDial } from "./telnyx-errors.ts";
import { hangUpCall } from "./telnyx-hang-up.ts";
import type { TelnyxLegs } from "./telnyx-legs.ts";
import { lookUpCall } from "./telnyx-look-up.ts";
import { TELNYX } from "./telnyx-messages.ts";

const MIN_RING_SECONDS = 5;
const MAX_RING_SECONDS = 600;

/** Dependencies of an account's voice side. */
export interface TelnyxCarrierParts {
  accountId: string;
  connectionId: string;
  api: TelnyxApi;
  calls: TelnyxCalls;
  legs: TelnyxLegs;
  account: AccountParts;
}

/** Calls over Telnyx's Call Control for one account. */
export class TelnyxCarrier implements Carrier {
  readonly name = TELNYX;
  readonly capabilities: CarrierCapabilities = {
    // Documented for commands: one that repeats a command_id within 60 seconds is ignored, and of Dial that "others
    // with the same command_id" are. The answer to such a repeat is not documented, so nothing here repeats a dial.
    dedupe: { key: "command_id", windowMs: 60_000 },
    // client_state holds the attempt's id, and the lists of active calls and of events return it.
    looksUpBy: "ATTEMPT_ID",
    // An id that was not found is not barred, and the lists are filled late.
    absenceIsProof: false,
    // The minute in which a repeat would count, plus the minute over which Telnyx spreads its repeats of a webhook.
    horizonMs: 120_000,
  };
  readonly #parts: TelnyxCarrierParts;

  constructor(parts: TelnyxCarrierParts) {
    this.#parts = parts;
  }

  async dial(request: DialRequest, signal: AbortSignal): Promise<DialResult> {
    const { api, account, calls } = this.#parts;
    const { attemptId, from, to } = request;
    const known = { attemptId, ours: from, theirs: to };
    const stream = this.#expectAudio(known);
    const body = this.#toCall(request, stream);
    const reply = await api({ method: "POST", path: "/calls", body, signal, beforeSend: request.assertMayLeave });
    const providerCallId = asText(readData(reply)?.["call_control_id"]);
    if (isSuccess(reply) && providerCallId) {
      calls.learn(providerCallId, known);
      return { kind: "ACCEPTED", providerCallId };
    }
    if (isSuccess(reply)) {
      return { kind: "UNCERTAIN", code: "BAD_ANSWER", message: "Telnyx took the call without telling its id." };
    }
    const result = explainDial(reply);
    if (result.kind === "REFUSED") account.media.close(attemptId);
    return result;
  }

  #expectAudio(known: Omit<KnownCall, "isAnswered">): string {
    const { account, calls } = this.#parts;
    const { attemptId } = known;
    return expectAudio(account.media, attemptId, (callId) => {
      calls.learn(callId, known);
      calls.markAnswered(callId);
      account.deliver(answeredByAudio(attemptId, callId, account.now()));
    });
  }

  #toCall({ attemptId, from, to, ringTimeoutSeconds }: DialRequest, streamUrl: string): object {
    const { connectionId, accountId, account } = this.#parts;
    return {
      connection_id: connectionId,
      from,
      to,
      timeout_secs: Math.min(MAX_RING_SECONDS, Math.max(MIN_RING_SECONDS, Math.round(ringTimeoutSeconds))),
      // Otherwise an unanswered phone would be rung again over another route.
      retry_on_timeout: false,
      command_id: attemptId,
      client_state: writeClientState({ attemptId, direction: "OUTBOUND" }),
      webhook_url: webhookUrl(account.publicUrl, TELNYX, accountId, `calls/${attemptId}`),
      webhook_url_method: "POST",
      ...streamTo(streamUrl),
      stream_bidirectional_sampling_rate: 8_000,
    };
  }

  async lookUp(attempt: AskedAttempt, signal: AbortSignal): Promise<LookUpResult> {
    const { api, connectionId, calls } = this.#parts;
    const { attemptId, from, to } = attempt;
    // The call may have been dialled by a process that is gone; later requests name it by its id.
    if (attempt.providerCallId) calls.learn(attempt.providerCallId, { attemptId, ours: from, theirs: to });
    const found = await lookUpCall({ api, connectionId, calls }, attempt, signal);
    if (found.kind === "ENDED") {
      calls.forget(found.event.providerCallId);
      this.#parts.account.media.close(attemptId);
    } else if (found.kind === "RINGING" || found.kind === "ANSWERED") {
      calls.learn(found.providerCallId, { attemptId, ours: from, theirs: to });
      // It may have been dialled by a process that is gone, so this process expects its audio.
      if (found.kind === "RINGING") this.#expectAudio({ attemptId, ours: from, theirs: to });
    }
    return found;
  }

  async hangUp(providerCallId: string): Promise<void> {
    const { api, account, calls } = this.#parts;
    const attemptId = calls.find(providerCallId)?.attemptId;
    calls.ended.add(providerCallId);
    await hangUpCall(api, providerCallId);
    if (attemptId) account.media.close(attemptId);
  }

  openLine(providerCallId: string): Line {
    // Called when there is no audio any more: the call ended before it was opened, or its audio was lost.
    const { account, calls } = this.#parts;
    const call = calls.find(providerCallId);
    const hasHungUp = call !== undefined && account.media.hasHungUp(call.attemptId);
    return createEndedLine(hasHungUp || calls.ended.has(providerCallId));
  }

  openMedia(providerCallId: string): MediaSource | null {
    const call = this.#parts.calls.find(providerCallId);
    return call ? this.#parts.account.media.sourceOf(call.attemptId) : null;
  }

  dialLeg(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg> {
    return this.#parts.legs.dial(this.#parts.calls.find(providerCallId), order, signal);
  }
}
