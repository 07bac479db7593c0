import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { request } from "node:http";
import { WebSocket } from "ws";
import type { DialPlan } from "./fake-carrier.ts";
import { isVoiced } from "./twilio-stream.ts";

type Json = Record<string, unknown>;

/** Time that the person talks once the agent has spoken. */
const CALL_MS = 8_000;
/** Time that the person waits for the agent's first word: a machine under load is slow to speak. */
const PATIENCE_MS = 20_000;
const LATE_MS = 2_000;
const ANSWER_MS = 60;
const SHORT_CALL_MS = 300;
const FRAME_MS = 20;
/** 20 ms of silence in mu-law. */
const SILENCE = Buffer.alloc(160, 0xff).toString("base64");

/** The two keys of an account that signs: its own, and another one. */
export class WebhookSigner {
  readonly publicKey: string;
  readonly #own: KeyObject;
  readonly #other: KeyObject;

  constructor() {
    const own = generateKeyPairSync("ed25519");
    this.#own = own.privateKey;
    this.#other = generateKeyPairSync("ed25519").privateKey;
    this.publicKey = Buffer.from(own.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
  }

  /** Headers of a webhook, signed at `seconds`. */
  sign(body: string, options: { forged?: boolean; seconds?: number } = {}): Record<string, string> {
    const timestamp = String(options.seconds ?? Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), options.forged ? this.#other : this.#own);
    return {
      "content-type": "application/json",
      "telnyx-timestamp": timestamp,
      "telnyx-signature-ed25519": signature.toString("base64"),
    };
  }

  /** Posts a webhook; it is lost when the receiver is down or refuses it. */
  async post(url: string, data: Json, forged = false): Promise<void> {
    const body = JSON.stringify({ data, meta: { attempt: 1, delivered_to: url } });
    await new Promise<void>((resolve) => {
      const call = request(url, { method: "POST", headers: this.sign(body, { forged }) }, (reply) => {
        reply.resume().on("end", resolve);
      });
      call.on("error", () => resolve());
      call.end(body);
    });
  }
}

/** Returns an event in Telnyx's envelope. */
export function toEvent(type: string, payload: Json): Json {
  return { record_type: "event", event_type: type, id: randomUUID(), occurred_at: new Date().toISOString(), payload };
}

/** Settings of a call. */
export interface PhoneCallOptions {
  from: string;
  to: string;
  connectionId: string;
  direction: "incoming" | "outgoing";
  plan: DialPlan;
  /** The body of the dial; for an incoming call, the body of its answer later. */
  command: Json;
  /** Address for the application's events, for calls whose command names none. */
  fallbackUrl: string | null;
}

/** One of the carrier's calls, with the person at its other end. */
export class PhoneCall {
  readonly id = `v3:${randomUUID()}`;
  readonly legId = randomUUID();
  readonly sessionId = randomUUID();
  readonly options: PhoneCallOptions;
  /** Every event, as the list of events shows them, sent or not. */
  readonly events: Json[] = [];
  /** Number of audio frames received from us. */
  heardFrames = 0;
  #isSpokenTo = false;
  isAlive = true;
  isAnswered = false;
  endedAt: string | null = null;
  #command: Json;
  #held: Json[] = [];
  #posting: Promise<void> = Promise.resolve();
  #socket: WebSocket | null = null;
  #frames: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #signer: WebhookSigner;

  constructor(signer: WebhookSigner, options: PhoneCallOptions) {
    this.#signer = signer;
    this.options = options;
    this.#command = options.command;
  }

  get clientState(): unknown {
    return this.#command["client_state"];
  }

  get commandId(): unknown {
    return this.#command["command_id"];
  }

  /** Places the call, or rings as an incoming one; the person's actions follow by themselves. */
  begin(): void {
    const { direction, plan } = this.options;
    this.#notify("call.initiated", { direction, state: direction === "incoming" ? "parked" : "bridging" });
    if (direction === "incoming") return;
    if (plan.person === "BUSY") this.#later(ANSWER_MS, () => this.end("user_busy", "callee", "486"));
    else if (plan.person === "NO_ANSWER") this.#later(ANSWER_MS, () => this.end("no_answer", "unknown", "487"));
    else this.#later(ANSWER_MS, () => this.#pickUp());
  }

  /** Answers an incoming call, on our command. */
  answer(command: Json): void {
    this.#command = command;
    this.#pickUp();
  }

