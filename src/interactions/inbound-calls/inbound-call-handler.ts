import type { ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import type { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import type { Database } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import type { CarrierAccount, InboundCall, WebhookAnswer } from "#src/telephony/carriers/account.ts";
import { admitCall, type DeclineReason, declineAs } from "./inbound-calls.ts";

/** Timeout of an answer; carriers wait some 10 s for the reply to a webhook. */
const ANSWER_MS = 8_000;
/** Reply that makes the carrier, or the node that sent the call here, ask again: another node has it, or has room. */
const ELSEWHERE: WebhookAnswer = { status: 503, headers: { "retry-after": "1" }, body: "" };

/** Carrier account or, with a null id, SIP trunk that delivered a call and can answer it. */
export interface CallBringer extends Pick<CarrierAccount, "answerCall" | "declineCall"> {
  readonly id: string | null;
}

/** Sends a call's webhook to another node with room, and returns its answer; null when no node answered. */
export type PassOn = () => Promise<WebhookAnswer | null>;

/** A call that comes in. */
export interface IncomingCall {
  workspaceId: string;
  account: CallBringer;
  call: InboundCall;
  /** Absent where a call cannot be passed on: over SIP, and when another node has sent it here. */
  passOn?: PassOn | undefined;
  /** Another node has sent it here, and asks the next one if there is no room here. */
  isForwarded?: boolean;
}

/** Dependencies of the inbound call handler. */
export interface InboundParts {
  database: Pick<Database, "db">;
  log: Log;
  node: NodeIdentity;
  dispatcher: Pick<Dispatcher, "hasRoom" | "expect" | "adopt">;
  /** Reserves audio capacity for one call and returns the function that releases it; null when there is none. */
  reserveAudio: (workspaceId: string) => Promise<(() => void) | null>;
}

/** Handles calls to our numbers: each is taken by this process and answered, or declined. */
export class InboundCallHandler {
  readonly #parts: InboundParts;

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  /**
   * Takes a call and returns the reply for its carrier. When this resolves, a call that was taken is stored and
   * running. It rejects while the database is unavailable; nothing was taken then.
   */
  async take(arrival: IncomingCall): Promise<WebhookAnswer> {
    const done = this.#parts.dispatcher.expect();
    return this.#take(arrival).finally(done);
  }

  async #take(arrival: IncomingCall): Promise<WebhookAnswer> {
    const { workspaceId, account, call, passOn, isForwarded = false } = arrival;
    const { database, dispatcher, node } = this.#parts;
    const release = dispatcher.hasRoom ? await this.#parts.reserveAudio(workspaceId) : null;
    let isHeld = false;
    try {
      const asked = { workspaceId, accountId: account.id, call, nodeId: node.id, hasRoom: release !== null };
      const admission = await admitCall(database, { ...asked, mayGoElsewhere: isForwarded || passOn !== undefined });
      switch (admission.kind) {
        case "TAKEN":
          isHeld = true;
          return await this.#run(admission.row, account, call, release ?? (() => undefined));
        case "REPEAT":
          if (admission.nodeId !== node.id) return ELSEWHERE;
          return await account.answerCall(call, admission.attemptId, AbortSignal.timeout(ANSWER_MS));
        case "ELSEWHERE":
          if (isForwarded) return ELSEWHERE;
          return (await passOn?.()) ?? (await this.#take({ workspaceId, account, call }));
        case "OVER":
          return await account.declineCall(call, "UNAVAILABLE", AbortSignal.timeout(ANSWER_MS));
        default:
          return await this.#decline(arrival, admission.reason);
      }
    } finally {
      if (!isHeld) release?.();
    }
  }

  /** Answers the carrier first, because its audio must be expected before the conversation asks for it. */
  async #run(row: ClaimedRow, account: CallBringer, call: InboundCall, onEnd: () => void): Promise<WebhookAnswer> {
    const { dispatcher, log } = this.#parts;
    try {
      return await account.answerCall(call, row.attempt_id as string, AbortSignal.timeout(ANSWER_MS));
    } catch (error) {
      log.error("A call that came in could not be answered.", { rowId: row.id, error: toError(error).message });
      return { status: 500, headers: {}, body: "" };
    } finally {
      // The row must end, whatever the carrier said.
      dispatcher.adopt(row, { providerCallId: call.providerCallId, onEnd });
    }
  }

  #decline({ workspaceId, account, call }: IncomingCall, reason: DeclineReason): Promise<WebhookAnswer> {
    this.#parts.log.info("A call was turned away.", { workspaceId, reason, pii: { to: call.to } });
    return account.declineCall(call, declineAs(reason), AbortSignal.timeout(ANSWER_MS));
  }
}
