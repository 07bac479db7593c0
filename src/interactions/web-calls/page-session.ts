import type { SocketOwner, WebSocketPeer } from "#src/platform/http/web-socket.ts";
import { AudioWebCall } from "./audio-web-call.ts";
import { type EndCause, FRAME_BYTES, type FromPage, readMessage, type WebCallMode, type ToPage } from "./messages.ts";
import type { OpenedToken, RingRow } from "./store.ts";
import { TextWebCall } from "./text-web-call.ts";
import type { Page, WebCallMedia } from "./web-call-media.ts";

/** Close codes of a page's connection, beyond those of RFC 6455. */
export const CLOSE = {
  NORMAL: 1000,
  GOING_AWAY: 1001,
  INTERNAL: 1011,
  MALFORMED: 4400,
  TOKEN: 4401,
  ORIGIN: 4403,
  SILENT: 4408,
  FLOOD: 4429,
} as const;

const HELLO_MS = 5_000;
const MAX_MALFORMED = 10;
const MESSAGES_PER_SECOND = 10;
const MESSAGE_BURST = 30;
/** Bytes waiting to be sent above which audio is dropped: two seconds. */
const MAX_WAITING_AUDIO_BYTES = 16_000;

/** Result of beginning a call. `run` starts its conversation. */
export type Begun = { kind: "STARTED"; run(): void } | { kind: Extract<EndCause, "GONE" | "BUSY" | "FULL"> };

/** Gateway that page sessions depend on. */
export interface PageGateway {
  /** Returns the reason why calls of a workspace have no audio here; null when they have. */
  whyNoAudio(workspaceId: string): Promise<string | null>;
  find(token: string): Promise<OpenedToken | undefined>;
  isAllowed(opened: OpenedToken, origin: string | undefined): boolean;
  begin(workspaceId: string, rowId: string, mode: WebCallMode, callMedia: WebCallMedia): Promise<Begun>;
  decline(workspaceId: string, rowId: string): Promise<void>;
  /** Called when the page has said hello. */
  greet(session: PageSession): void;
  /** Called when the page waits to be rung. */
  follow(session: PageSession): void;
  forget(session: PageSession): void;
  onFault(error: unknown): void;
}

/**
 * One page's connection: hello with a token, then calls one after another. A connection for one call ends with it; one
 * that waits to be rung stays open.
 */
export class PageSession implements SocketOwner, Page {
  readonly #peer: WebSocketPeer;
  readonly #gateway: PageGateway;
  readonly #origin: string | undefined;
  readonly #hello: NodeJS.Timeout;
  #opened: OpenedToken | undefined;
  #hasAudio = false;
  /** The call that can be accepted, or is in progress. */
  #rowId: string | null = null;
  #callMedia: WebCallMedia | null = null;
  #work: Promise<void> = Promise.resolve();
  #malformed = 0;
  #messages = MESSAGE_BURST;
  #countedAt = performance.now();
  #isGone = false;

  constructor(peer: WebSocketPeer, gateway: PageGateway, origin: string | undefined) {
    this.#peer = peer;
    this.#gateway = gateway;
    this.#origin = origin;
    this.#hello = setTimeout(() => this.#peer.close(CLOSE.SILENT, "No hello came."), HELLO_MS);
  }