  #pickUp(): void {
    if (!this.isAlive || this.isAnswered) return;
    this.isAnswered = true;
    this.#notify("call.answered", { state: "answered", start_time: new Date().toISOString() });
    const url = this.#command["stream_url"];
    if (typeof url === "string") this.#stream(url);
    else this.#leaveAfter(SHORT_CALL_MS);
  }

  /** Makes the person hang up after this time, unless the call has ended before. */
  #leaveAfter(ms: number): void {
    const party = this.options.direction === "outgoing" ? "callee" : "caller";
    this.#later(ms, () => this.end("normal_clearing", party, "200"));
  }

  #stream(url: string): void {
    const socket = new WebSocket(url);
    this.#socket = socket;
    const streamId = randomUUID();
    let sequence = 1;
    const send = (message: Json) => {
      const numbered = { ...message, sequence_number: String(sequence++), stream_id: streamId };
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(numbered));
    };
    socket.on("open", () => {
      socket.send(JSON.stringify({ event: "connected", version: "1.0.0" }));
      const { from, to } = this.options;
      const media = { encoding: "PCMU", sample_rate: 8000, channels: 1 };
      const start = { user_id: randomUUID(), call_control_id: this.id, call_session_id: this.sessionId, from, to };
      send({ event: "start", start: { ...start, client_state: this.clientState, media_format: media } });
      this.#leaveAfter(this.options.plan.person === "HANGS_UP" ? SHORT_CALL_MS : PATIENCE_MS + CALL_MS);
      let chunk = 1;
      this.#frames = setInterval(() => {
        const at = { chunk: String(chunk), timestamp: String(chunk * FRAME_MS) };
        send({ event: "media", media: { track: "inbound", ...at, payload: SILENCE } });
        chunk++;
      }, FRAME_MS);
    });
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Json;
      if (message["event"] === "media") this.#hear(message["media"] as Json);
      if (message["event"] === "mark") send({ event: "mark", mark: message["mark"] });
    });
    socket.on("error", () => {
      this.#notify("streaming.failed", { failure_reason: "connection_failed" });
      this.#leaveAfter(SHORT_CALL_MS);
    });
    socket.on("close", () => clearInterval(this.#frames));
  }

  #hear({ payload }: Json): void {
    this.heardFrames++;
    if (this.#isSpokenTo || !isVoiced(Buffer.from(String(payload), "base64"))) return;
    this.#isSpokenTo = true;
    this.#leaveAfter(CALL_MS);
  }

  /** Ends the call, once. */
  end(cause: string, source: string, sipCode: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.endedAt = new Date().toISOString();
    this.stop();
    const ending = { hangup_cause: cause, hangup_source: source, sip_hangup_cause: sipCode, state: "hangup" };
    this.#notify("call.hangup", ending);
  }

  /** Releases timers and the socket. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearInterval(this.#frames);
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return socket?.terminate();
    socket.send(JSON.stringify({ event: "stop", stop: { call_control_id: this.id } }));
    socket.close();
  }

  #later(ms: number, run: () => void): void {
    this.#timers.push(setTimeout(run, ms));
  }

  #notify(type: string, more: Json): void {
    const { from, to, connectionId, plan } = this.options;
    const ids = { call_control_id: this.id, call_leg_id: this.legId, call_session_id: this.sessionId };
    const state = this.clientState === undefined ? {} : { client_state: this.clientState };
    const event = toEvent(type, { ...ids, connection_id: connectionId, from, to, ...state, ...more });
    this.events.push(event);
    if (plan.webhooks === "LOST") return;
    if (plan.webhooks !== "REVERSED") return this.#post(event);
    this.#held.push(event);
    if (type === "call.hangup") for (const held of this.#held.toReversed()) this.#post(held);
  }

  #post(event: Json): void {
    const { plan, fallbackUrl } = this.options;
    const named = this.#command["webhook_url"];
    const url = typeof named === "string" ? named : fallbackUrl;
    if (url === null) return;
    const times = plan.webhooks === "TWICE" ? 2 : 1;
    const forged = plan.webhooks === "FORGED";
    const send = async () => {
      for (let i = 0; i < times; i++) await this.#signer.post(url, event, forged);
    };
    if (plan.webhooks === "LATE") setTimeout(() => void send(), LATE_MS);
    else this.#posting = this.#posting.then(send);
  }
}
