import type { Authentication } from "./authentication.ts";
import type { CallMedia } from "./call-media.ts";
import type { Dialog } from "./dialog.ts";
import type { Flow } from "./flow.ts";
import { parseNameAddr, readTag } from "./name-addr.ts";
import { Referral, type ReferralEnd } from "./referral.ts";
import { createResponse } from "./response.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { readSessionExpiry, SessionTimer } from "./session-timer.ts";
import { ALLOWED, type DialogOwner, type SipAgent } from "./sip-agent.ts";
import { parseCSeq, type SipHeaders, type SipRequest, type SipResponse } from "./sip-message.ts";
import { PATIENCE_MS, Retransmission, T2_MS } from "./timing.ts";

const MAX_CHALLENGES = 3;
const SDP = "application/sdp";

/** End of an answered call. */
export interface SessionEnd {
  by: "CUSTOMER" | "AGENT" | "CARRIER";
  /** The far end's Reason, or our own text. */
  reason: string;
}

/** Dependencies of a session. */
export interface CallSessionOptions {
  agent: SipAgent;
  dialog: Dialog;
  flow: Flow;
  media: CallMedia;
  /** User part of our Contact. */
  user: string;
  authentication: Authentication;
  onEnded(end: SessionEnd): void;
}

/** An answered call: handles all requests of either side until one of them hangs up. */
export class CallSession implements DialogOwner {
  readonly #options: CallSessionOptions;
  readonly #disown: () => void;
  readonly #timer: SessionTimer;
  #referral: Referral | null = null;
  /** An INVITE that we answered and whose ACK has not come. */
  #unacknowledged: { sequence: number; copies: Retransmission; timer: NodeJS.Timeout; wantsAnswer: boolean } | null =
    null;
  #onAgreed: (() => void) | null = null;
  #isInviting = false;
  #byeAfterAck: string | null = null;
  #isOver = false;