  /** Returns the page that waits to be rung; undefined for a connection of one call. */
  get phone(): { workspaceId: string; id: string } | undefined {
    if (this.#opened?.kind !== "PHONE") return undefined;
    return { workspaceId: this.#opened.workspace_id, id: this.#opened.id };
  }

  /** True while a call is in progress. */
  get isInCall(): boolean {
    return this.#callMedia !== null;
  }

  onText(json: string): void {
    if (!this.#countMessage()) return this.#peer.close(CLOSE.FLOOD, "Too many messages.");
    const message = readMessage(json);
    if (!message) return this.#refuse();
    // Each message is handled after the one before it.
    this.#work = this.#work.then(() => this.#handle(message)).catch((error: unknown) => this.#fail(error));
  }

  onBinary(bytes: Buffer): void {
    if (bytes.length !== FRAME_BYTES) return this.#refuse();
    this.#callMedia?.hearFrame(bytes);
  }

  onEnd(code: number | null): void {
    this.#isGone = true;
    clearTimeout(this.#hello);
    this.#gateway.forget(this);
    this.#callMedia?.leave(code === CLOSE.NORMAL || code === CLOSE.GOING_AWAY ? "REMOTE" : "LOST");
    this.#callMedia = null;
  }

  send(message: ToPage): void {
    this.#peer.send(JSON.stringify(message));
  }

  sendFrame(frame: Uint8Array): void {
    if (this.#peer.waitingBytes < MAX_WAITING_AUDIO_BYTES) this.#peer.send(frame);
  }

  onHungUp(): void {
    this.#endCall("AGENT");
  }

  /** Sends the page its current ring. */
  showRings(rings: RingRow[]): void {
    if (this.#callMedia || this.#isGone) return;
    const [ring] = rings;
    if (this.#rowId !== null && this.#rowId !== ring?.row_id) this.#endCall("MISSED");
    if (!ring || this.#rowId === ring.row_id) return;
    this.#rowId = ring.row_id;
    const { row_id: callRowId, display_name: displayName } = ring;
    this.send({ type: "ringing", callRowId, displayName, expiresAt: ring.expires_at.toISOString() });
  }

  /** Closes the connection, and with it a call in progress. */
  close(code: number, reason: string): void {
    this.#peer.close(code, reason);
  }

  async #handle(message: FromPage): Promise<void> {
    if (this.#isGone) return;
    if (!this.#opened) return message.type === "hello" ? this.#open(message.token) : this.#notNow();
    switch (message.type) {
      case "hello":
        return this.#notNow();
      case "accept":
        return this.#accept(message.mode);
      case "decline":
      case "hangup":
        return this.#leaveCall();
      case "text":
        return this.#callMedia?.hearText(message.text) ? undefined : this.#notNow();
      case "digits":
        return this.#callMedia?.hearDigits(message.digits) ? undefined : this.#notNow();
    }
  }

  async #open(token: string): Promise<void> {
    clearTimeout(this.#hello);
    this.#gateway.greet(this);
    const opened = await this.#gateway.find(token);
    if (this.#isGone) return;
    if (!opened) return this.#peer.close(CLOSE.TOKEN, "The token opens nothing.");
    if (!this.#gateway.isAllowed(opened, this.#origin)) {
      return this.#peer.close(CLOSE.ORIGIN, "Pages of this origin may not use the token.");
    }
    const audioReason = await this.#gateway.whyNoAudio(opened.workspace_id);
    if (this.#isGone) return;
    this.#opened = opened;
    this.#hasAudio = audioReason === null;
    const { kind, name, id } = opened;
    this.send({ type: "ready", kind, name, audio: this.#hasAudio, audioReason });
    if (kind === "CALL") this.#rowId = id;
    else this.#gateway.follow(this);
  }

  async #accept(mode: WebCallMode): Promise<void> {
    const rowId = this.#rowId;
    if (this.#callMedia || rowId === null || !this.#opened) return this.#notNow();
    if (mode === "AUDIO" && !this.#hasAudio) return this.#notNow();
    const callMedia = mode === "AUDIO" ? new AudioWebCall(this) : new TextWebCall(this);
    this.#callMedia = callMedia;
    const begun = await this.#gateway.begin(this.#opened.workspace_id, rowId, mode, callMedia);
    if (begun.kind !== "STARTED") {
      callMedia.leave("LOST");
      return this.#endCall(begun.kind);
    }
    this.send({ type: "started", callRowId: rowId, mode });
    begun.run();
  }

  async #leaveCall(): Promise<void> {
    const { workspace_id: workspaceId } = this.#opened as OpenedToken;
    if (this.#callMedia) {
      this.#callMedia.leave("REMOTE");
      return this.#endCall("PERSON");
    }
    if (this.#rowId === null) return this.#notNow();
    await this.#gateway.decline(workspaceId, this.#rowId);
    this.#endCall("DECLINED");
  }

  #endCall(reason: EndCause): void {
    const callRowId = this.#rowId;
    if (callRowId === null) return;
    this.#callMedia = null;
    this.#rowId = null;
    this.send({ type: "ended", callRowId, reason });
    if (this.#opened?.kind === "CALL") this.#peer.close(CLOSE.NORMAL);
  }

  #refuse(): void {
    if (++this.#malformed > MAX_MALFORMED) return this.#peer.close(CLOSE.MALFORMED, "Too many malformed messages.");
    this.send({ type: "error", code: "MALFORMED", message: "This is no message of the web phone." });
  }

  #notNow(): void {
    this.send({ type: "error", code: "NOT_NOW", message: "Not in this state of the connection." });
  }

  #countMessage(): boolean {
    const now = performance.now();
    const grown = ((now - this.#countedAt) / 1_000) * MESSAGES_PER_SECOND;
    this.#messages = Math.min(MESSAGE_BURST, this.#messages + grown);
    this.#countedAt = now;
    return --this.#messages >= 0;
  }

  #fail(error: unknown): void {
    this.#gateway.onFault(error);
    this.#peer.close(CLOSE.INTERNAL, "Something went wrong here.");
  }
}
