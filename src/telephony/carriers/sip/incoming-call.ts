import type { MediaSource } from "#src/audio/line/media-source.ts";
import { Authentication, type Credentials } from "./authentication.ts";
import { CallMedia, type MediaRules, type MediaSockets } from "./call-media.ts";
import { CallSession, type SessionEnd } from "./call-session.ts";
import { Dialog } from "./dialog.ts";
import { createResponse } from "./response.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { ALLOWED, type DialogOwner, refuse, type SipAgent } from "./sip-agent.ts";
import type { SipHeaders } from "./sip-message.ts";
import { createTag } from "./transactions.ts";
import { readNumber } from "./uri-number.ts";

/** An unanswered caller is refused before their own trunk gives up. */
const LONGEST_RINGING_MS = 170_000;

/** Reason for declining an inbound call. ELSEWHERE: this server is about to stop, and another one may take the call. */
export type DeclineReason = "BUSY" | "UNAVAILABLE" | "REJECTED" | "NOT_FOUND" | "ELSEWHERE";

const DECLINES = { BUSY: 486, UNAVAILABLE: 480, REJECTED: 603, NOT_FOUND: 404, ELSEWHERE: 503 } as const;
/** Seconds after which a trunk may try this server again (RFC 3261, 21.5.4). */
const RETRY_AFTER = "30";

/** Dependencies of an incoming call. */
export interface IncomingCallOptions {
  agent: SipAgent;
  invite: ServerTransaction;
  sockets: MediaSockets;
  rules: MediaRules;
  /** Ours at the trunk, which may challenge the requests of an answered call too. */
  credentials: Credentials | null;
  /** User part of our Contact. */
  user: string;
  /** Called when the caller is gone, or was declined. */
  onGone(): void;
}

/** An inbound call to one of our numbers, until it is answered, declined or cancelled. */
export class IncomingCall implements DialogOwner {
  /** A random id of our own, because the caller chooses the Call-ID. */
  readonly providerCallId = createTag();
  /** E.164 where the trunk provides it; empty when it is withheld. */
  readonly from: string;
  readonly #options: IncomingCallOptions;
  readonly #tag = createTag();
  readonly #timer: NodeJS.Timeout;
  #media: CallMedia | null = null;
  #session: CallSession | null = null;
  #isOver = false;
  #isAnswering = false;

  constructor(options: IncomingCallOptions) {
    this.#options = options;
    this.from = readCaller(options.invite.request.headers);
    this.#timer = setTimeout(() => this.decline("UNAVAILABLE"), LONGEST_RINGING_MS);
    this.#timer.unref();
  }

  get session(): CallSession | null {
    return this.#session;
  }

  /** Sends 180, so that the caller hears ringing. */
  ring(): void {
    if (!this.#isOver && !this.#isAnswering) this.#respond(180);
  }

  /**
   * Answers, and returns the audio; `onEnded` is called when the call is over. Rejects with an Error for people when
   * the caller has gone, or no audio can be agreed.
   */
  async answer(onEnded: (end: SessionEnd) => void): Promise<MediaSource> {
    if (this.#isOver || this.#isAnswering) throw new Error("The call is over, or was answered before.");
    this.#isAnswering = true;
    const { sockets, rules, invite } = this.#options;
    try {
      this.#media = await CallMedia.open(sockets, rules);
    } catch (error) {
      this.#turnAway(503);
      throw error;
    }
    if (this.#isOver) return this.#give("The caller has hung up.");
    const { body } = invite.request;
    this.#media.noteSignalling(invite.flow.remote.address);
    // A caller that offers nothing is made an offer, which its ACK answers (RFC 3261, 13.3.1.4).
    const hasOffer = body.length > 0;
    const described = hasOffer ? this.#media.answer(body.toString()) : this.#media.offer();
    if (described === null) return this.#refuseAudio("No audio could be agreed on with the caller.");
    const dialog = Dialog.ofInvite(invite.request, this.#tag);
    if (!dialog) return this.#refuseAudio("The caller does not say how to be reached.");
    const { promise: agreed, resolve, reject } = Promise.withResolvers<void>();
    const end = (why: SessionEnd): void => {
      reject(new Error(why.reason));
      onEnded(why);
    };
    this.#open(dialog, described, this.#media, end, hasOffer ? null : resolve);
    if (!hasOffer) await agreed;
    else resolve();
    const source = this.#media.take();
    if (!source) return this.#give("The call has no audio.");
    return source;
  }

  /** Declines the call. Idempotent. */
  decline(why: DeclineReason): void {
    this.#turnAway(DECLINES[why], why === "ELSEWHERE" ? [["Retry-After", RETRY_AFTER]] : []);
  }

  /** Ends the call, answered or not. */
  hangUp(reason: string): void {
    if (this.#session) this.#session.hangUp(reason);
    else this.decline("UNAVAILABLE");
  }

  onCancel(): void {
    if (this.#isOver || this.#session) return;
    this.#options.invite.respond(createResponse(this.#options.invite.request, 487, { toTag: this.#tag }));
    this.#end();
  }

  onRequest(transaction: ServerTransaction): void {
    refuse(transaction, 481);
  }

  onAck(): void {
    // Of our refusal: the transaction has taken it.
  }

  #open(
    dialog: Dialog,
    described: string,
    media: CallMedia,
    onEnded: (end: SessionEnd) => void,
    onAgreed: (() => void) | null,
  ): void {
    const { agent, invite, user, credentials } = this.#options;
    const { request, flow } = invite;
    clearTimeout(this.#timer);
    const session = new CallSession({
      agent,
      dialog,
      flow,
      media,
      user,
      authentication: new Authentication(credentials),
      onEnded: (end) => {
        if (end.by === "AGENT") setTimeout(() => media.close(), 5_000).unref();
        else media.close();
        this.#options.onGone();
        onEnded(end);
      },
    });
    this.#session = session;
    const headers: [string, string][] = [
      ["Contact", agent.contactFor(flow, user)],
      ["Allow", ALLOWED],
      ["Supported", "timer"],
      ...session.confirmTimer(request),
      ["Content-Type", "application/sdp"],
    ];
    const response = createResponse(request, 200, { toTag: this.#tag, headers, body: Buffer.from(described) });
    session.answer(invite, response, onAgreed);
  }

  #refuseAudio(message: string): never {
    this.#turnAway(488);
    throw new Error(message);
  }

  #give(message: string): never {
    this.#media?.close();
    throw new Error(message);
  }

  #turnAway(status: number, headers: [string, string][] = []): void {
    if (this.#isOver || this.#session) return;
    this.#respond(status, headers);
    this.#end();
  }

  #respond(status: number, more: [string, string][] = []): void {
    const { agent, invite, user } = this.#options;
    const headers: [string, string][] = status < 300 ? [["Contact", agent.contactFor(invite.flow, user)]] : more;
    invite.respond(createResponse(invite.request, status, { toTag: this.#tag, headers }));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#media?.close();
    this.#options.onGone();
  }
}

/** Returns the caller's number. The trunk vouches for P-Asserted-Identity; From is only the caller's own claim. */
function readCaller(headers: SipHeaders): string {
  if (/\bid\b/i.test(headers.get("Privacy") ?? "")) return "";
  const asserted = headers
    .getAll("P-Asserted-Identity")
    .map(readNumber)
    .find((text) => text !== "");
  return asserted ?? readNumber(headers.get("From") ?? "");
}
