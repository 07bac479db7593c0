import { toError } from "#src/platform/kernel/errors.ts";
import type { AssertMayLeave } from "#src/telephony/carriers/carrier.ts";
import { Authentication, type Credentials } from "./authentication.ts";
import type { CallMedia } from "./call-media.ts";
import { CallSession, type SessionEnd } from "./call-session.ts";
import type { ClientTransaction } from "./client-transaction.ts";
import { Dialog } from "./dialog.ts";
import type { Flow, Hop } from "./flow.ts";
import type { Locator } from "./locate.ts";
import { parseNameAddr, readTag } from "./name-addr.ts";
import { ALLOWED, type SipAgent } from "./sip-agent.ts";
import { SipHeaders, type SipRequest, type SipResponse } from "./sip-message.ts";
import { parseSipUri } from "./sip-uri.ts";
import { PATIENCE_MS } from "./timing.ts";
import { createTag } from "./transactions.ts";

const MAX_REDIRECTS = 5;
/** The trunk's own challenge, a stale nonce, and a proxy's. */
const MAX_CHALLENGES = 4;

/** End of a call that nobody answered. `mayHaveRung` false proves that nobody was rung. */
export interface CallFailure {
  /**
   * REFUSED: by a final response. SILENT: nothing came in 32 s. BROKEN: the flow broke. UNREACHED: nothing was sent.
   * CANCELLED: by us. NO_AUDIO: it was answered, and no audio could be agreed.
   */
  kind: "REFUSED" | "SILENT" | "BROKEN" | "UNREACHED" | "CANCELLED" | "NO_AUDIO";
  response: SipResponse | null;
  message: string;
  mayHaveRung: boolean;
}

/** Callbacks for the progress of a call. */
export interface OutgoingEvents {
  /** A response came, so the far end has the call. */
  onTrying(): void;
  onRinging(): void;
  onAnswered(session: CallSession): void;
  /** Nobody answered. */
  onFailed(failure: CallFailure): void;
  /** The answered call is over. */
  onEnded(end: SessionEnd): void;
  /** A hop is dead, or refuses everything. */
  onDeadHop(hop: Hop): void;
}

/** Dependencies and settings of a call. */
export interface OutgoingCallOptions {
  agent: SipAgent;
  locator: Locator;
  media: CallMedia;
  credentials: Credentials | null;
  /** Best first; at least one. */
  hops: readonly Hop[];
  callId: string;
  /** The Request-URI, and To. */
  uri: string;
  /** From, without a tag. */
  from: string;
  /** User part of our Contact. */
  user: string;
  headers: Iterable<[name: string, value: string]>;
  ringTimeoutMs: number;
  events: OutgoingEvents;
  /** Called right before each INVITE, and before each copy of one. */
  assertMayLeave?: AssertMayLeave | undefined;
}

/** A call that we make, from its first INVITE until it is answered, fails or is cancelled. */
export class OutgoingCall {
  readonly #options: OutgoingCallOptions;
  readonly #authentication: Authentication;
  readonly #from: string;
  readonly #abort = new AbortController();
  #hops: Hop[];
  #hop: Hop | null = null;
  #uri: string;
  #invite: ClientTransaction | null = null;
  #sequence = 0;
  #challenges = 0;
  #redirects = 0;
  #early: { tag: string | null; body: Buffer } | null = null;
  #hasProvisional = false;
  #hasRung = false;
  #wasSent = false;
  #cancelledBecause: string | null = null;
  #isCancelSent = false;
  #isOver = false;
  /** By the tag of the answering side: the ACK, which is sent again for each copy of the answer. */
  readonly #acks = new Map<string, { bytes: Buffer; flow: Flow } | null>();
  #session: CallSession | null = null;
  #ringTimer: NodeJS.Timeout | undefined;

  constructor(options: OutgoingCallOptions) {
    this.#options = options;
    this.#authentication = new Authentication(options.credentials);
    this.#from = `${options.from};tag=${createTag()}`;
    this.#hops = [...options.hops];
    this.#uri = options.uri;
  }

  start(): void {
    const { ringTimeoutMs } = this.#options;
    this.#ringTimer = setTimeout(() => this.cancel("Nobody answered in time."), ringTimeoutMs);
    void this.#tryNextHop("There is no address to dial.");
  }