  constructor(options: CallSessionOptions) {
    this.#options = options;
    const { agent, dialog } = options;
    this.#disown = agent.own(dialog, this);
    this.#timer = new SessionTimer(
      () => this.#refreshSession(),
      () => this.#giveUp("The far end no longer refreshes the call."),
    );
  }

  /** Reads the session timer from the answer to our INVITE. */
  begin(headers: SipHeaders): void {
    const expiry = readSessionExpiry(headers);
    if (expiry && !this.#isOver) this.#timer.restart(expiry.seconds, expiry.refresher !== "uas");
  }

  /** Hangs up; calls `onEnded` at once. Idempotent. */
  hangUp(reason: string): void {
    if (this.#isOver) return;
    // The called side must not send BYE before the ACK of its answer (RFC 3261, 15).
    if (this.#unacknowledged) this.#byeAfterAck = reason;
    else this.#sendBye(reason);
    this.#end({ by: "AGENT", reason });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Asks the far end to call a target in our place. Returns the status of that call, or null when none was reported;
   * `accepted` false: the far end did not try, and the status is its refusal.
   */
  async refer(target: string, limitMs: number, signal: AbortSignal): Promise<ReferralEnd & { accepted: boolean }> {
    const isBusy = this.#referral !== null && !this.#referral.isOver;
    if (this.#isOver || isBusy) return { status: 491, accepted: false };
    const { promise, resolve } = Promise.withResolvers<ReferralEnd>();
    const referral = new Referral(resolve);
    this.#referral = referral;
    const stop = (): void => referral.end(null);
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(stop, limitMs);
    let accepted = false;
    this.#request(
      "REFER",
      (request) => {
        fillReferral(request, target);
        referral.ask(request);
      },
      (response) => {
        accepted = response !== null && response.status < 300;
        if (!accepted) referral.end(response?.status ?? null);
      },
    );
    try {
      return { ...(await promise), accepted: accepted || referral.wasNotified };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Sends our 2xx to the INVITE of an inbound call, until its ACK. `onAgreed`: it holds an offer, which the ACK answers. */
  answer(transaction: ServerTransaction, response: SipResponse, onAgreed: (() => void) | null): void {
    this.#onAgreed = onAgreed;
    this.#sendAnswer(transaction, response, onAgreed !== null);
  }

  onRequest(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (!this.#options.dialog.isNew(request)) return this.#respond(transaction, 500);
    if (request.method === "BYE") this.#takeBye(transaction);
    else if (request.method === "INVITE") this.#takeInvite(transaction);
    else if (request.method === "UPDATE") this.#takeUpdate(transaction);
    else if (request.method === "INFO") this.#takeInfo(transaction);
    else if (request.method === "NOTIFY") this.#takeNotify(transaction);
    else if (request.method === "OPTIONS") this.#respond(transaction, 200);
    else if (request.method === "REFER") this.#respond(transaction, 603);
    else if (request.method === "PRACK") this.#respond(transaction, 481);
    else this.#respond(transaction, 405);
  }

  onAck(request: SipRequest): void {
    const waiting = this.#unacknowledged;
    if (!waiting || parseCSeq(request.headers.get("CSeq"))?.number !== waiting.sequence) return;
    this.#stopWaiting();
    if (waiting.wantsAnswer && !this.#isOver) {
      const fault = this.#options.media.accept(request.body.toString());
      if (fault !== null) return this.#giveUp(fault);
      this.#onAgreed?.();
    }
    if (this.#byeAfterAck !== null) this.#sendBye(this.#byeAfterAck);
    this.#byeAfterAck = null;
  }

  onCancel(): void {
    // What came within the call was answered at once; there is nothing left to take back.
  }

  #takeBye(transaction: ServerTransaction): void {
    this.#respond(transaction, 200);
    this.#referral?.end(null);
    const reason = transaction.request.headers.get("Reason") ?? "The far end hung up.";
    this.#end({ by: "CUSTOMER", reason });
  }

  #takeInvite(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { media, dialog, agent, flow, user } = this.#options;
    if (this.#isOver) return this.#respond(transaction, 481);
    if (this.#isInviting || this.#unacknowledged) return this.#respond(transaction, 491);
    const hasOffer = request.body.length > 0;
    if (hasOffer && !isSdp(request.headers)) return this.#respond(transaction, 415, [["Accept", SDP]]);
    const answer = hasOffer ? media.answer(request.body.toString()) : media.offer();
    if (answer === null) return this.#respond(transaction, 488);
    dialog.refresh(request.headers);
    const headers: [string, string][] = [
      ["Contact", agent.contactFor(flow, user)],
      ["Allow", ALLOWED],
      ...this.confirmTimer(request),
      ["Content-Type", SDP],
    ];
    this.#sendAnswer(transaction, createResponse(request, 200, { headers, body: Buffer.from(answer) }), !hasOffer);
  }

  #takeUpdate(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { media, dialog, agent, flow, user } = this.#options;
    const hasOffer = request.body.length > 0;
    if (hasOffer && (this.#isInviting || this.#unacknowledged)) return this.#respond(transaction, 491);
    if (hasOffer && !isSdp(request.headers)) return this.#respond(transaction, 415, [["Accept", SDP]]);
    const answer = hasOffer ? media.answer(request.body.toString()) : "";
    if (answer === null) return this.#respond(transaction, 488);
    dialog.refresh(request.headers);
    const headers: [string, string][] = [["Contact", agent.contactFor(flow, user)], ...this.confirmTimer(request)];
    if (hasOffer) headers.push(["Content-Type", SDP]);
    transaction.respond(createResponse(request, 200, { headers, body: Buffer.from(answer) }));
  }

  /** Answers an INFO. An empty one checks that we are there; info packages are not supported (RFC 6086). */
  #takeInfo(transaction: ServerTransaction): void {
    const { headers, body } = transaction.request;
    if (headers.get("Info-Package") !== undefined) this.#respond(transaction, 469, [["Recv-Info", ""]]);
    else if (body.length > 0) this.#respond(transaction, 415);
    else this.#respond(transaction, 200);
  }

  #takeNotify(transaction: ServerTransaction): void {
    const isRefer = /^\s*refer\b/i.test(transaction.request.headers.get("Event") ?? "");
    if (!isRefer) return this.#respond(transaction, 489);
    this.#respond(transaction, this.#referral ? this.#referral.notify(transaction.request) : 481);
  }

  /**
   * Accepts the timer of a refresh request; the side that refreshed continues to do so, unless it cannot because a proxy
   * asked for the timer in its place. Without one, the session expires no more if the far end was to refresh it (RFC
   * 4028, 9).
   */
  confirmTimer(request: SipRequest): [string, string][] {
    const ours = this.#timer.weRefresh ? { seconds: this.#timer.seconds, refresher: "uas" as const } : null;
    const expiry = readSessionExpiry(request.headers) ?? ours;
    if (!expiry) {
      this.#timer.stop();
      return [];
    }
    const supports = request.headers.getAll("Supported").some((name) => name.toLowerCase() === "timer");
    const refresher = expiry.refresher ?? (supports ? "uac" : "uas");
    this.#timer.restart(expiry.seconds, refresher === "uas");
    const required: [string, string][] = supports ? [["Require", "timer"]] : [];
    return [["Session-Expires", `${expiry.seconds};refresher=${refresher}`], ...required];
  }

  #sendAnswer(transaction: ServerTransaction, response: SipResponse, wantsAnswer: boolean): void {
    const sequence = parseCSeq(transaction.request.headers.get("CSeq"))?.number ?? 0;
    const { agent } = this.#options;
    const copies = new Retransmission(() => agent.sendCopy(response, transaction.flow), T2_MS);
    const timer = setTimeout(() => {
      this.#stopWaiting();
      this.#giveUp("Our answer was not acknowledged.");
    }, PATIENCE_MS);
    timer.unref();
    this.#unacknowledged = { sequence, copies, timer, wantsAnswer };
    transaction.respond(response);
    // Repeated over a connection too, because the ACK may be lost on another hop (RFC 3261, 13.3.1.4).
    copies.start();
  }

  #stopWaiting(): void {
    this.#unacknowledged?.copies.stop();
    clearTimeout(this.#unacknowledged?.timer);
    this.#unacknowledged = null;
  }

  /** Refreshes the session with an offer that changes nothing (RFC 4028, 7.4). */
  #refreshSession(): void {
    if (this.#isOver || this.#isInviting) return;
    this.#isInviting = true;
    const offer = this.#options.media.offer();
    this.#request(
      "INVITE",
      (request) => {
        request.headers.set("Session-Expires", `${this.#timer.seconds};refresher=uac`);
        request.headers.set("Supported", "timer");
        request.headers.set("Content-Type", SDP);
        request.body = Buffer.from(offer);
      },
      (response) => this.#endRefresh(response),
    );
  }

  #endRefresh(response: SipResponse | null): void {
    this.#isInviting = false;
    if (this.#isOver) return;
    const status = response?.status ?? 408;
    // Only these mean that the call is gone; other refusals leave it unchanged (RFC 3261, 14.1).
    if (status === 408 || status === 481) return this.#giveUp("The far end no longer knows the call.");
    if (!response || status >= 300) return this.#timer.retry();
    const expiry = readSessionExpiry(response.headers);
    this.#options.media.accept(response.body.toString());
    if (expiry) this.#timer.restart(expiry.seconds, expiry.refresher !== "uas");
  }

  /** Sends a request within the call; `done` receives its final response, or null when none came. */
  #request(method: string, fill: (request: SipRequest) => void, done: (response: SipResponse | null) => void): void {
    const { agent, dialog, flow, user, authentication } = this.#options;
    let challenges = 0;
    // The same REFER twice could ring the target twice.
    let mayRepeat = method !== "REFER";
    const send = (way: Flow): void => {
      const request = dialog.createRequest(method);
      request.headers.set("Contact", agent.contactFor(way, user));
      fill(request);
      authentication.sign(request);
      agent.send(request, way, {
        onResponse: (response) => {
          if (response.status < 200) return;
          if (method === "INVITE" && response.status < 300) return this.#acknowledge(request, response, way, done);
          if (++challenges <= MAX_CHALLENGES && authentication.learn(request, response)) send(way);
          else done(response);
        },
        onFailure: (kind) => {
          if (kind === "TIMEOUT" || !mayRepeat) return done(null);
          mayRepeat = false;
          start();
        },
      });
    };
    const start = (): void => void agent.wayTo(dialog.nextHop, flow).then(send);
    start();
  }

  #acknowledge(invite: SipRequest, response: SipResponse, way: Flow, done: (response: SipResponse) => void): void {
    if (readTag(response.headers.get("To")) !== this.#options.dialog.remoteTag) return;
    const { dialog, agent } = this.#options;
    dialog.refresh(response.headers);
    agent.sendAck(dialog.createRequest("ACK", parseCSeq(invite.headers.get("CSeq"))?.number ?? 0), way);
    done(response);
  }

  #sendBye(reason: string): void {
    this.#request(
      "BYE",
      (request) => request.headers.set("Reason", `SIP;cause=200;text="${toQuotable(reason)}"`),
      () => undefined,
    );
  }

  /** Ends a call that is of no more use, with a BYE to the far end. */
  #giveUp(reason: string): void {
    if (this.#isOver && this.#byeAfterAck === null) return;
    this.#sendBye(reason);
    this.#byeAfterAck = null;
    this.#end({ by: "CARRIER", reason });
  }

  #end(end: SessionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.stop();
    this.#options.onEnded(end);
    // Late requests of the far end still belong to the call for a while; afterwards they are refused.
    setTimeout(this.#disown, PATIENCE_MS).unref();
  }

  #respond(transaction: ServerTransaction, status: number, headers: [string, string][] = []): void {
    const allow: [string, string][] = status === 405 ? [["Allow", ALLOWED]] : [];
    transaction.respond(createResponse(transaction.request, status, { headers: [...allow, ...headers] }));
  }
}

function fillReferral(request: SipRequest, target: string): void {
  request.headers.set("Refer-To", `<${target}>`);
  const own = parseNameAddr(request.headers.get("From") ?? "")?.uri;
  if (own) request.headers.set("Referred-By", `<${own}>`);
}

function isSdp(headers: SipHeaders): boolean {
  return /^\s*application\/sdp\s*(;|$)/i.test(headers.get("Content-Type") ?? "");
}

/** Returns a text that is safe between quotes in a header. */
function toQuotable(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e]/g, " ")
    .replaceAll(/["\\]/g, "'")
    .slice(0, 200);
}
