import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { VoiceCall } from "#src/audio/voice/voice-calls.ts";
import type { SocketOwner, WebSocketPeer } from "#src/platform/http/web-socket.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { FarNode } from "#src/platform/kernel/node-identity.ts";
import { FarCall } from "./far-call.ts";
import { FRAME_BYTES, type FromSupervisor, readMessage, type SupervisionMode, type ToSupervisor } from "./messages.ts";
import type { noteSupervision, Supervised } from "./supervision.ts";

/** Close codes of a supervisor's connection, beyond those of RFC 6455. */
export const CLOSE = {
  NORMAL: 1000,
  GOING_AWAY: 1001,
  INTERNAL: 1011,
  MALFORMED: 4400,
  TOKEN: 4401,
  FORBIDDEN: 4403,
  SILENT: 4408,
  ELSEWHERE: 4421,
  FLOOD: 4429,
} as const;

const HELLO_MS = 5_000;
const MAX_MALFORMED = 10;
/** Limit of mode changes, because each one is recorded. */
const MAX_SWITCHES = 200;
/** Bytes waiting to be sent above which call audio is dropped: one second. */
const MAX_WAITING_BYTES = 16_000;
const HEARD_BY = { LISTEN: "NOBODY", WHISPER: "AGENT", BARGE: "BOTH", TAKE_OVER: "BOTH" } as const;

/** Hub that a supervisor's session depends on. */
export interface SupervisorHub {
  /** Uses up a token for a call of this node and returns its holder, or the other node that must be asked. */
  admit(session: SupervisorSession, token: string): Promise<Supervised | { far: FarNode } | undefined>;
  find(supervised: Supervised): VoiceCall | undefined;
  /** Keeps the call's agent silent, and has the supervisor's speech transcribed, until it is released. */
  takeOver(supervised: Supervised): TakeOver;
  note(
    supervised: Supervised,
    type: Parameters<typeof noteSupervision>[2],
    more?: Record<string, unknown>,
  ): Promise<void>;
  forget(session: SupervisorSession): void;
  onFault(error: unknown): void;
}

/** A call whose agent is silent while a supervisor speaks with the person. */
export interface TakeOver {
  /** Takes a frame of the supervisor's voice. */
  hear(frame: Uint8Array): void;
  /** Waits for the supervisor's last words, at most two seconds, and lets the agent go on. Never rejects. */
  release(): Promise<void>;
}

interface Opened {
  supervised: Supervised;
  port: MessagePort;
  /** Id of this supervision in the call's events. */
  supervisionId: string;
}

/** One supervisor's connection: hello with a token, then the call's audio until one side ends it. */
export class SupervisorSession implements SocketOwner {
  readonly #peer: WebSocketPeer;
  readonly #hub: SupervisorHub;
  readonly #hello: NodeJS.Timeout;
  /** True for a connection that another node forwards to this one. */
  readonly isForwarded: boolean;
  #opened: Opened | undefined;
  /** The connection to the node that holds the call, if that is another one. */
  #far: FarCall | undefined;
  #mode: SupervisionMode = "LISTEN";
  #hasHello = false;
  #work: Promise<void> = Promise.resolve();
  #malformed = 0;
  #switches = 0;
  #isGone = false;
  #takeOver: TakeOver | null = null;

  constructor(peer: WebSocketPeer, hub: SupervisorHub, isForwarded: boolean) {
    this.#peer = peer;
    this.isForwarded = isForwarded;
    this.#hub = hub;
    this.#hello = setTimeout(() => this.#peer.close(CLOSE.SILENT, "No hello came."), HELLO_MS);
  }

  /** Resolves when the started work is done. */
  get settled(): Promise<void> {
    return this.#work;
  }

  onText(json: string): void {
    const message = readMessage(json);
    if (!message) return this.#refuse();
    this.#do(() => this.#handle(message, json));
  }

