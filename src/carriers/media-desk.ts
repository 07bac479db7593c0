import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { acceptSocket, type SocketLimits } from "#src/http/web-socket.ts";
import { isUuid } from "#src/kernel/id.ts";
import type { Log } from "#src/kernel/log.ts";
import type { MediaSocketCodec, SocketStarted } from "#src/media/media-socket.ts";
import type { MediaSource } from "#src/media/media-source.ts";
import { MediaSocketBridge } from "./media-socket-bridge.ts";

/** Where carriers open the sockets that carry the audio of calls; what follows is the ticket. */
export const MEDIA_PATH = "/api/carriers/media";

/** Time after the answer in which the socket must have come: carriers open it at once. */
const SOCKET_WAIT_MS = 10_000;
/** No phone rings so long; what was expected until then does not come. */
const FORGOTTEN_MS = 900_000;
const SWEEP_MS = 60_000;
/** Twice what the carriers send: 50 frames a second, marks and keys. */
const LIMITS: SocketLimits = {
  maxMessageBytes: 65_536,
  framesPerSecond: 200,
  floodCode: 1008,
  pingMs: 20_000,
  maxWaitingBytes: 262_144,
};

/** What the desk is built from. */
export interface MediaDeskOptions {
  /** Origin of this node, as carriers reach it. */
  publicUrl: string;
  /** Makes tickets that nobody guesses. */
  key: Buffer;
  log: Log;
}

/**
 * Where the audio of answered calls arrives that carriers bring over WebSockets. A call is expected before it is dialled;
 * its socket may come before or after the event that tells of the answer.
 */
export class MediaDesk {
  readonly #options: MediaDeskOptions;
  readonly #bridges = new Map<string, { bridge: MediaSocketBridge; sinceMs: number }>();
  #sweptAtMs = 0;

  constructor(options: MediaDeskOptions) {
    this.#options = options;
  }

  /**
   * Begins to wait for the audio of an attempt; gives the URL (wss) that the carrier is to open. It holds no query,
   * which Twilio would drop. `onStarted` is told when the stream begins, so when somebody has answered: that event may
   * come late, or never.
   */
  expect(
    attemptId: string,
    createCodec: () => MediaSocketCodec,
    onStarted: (started: SocketStarted) => void = () => undefined,
  ): string {
    this.#sweep(Date.now());
    if (!this.#bridges.has(attemptId)) {
      this.#bridges.set(attemptId, { bridge: new MediaSocketBridge(createCodec(), onStarted), sinceMs: Date.now() });
    }
    const { publicUrl } = this.#options;
    return `${publicUrl.replace(/^http/, "ws")}${MEDIA_PATH}/${attemptId}.${this.#sign(attemptId)}`;
  }

  /** The audio of an attempt, once; null for one that is not expected here, or was taken. */
  sourceOf(attemptId: string): MediaSource | null {
    return this.#bridges.get(attemptId)?.bridge.take(SOCKET_WAIT_MS) ?? null;
  }

  /** The call has ended, or was never placed: whoever still talks on it hears that the person has hung up. */
  close(attemptId: string): void {
    this.#bridges.get(attemptId)?.bridge.end();
    this.#bridges.delete(attemptId);
  }

  /** Takes a carrier's handshake. A ticket that is wrong, used or no more expected is turned away. */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    const attemptId = this.#readTicket(request.url ?? "");
    const bridge = attemptId === null ? undefined : this.#bridges.get(attemptId)?.bridge;
    if (!bridge || bridge.isTaken) {
      raw.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    bridge.open(acceptSocket(request, raw, head, LIMITS, headers));
  }

  /** Ends all audio. */
  closeAll(): void {
    for (const attemptId of this.#bridges.keys()) this.close(attemptId);
  }

  /** A dial of which nobody can tell what became of it leaves its place behind. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < SWEEP_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [attemptId, { bridge, sinceMs }] of this.#bridges) {
      if (!bridge.isTaken && nowMs - sinceMs > FORGOTTEN_MS) this.close(attemptId);
    }
  }

  #readTicket(url: string): string | null {
    const [ticket = ""] = url.slice(MEDIA_PATH.length + 1).split("?", 1);
    const [attemptId = "", signature = ""] = ticket.split(".", 2);
    if (!isUuid(attemptId)) return null;
    const given = Buffer.from(signature);
    const wanted = Buffer.from(this.#sign(attemptId));
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? attemptId : null;
  }

  #sign(attemptId: string): string {
    return createHmac("sha256", this.#options.key).update(`media ${attemptId}`).digest("base64url");
  }
}