  /** Cancels the call; an answer that comes all the same is hung up. Idempotent. */
  cancel(because: string): void {
    if (this.#isOver || this.#cancelledBecause !== null) return;
    this.#cancelledBecause = because;
    clearTimeout(this.#ringTimer);
    if (!this.#invite) return this.#fail("CANCELLED", because, null);
    // Before a provisional response a CANCEL could overtake its INVITE (RFC 3261, 9.1).
    if (this.#hasProvisional) this.#sendCancel();
  }

  async #tryNextHop(reason: string): Promise<void> {
    const hop = this.#hops.shift();
    if (!hop) return this.#fail(this.#wasSent ? "BROKEN" : "UNREACHED", reason, null);
    this.#hop = hop;
    let flow: Flow;
    try {
      flow = await this.#options.agent.connect(hop, this.#abort.signal);
    } catch (error) {
      if (this.#isOver) return;
      this.#options.events.onDeadHop(hop);
      return this.#tryNextHop(toError(error).message);
    }
    if (this.#cancelledBecause !== null) this.#fail("CANCELLED", this.#cancelledBecause, null);
    else if (!this.#isOver) this.#sendInvite(flow);
  }

  #sendInvite(flow: Flow): void {
    const held = this.#heldBack(this.#wasSent);
    if (held !== null) return this.#fail(this.#wasSent ? "BROKEN" : "UNREACHED", held, null);
    const { agent, callId, media, user, headers } = this.#options;
    const fields = new SipHeaders();
    fields.add("Max-Forwards", "70");
    fields.add("From", this.#from);
    fields.add("To", `<${this.#options.uri}>`);
    fields.add("Call-ID", callId);
    fields.add("CSeq", `${++this.#sequence} INVITE`);
    fields.add("Contact", agent.contactFor(flow, user));
    fields.add("Allow", ALLOWED);
    fields.add("Supported", "timer");
    for (const [name, value] of headers) fields.add(name, value);
    fields.add("Content-Type", "application/sdp");
    const body = Buffer.from(media.offer());
    const request: SipRequest = { kind: "REQUEST", method: "INVITE", uri: this.#uri, headers: fields, body };
    this.#authentication.sign(request);
    this.#hasProvisional = false;
    this.#early = null;
    this.#wasSent = true;
    this.#invite = agent.send(request, flow, {
      onResponse: (response) => this.#take(request, flow, response),
      onFailure: (kind, message) => this.#lose(kind, message),
      mayRepeat: () => this.#heldBack(true) === null,
    });
  }

  /** Returns why nothing may be sent any more; null when it may. */
  #heldBack(isUnderWay: boolean): string | null {
    try {
      this.#options.assertMayLeave?.(isUnderWay);
      return null;
    } catch (error) {
      return toError(error).message;
    }
  }

  #take(request: SipRequest, flow: Flow, response: SipResponse): void {
    if (response.status < 200) this.#hearProgress(response);
    else if (response.status < 300) void this.#hearAnswer(request, flow, response);
    else if (!this.#isOver) this.#hearRefusal(request, flow, response);
  }

  #hearProgress(response: SipResponse): void {
    if (this.#isOver) return;
    this.#hasProvisional = true;
    if (this.#cancelledBecause !== null) return this.#sendCancel();
    const { events } = this.#options;
    events.onTrying();
    if (response.status === 100) return;
    if (response.body.length > 0) this.#early = { tag: readTag(response.headers.get("To")), body: response.body };
    if (this.#hasRung || (response.status !== 180 && response.status !== 183)) return;
    this.#hasRung = true;
    events.onRinging();
  }

  #hearRefusal(request: SipRequest, flow: Flow, response: SipResponse): void {
    if (this.#cancelledBecause !== null) return this.#fail("CANCELLED", this.#cancelledBecause, response);
    const mayRetry = ++this.#challenges <= MAX_CHALLENGES && this.#authentication.learn(request, response);
    if (mayRetry) return this.#sendInvite(flow);
    if (response.status >= 300 && response.status < 400) return void this.#follow(response);
    if (response.status === 503 && !this.#hasRung && this.#hops.length > 0) {
      if (this.#hop) this.#options.events.onDeadHop(this.#hop);
      return void this.#tryNextHop("");
    }
    this.#fail("REFUSED", `${response.status} ${response.reason}`.trim(), response);
  }

  /** Follows a redirect, only to addresses that the guard allows (RFC 3261, 8.1.3.4). */
  async #follow(response: SipResponse): Promise<void> {
    const contacts = response.headers.getAll("Contact").flatMap((value) => parseNameAddr(value) ?? []);
    contacts.sort((a, b) => Number(b.params.get("q") ?? 1) - Number(a.params.get("q") ?? 1));
    for (const { uri } of contacts) {
      const parsed = parseSipUri(uri);
      if (!parsed || ++this.#redirects > MAX_REDIRECTS) continue;
      const named = parsed.params.get("transport")?.toUpperCase();
      const transport = named === "TCP" || named === "TLS" || named === "UDP" ? named : (this.#hop?.transport ?? "UDP");
      try {
        const { host, port } = parsed;
        this.#hops = [...(await this.#options.locator.locate({ host, port, transport }))];
      } catch {
        // The next contact may work.
        continue;
      }
      if (this.#isOver) return;
      if (this.#cancelledBecause !== null) return this.#fail("CANCELLED", this.#cancelledBecause, response);
      this.#uri = uri.replace(/\?.*$/s, "");
      return this.#tryNextHop("The address that the trunk redirected to cannot be reached.");
    }
    this.#fail("REFUSED", `${response.status} ${response.reason}`.trim(), response);
  }

  #lose(kind: "TIMEOUT" | "BROKEN", message: string): void {
    if (this.#isOver) return;
    if (kind === "TIMEOUT" && this.#hop) this.#options.events.onDeadHop(this.#hop);
    if (this.#cancelledBecause !== null) return this.#fail("CANCELLED", this.#cancelledBecause, null);
    // The INVITE may have arrived although nothing came back: dialling elsewhere could ring a person twice.
    this.#fail(kind === "TIMEOUT" ? "SILENT" : "BROKEN", message, null);
  }

  async #hearAnswer(request: SipRequest, flow: Flow, response: SipResponse): Promise<void> {
    const tag = readTag(response.headers.get("To")) ?? "";
    if (this.#acks.has(tag)) {
      const sent = this.#acks.get(tag);
      if (sent) sent.flow.send(sent.bytes);
      return;
    }
    this.#acks.set(tag, null);
    const dialog = Dialog.ofAnswer(request, response);
    const wasOver = this.#isOver;
    this.#options.media.noteSignalling(flow.remote.address);
    const session = this.#createSession(dialog, flow);
    // The media is settled before anything is awaited, so that a second answer finds the call already answered.
    const reason = wasOver ? null : this.#settle(session, response, tag);
    const way = await this.#options.agent.wayTo(dialog.nextHop, flow);
    const ack = dialog.createRequest("ACK", this.#sequenceOf(request));
    for (const name of ["Authorization", "Proxy-Authorization"]) {
      const value = request.headers.get(name);
      if (value !== undefined) ack.headers.set(name, value);
    }
    this.#acks.set(tag, { bytes: this.#options.agent.sendAck(ack, way), flow: way });
    if (wasOver || reason !== null) session.hangUp(reason ?? "Another leg of the call was answered.");
    else session.begin(response.headers);
  }

  /** Settles the call on this answer and returns null, or returns why it is hung up again. */
  #settle(session: CallSession, response: SipResponse, tag: string): string | null {
    this.#isOver = true;
    clearTimeout(this.#ringTimer);
    const { media, events } = this.#options;
    if (this.#cancelledBecause !== null) {
      this.#report("CANCELLED", this.#cancelledBecause, response);
      return this.#cancelledBecause;
    }
    // Some trunks describe the audio only in their 183.
    const early = this.#early?.tag === tag ? this.#early.body : response.body;
    const fault = media.accept((response.body.length > 0 ? response.body : early).toString());
    if (fault !== null) {
      this.#report("NO_AUDIO", fault, response);
      return fault;
    }
    this.#session = session;
    events.onAnswered(session);
    return null;
  }

  #createSession(dialog: Dialog, flow: Flow): CallSession {
    const { agent, media, user, events } = this.#options;
    const session: CallSession = new CallSession({
      agent,
      dialog,
      flow,
      media,
      user,
      authentication: this.#authentication,
      onEnded: (end) => (this.#session === session ? events.onEnded(end) : undefined),
    });
    return session;
  }

  #sequenceOf(request: SipRequest): number {
    return Number((request.headers.get("CSeq") ?? "").split(" ", 1)[0]);
  }

  #sendCancel(): void {
    if (this.#isCancelSent || !this.#invite) return;
    this.#isCancelSent = true;
    this.#options.agent.cancel(this.#invite);
    // When the far end never answers the cancelled INVITE, we end the transaction ourselves (RFC 3261, 9.1).
    const invite = this.#invite;
    setTimeout(() => {
      if (this.#isOver) return;
      invite.drop();
      this.#fail("CANCELLED", this.#cancelledBecause ?? "", null);
    }, PATIENCE_MS).unref();
  }

  #fail(kind: CallFailure["kind"], message: string, response: SipResponse | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#ringTimer);
    this.#report(kind, message, response);
  }

  #report(kind: CallFailure["kind"], message: string, response: SipResponse | null): void {
    this.#abort.abort();
    const mayHaveRung = kind !== "UNREACHED" && (this.#wasSent || kind !== "CANCELLED");
    this.#options.events.onFailed({ kind, response, message, mayHaveRung });
  }
}