  onBinary(bytes: Buffer): void {
    if (bytes.length !== FRAME_BYTES) return this.#refuse();
    if (this.#far) return this.#far.send(bytes);
    if (this.#mode === "LISTEN") return;
    const frame = new Uint8Array(bytes);
    this.#takeOver?.hear(frame);
    this.#opened?.port.postMessage(frame);
  }

  onEnd(): void {
    this.#isGone = true;
    clearTimeout(this.#hello);
    this.#hub.forget(this);
    this.#do(() => this.#leave());
  }

  /** Closes the connection. */
  close(code: number, reason = ""): void {
    this.#peer.close(code, reason);
  }

  /** Runs work after the earlier messages are handled. */
  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#hub.onFault(error);
      this.close(CLOSE.INTERNAL, "Something went wrong here.");
    });
  }

  async #handle(message: FromSupervisor, json: string): Promise<void> {
    if (this.#isGone) return;
    if (this.#far) return this.#far.send(json);
    if (message.type === "hello") return this.#hasHello ? this.#notNow() : this.#open(message.token);
    if (!this.#opened) return this.#notNow();
    if (message.mode !== this.#mode) await this.#switch(this.#opened, message.mode);
    this.#send({ type: "mode", mode: this.#mode });
  }

  async #open(token: string): Promise<void> {
    this.#hasHello = true;
    clearTimeout(this.#hello);
    const supervised = await this.#hub.admit(this, token);
    if (!supervised) return this.close(CLOSE.TOKEN, "The token opens nothing.");
    if ("far" in supervised) return this.#forward(supervised.far, token);
    const supervisionId = uuidv7();
    // Nobody hears a call unrecorded: the event is stored before the first frame.
    await this.#hub.note(supervised, "call.supervision_started", { supervisionId, mode: this.#mode });
    const { port1: port, port2 } = new MessageChannel();
    this.#opened = { supervised, port, supervisionId };
    const call = this.#hub.find(supervised);
    if (this.#isGone) return;
    if (!call) return this.#end();
    port.on("message", (message: unknown) => this.#pass(message));
    void call.ended.then(() => this.#end());
    this.#send({ type: "ready", callRowId: supervised.rowId, mode: this.#mode });
    call.supervise(port2, HEARD_BY[this.#mode]);
  }

  #forward(node: FarNode, token: string): void {
    if (this.#isGone) return;
    this.#far = new FarCall(node, token, {
      onMessage: (data) => (typeof data === "string" ? this.#peer.send(data) : this.#pass(data)),
      onEnd: (code, reason) => this.close(code, reason),
    });
  }

  async #switch({ supervised, port, supervisionId }: Opened, mode: SupervisionMode): Promise<void> {
    if (++this.#switches > MAX_SWITCHES) return this.close(CLOSE.FLOOD, "Too many changes.");
    await this.#hub.note(supervised, "call.supervision_changed", { supervisionId, mode });
    this.#mode = mode;
    port.postMessage({ heardBy: HEARD_BY[mode] });
    this.#handBack();
    if (mode === "TAKE_OVER") this.#takeOver = this.#hub.takeOver(supervised);
  }

  #handBack(): void {
    void this.#takeOver?.release();
    this.#takeOver = null;
  }

  /** Ends the supervision when the call is over. */
  #end(): void {
    if (!this.#opened || this.#isGone) return;
    this.#send({ type: "ended", callRowId: this.#opened.supervised.rowId });
    this.close(CLOSE.NORMAL);
  }

  async #leave(): Promise<void> {
    this.#far?.close();
    if (!this.#opened) return;
    const { supervised, port, supervisionId } = this.#opened;
    this.#opened = undefined;
    this.#handBack();
    port.close();
    await this.#hub.note(supervised, "call.supervision_ended", { supervisionId });
  }

  #pass(message: unknown): void {
    if (this.#isGone || !(message instanceof Uint8Array)) return;
    if (this.#peer.waitingBytes < MAX_WAITING_BYTES) this.#peer.send(message);
  }

  #send(message: ToSupervisor): void {
    this.#peer.send(JSON.stringify(message));
  }

  #refuse(): void {
    if (++this.#malformed > MAX_MALFORMED) return this.close(CLOSE.MALFORMED, "Too many malformed messages.");
    this.#send({ type: "error", code: "MALFORMED", message: "This is no message of a supervisor." });
  }

  #notNow(): void {
    this.#send({ type: "error", code: "NOT_NOW", message: "Not in this state of the connection." });
  }
}
