import { randomUUID } from "node:crypto";
import WebSocket from "ws";
import type { DialPlan } from "./fake-carrier.ts";
import type { VonagePoster } from "./vonage-poster.ts";

const RING_MS = 20;
const ANSWER_MS = 60;
const HANG_UP_MS = 200;
const LONGEST_CONVERSATION_MS = 8_000;
const FRAME_MS = 20;
const RATE_HZ = 8_000;
const TONE_HZ = 440;
/** A second of the agent's voice: a caller hears this much before they speak, and before they leave. */
const HEARS_FIRST_BYTES = RATE_HZ * 2;
/** Level below which audio is no voice; the socket carries silence, too. */
const QUIET = 300;
/**
 * Interval at which a caller who has heard too little stays on, and how often: a machine under load is slow to speak.
 */
const STAYS_ON_MS = 500;
const STAYS_ON_TIMES = 40;
/** Time that a caller who had to wait stays on, to hear the agent's sentence to its end. */
const LAST_WORDS_MS = 2_000;

/** Settings of a call at the fake carrier. */
export interface VonageCallOptions {
  /** Without "+". */
  from: string;
  /** Without "+". */
  to: string;
  direction: "inbound" | "outbound";
  plan: DialPlan;
  eventUrl: string | null;
  /** Commands for the answered call. */
  ncco: readonly Record<string, unknown>[];
  poster: VonagePoster;
  detectsMachines: boolean;
}

/** One call at the fake carrier: rings, is answered, opens its socket, ends, and reports all of it. */
export class VonageCall {
  readonly uuid: string = randomUUID();
  readonly conversationUuid = `CON-${randomUUID()}`;
  readonly startedAt = new Date();
  readonly options: VonageCallOptions;
  status = "started";
  /** Bytes of voice and of silence received over the socket. */
  heardBytes = 0;
  /** Bytes of voice among them. */
  #voicedBytes = 0;
  /** Texts received over the socket. */
  readonly heardTexts: string[] = [];
  #held: object[] = [];
  #posting: Promise<void> = Promise.resolve();
  readonly #timers = new Set<NodeJS.Timeout>();
  #socket: WebSocket | null = null;

  constructor(options: VonageCallOptions) {
    this.options = options;
  }

