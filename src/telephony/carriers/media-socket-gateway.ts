import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { acceptSocket, refuseSocket, type SocketLimits } from "#src/platform/http/web-socket.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { MediaSocketBridge } from "./media-socket-bridge.ts";
import type { MediaSocketCodec, SocketStarted } from "./media-socket.ts";

/** Where carriers open the sockets that carry the audio of calls; what follows is the ticket. */
export const MEDIA_PATH = "/api/carriers/media";

/** Time after the answer in which the socket must have come: carriers open it at once. */
const SOCKET_WAIT_MS = 10_000;
/** Twice what the carriers send: 50 frames a second, marks and keys. */
const LIMITS: SocketLimits = {
  maxMessageBytes: 65_536,
  framesPerSecond: 200,
  floodCode: 1008,
  pingMs: 20_000,
  maxWaitingBytes: 262_144,
};

/** What the desk is built from. */
export interface MediaSocketGatewayOptions {
  /** Origin of this node, as carriers reach it. */
  publicUrl: string;
  /** Makes tickets that nobody guesses. */
  key: Buffer;
}

/** The audio of one account's calls; that of others is out of its reach, whatever its webhooks name. */
export interface AccountMedia {
  /**
   * Begins to wait for the audio of an attempt; gives the URL (wss) that the carrier is to open. It holds no query,
   * which Twilio would drop. `onStarted` is told when the stream begins, so when somebody has answered: that event may
   * come late, or never.
   */
  expect(attemptId: string, createCodec: () => MediaSocketCodec, onStarted?: (started: SocketStarted) => void): string;
  /** The audio of an attempt, once; null for one that is not expected here, or was taken. */
  sourceOf(attemptId: string): MediaSource | null;
  /** The call has ended, or was never placed: whoever still talks on it hears that the person has hung up. */
  close(attemptId: string): void;
}

/**
 * Where the audio of answered calls arrives that carriers bring over WebSockets. A call is expected before it is dialled;
 * its socket may come before or after the event that tells of the answer.
 */
export class MediaSocketGateway implements AccountMedia {
  readonly #options: MediaSocketGatewayOptions;
  readonly #bridges = new Map<string, MediaSocketBridge>();
  readonly #owners = new Map<string, string>();
  readonly #accounts = new Map<string, AccountMedia>();

  constructor(options: MediaSocketGatewayOptions) {
    this.#options = options;
  }

  /** What an account may do here: one for each, so that an account that is opened anew finds its calls. */
  ofAccount(accountId: string): AccountMedia {
    const isIts = (attemptId: string) => this.#owners.get(attemptId) === accountId;
    const media = this.#accounts.get(accountId) ?? {
      expect: (attemptId, createCodec, onStarted) => {
        if (!this.#bridges.has(attemptId)) this.#owners.set(attemptId, accountId);
        return this.expect(attemptId, createCodec, onStarted);
      },
      sourceOf: (attemptId) => (isIts(attemptId) ? this.sourceOf(attemptId) : null),
      close: (attemptId) => isIts(attemptId) && this.close(attemptId),
    };
    this.#accounts.set(accountId, media);
    return media;
  }

  expect(
    attemptId: string,
    createCodec: () => MediaSocketCodec,
    onStarted: (started: SocketStarted) => void = () => undefined,
  ): string {
    if (!this.#bridges.has(attemptId)) this.#bridges.set(attemptId, new MediaSocketBridge(createCodec(), onStarted));
    const { publicUrl } = this.#options;
    return `${publicUrl.replace(/^http/, "ws")}${MEDIA_PATH}/${attemptId}.${this.#sign(attemptId)}`;
  }

  sourceOf(attemptId: string): MediaSource | null {
    return this.#bridges.get(attemptId)?.take(SOCKET_WAIT_MS) ?? null;
  }

  close(attemptId: string): void {
    this.#bridges.get(attemptId)?.end();
    this.#bridges.delete(attemptId);
    this.#owners.delete(attemptId);
  }

  /** Takes a carrier's handshake. A ticket that is wrong, used or no more expected is turned away. */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    const attemptId = this.#readTicket(request.url ?? "");
    const bridge = attemptId === null ? undefined : this.#bridges.get(attemptId);
    if (!bridge || bridge.isTaken) return refuseSocket(raw, 404);
    bridge.open(acceptSocket(request, raw, head, LIMITS, headers));
  }

  /** Ends all audio. */
  closeAll(): void {
    for (const attemptId of this.#bridges.keys()) this.close(attemptId);
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