  /** Starts ringing; the rest of the call follows. */
  begin(): void {
    this.#report("started");
    // One after the other: timers of a machine that stood still may run in any order.
    this.#after(RING_MS, () => {
      this.#become("ringing");
      this.#after(ANSWER_MS, () => this.#act());
    });
  }

  #act(): void {
    const { person } = this.options.plan;
    if (person === "BUSY") this.#finish("busy", {});
    else if (person === "NO_ANSWER") this.#finish("unanswered", { detail: "timeout" });
    else this.answer();
  }

  /** Answers the call and follows its commands. */
  answer(): void {
    if (this.#isOver()) return;
    const { plan, ncco, detectsMachines } = this.options;
    this.#become("answered", { start_time: null, rate: "", network: null });
    if (plan.webhooks === "REVERSED" && plan.person === "PICKS_UP") this.#flush();
    if (detectsMachines) this.#report("human", {}, "call_uuid");
    const [order] = ncco;
    if (order?.action === "connect") this.#connect(order);
    else this.#after(FRAME_MS, () => this.hangUp("platform"));
    const ms = plan.person === "HANGS_UP" ? HANG_UP_MS : LONGEST_CONVERSATION_MS;
    this.#after(ms, () => this.#leave(STAYS_ON_TIMES));
  }

  #leave(patience: number): void {
    if (this.#listens && patience > 0) this.#after(STAYS_ON_MS, () => this.#leave(patience - 1));
    else this.#after(patience < STAYS_ON_TIMES ? LAST_WORDS_MS : 0, () => this.hangUp("user"));
  }

  /** True while a caller listens first: speech from the start on may stop the agent before its first word. */
  get #listens(): boolean {
    return this.options.direction === "inbound" && this.#voicedBytes < HEARS_FIRST_BYTES;
  }

  /** Ends the call, by the person or by a command. */
  hangUp(by: "user" | "platform"): void {
    if (this.#isOver()) return;
    if (this.status === "answered") {
      const seconds = Math.max(1, Math.round((Date.now() - this.startedAt.getTime()) / 1_000));
      this.#finish("completed", { disconnected_by: by, duration: `${seconds}`, rate: "0.01", price: "0.01" });
    } else this.#finish("cancelled", {});
  }

  /** Returns the call as the list of calls shows it. */
  toRecord(): object {
    const { from, to, direction } = this.options;
    return {
      uuid: this.uuid,
      conversation_uuid: this.conversationUuid,
      to: { type: "phone", number: to },
      from: { type: "phone", number: from },
      status: this.status,
      direction,
      start_time: this.startedAt.toISOString().slice(0, 19).replace("T", " "),
    };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.terminate();
  }

  #isOver(): boolean {
    return !["started", "ringing", "answered"].includes(this.status);
  }

  #become(status: string, extra: object = {}): void {
    if (this.#isOver()) return;
    this.status = status;
    this.#report(status, extra);
  }

  #finish(status: string, extra: object): void {
    if (this.#isOver()) return;
    this.status = status;
    this.close();
    this.#report(status, { ...extra, end_time: new Date().toISOString() });
    this.#flush();
  }

  #report(status: string, extra: object = {}, idName = "uuid"): void {
    const { from, to, direction, plan } = this.options;
    const ids = { [idName]: this.uuid, conversation_uuid: this.conversationUuid };
    const event = { from, to, ...ids, status, direction, ...extra, timestamp: new Date().toISOString() };
    this.#held.push(event);
    if (plan.webhooks !== "REVERSED") this.#flush();
  }

  #flush(): void {
    const { eventUrl, plan, poster } = this.options;
    const events = plan.webhooks === "REVERSED" ? this.#held.toReversed() : this.#held;
    this.#held = [];
    if (eventUrl === null) return;
    for (const event of events) {
      this.#posting = this.#posting.then(() => poster.post(eventUrl, event, plan.webhooks));
    }
  }

  #connect(order: Record<string, unknown>): void {
    const [endpoint] = order.endpoint as Record<string, unknown>[];
    if (!endpoint || endpoint.type !== "websocket") return;
    const [eventUrl = null] = (order.eventUrl as string[] | undefined) ?? [];
    const uri = endpoint.uri as string;
    const socket = new WebSocket(uri);
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("open", () => {
      const started = { event: "websocket:connected", "content-type": endpoint["content-type"] };
      socket.send(JSON.stringify({ ...started, ...(endpoint.headers as object) }));
      this.#dialogue(socket);
      this.#reportSocket(eventUrl, uri, "answered");
    });
    socket.on("message", (data: Buffer, isBinary) => this.#hear(socket, data, isBinary));
    socket.on("close", () => {
      this.#reportSocket(eventUrl, uri, "disconnected");
      this.hangUp("platform");
    });
  }

  /** Reports the socket, which is a leg of its own. */
  #reportSocket(eventUrl: string | null, to: string, status: string): void {
    if (eventUrl === null) return;
    const ids = { uuid: randomUUID(), conversation_uuid: this.conversationUuid };
    const event = { from: this.options.to, to, ...ids, status, direction: "outbound", timestamp: new Date() };
    void this.options.poster.post(eventUrl, event, this.options.plan.webhooks);
  }

  #hear(socket: WebSocket, data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.heardBytes += data.length;
      if (isVoiced(data)) this.#voicedBytes += data.length;
      return;
    }
    this.heardTexts.push(data.toString());
    const { action, payload } = JSON.parse(data.toString()) as { action?: string; payload?: unknown };
    if (action === "clear") socket.send(JSON.stringify({ event: "websocket:cleared" }));
    if (action === "notify") socket.send(JSON.stringify({ event: "websocket:notify", payload }));
  }

  /** Sends a tone, one frame after the other; silence while the caller still listens. */
  #dialogue(socket: WebSocket): void {
    const frame = Buffer.alloc((RATE_HZ / 50) * 2);
    for (let i = 0; i < frame.length / 2; i++) {
      frame.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE_HZ)), i * 2);
    }
    const silence = Buffer.alloc(frame.length);
    const timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(this.#listens ? silence : frame);
    }, FRAME_MS);
    this.#timers.add(timer);
  }

  #after(ms: number, run: () => void): void {
    this.#timers.add(setTimeout(run, ms));
  }
}

/** True when any sample of linear 16-bit audio is loud enough for a voice. */
function isVoiced(frame: Buffer): boolean {
  for (let at = 0; at + 1 < frame.length; at += 2) if (Math.abs(frame.readInt16LE(at)) > QUIET) return true;
  return false;
}
