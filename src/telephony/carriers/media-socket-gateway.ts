import { createHmac } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { tunnelSocket } from "#src/platform/http/tunnel-socket.ts";
import { acceptSocket, refuseSocket, type SocketLimits } from "#src/platform/http/web-socket.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { type FarNode, NODE_HEADER, type NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";
import { MediaSocketBridge } from "./media-socket-bridge.ts";
import type { MediaSocketCodec, SocketStarted } from "./media-socket.ts";

/** Path at which carriers open the sockets for the audio of calls; the ticket follows it. */
export const MEDIA_PATH = "/api/carriers/media";

/** Time after the answer within which the socket must open: carriers open it at once. */
const SOCKET_WAIT_MS = 10_000;
/** Twice the carriers' rate: 50 frames a second, marks and keys. */
const LIMITS: SocketLimits = {
  maxMessageBytes: 65_536,
  framesPerSecond: 200,
  floodCode: 1008,
  pingMs: 20_000,
  maxWaitingBytes: 262_144,
};

/** Settings of the gateway. */
export interface MediaSocketGatewayOptions {
  /** Origin of this node, as carriers reach it. */
  publicUrl: string;
  /** Returns the keys of tickets: the first signs, so that nobody can guess one, and all verify. All nodes have them. */
  keys: () => readonly Buffer[];
  /** The nodes behind `publicUrl`; absent: this process is the only one. */
  nodes?: MediaNodes;
}

/** The nodes that a carrier's socket may arrive at. */
export interface MediaNodes {
  /** This node. */
  self: NodeIdentity;
  /** Returns another node while it is alive and has an address; null otherwise. */
  find(id: string): Promise<FarNode | null>;
}

interface Ticket {
  attemptId: string;
  /** The node that expects the socket; empty when there is only one. */
  nodeId: string;
}

/** The audio of one account's calls. An account cannot open the audio of others, whatever its webhooks name. */
export interface AccountMedia {
  /**
   * Starts to expect the audio of an attempt; returns the URL (wss) for the carrier to open. The URL has no query,
   * because Twilio would drop it. `onStarted` is called when the stream begins, so once the call is answered: the
   * carrier's own event of the answer may come late, or never.
   */
  expect(attemptId: string, createCodec: () => MediaSocketCodec, onStarted?: (started: SocketStarted) => void): string;
  /** Returns the audio of an attempt, once; null when it is not expected here, or was taken. */
  sourceOf(attemptId: string): MediaSource | null;
  /** True when the far end of an attempt has hung up, by its socket, and its audio was not closed since. */
  hasHungUp(attemptId: string): boolean;
  /** Ends the audio of a call that has ended or was never placed; our side is notified that the person has hung up. */
  close(attemptId: string): void;
}

/**
 * Accepts the WebSockets over which carriers deliver the audio of answered calls. A call is registered before it is
 * dialled; its socket may open before or after the event of the answer.
 */
export class MediaSocketGateway implements AccountMedia {
  readonly #options: MediaSocketGatewayOptions;
  /** Sockets that pass to other nodes; each resolves when it is closed. */
  readonly #passed = new Set<Promise<void>>();
  readonly #bridges = new Map<string, MediaSocketBridge>();
  readonly #owners = new Map<string, string>();
  readonly #accounts = new Map<string, AccountMedia>();

  constructor(options: MediaSocketGatewayOptions) {
    this.#options = options;
  }

  /** Returns the media of one account; kept, so that an account that is opened again finds its calls. */
  ofAccount(accountId: string): AccountMedia {
    const isIts = (attemptId: string) => this.#owners.get(attemptId) === accountId;
    const media = this.#accounts.get(accountId) ?? {
      expect: (attemptId, createCodec, onStarted) => {
        if (!this.#bridges.has(attemptId)) this.#owners.set(attemptId, accountId);
        return this.expect(attemptId, createCodec, onStarted);
      },
      sourceOf: (attemptId) => (isIts(attemptId) ? this.sourceOf(attemptId) : null),
      hasHungUp: (attemptId) => isIts(attemptId) && this.hasHungUp(attemptId),
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
    const { publicUrl, nodes } = this.#options;
    const ticket = { attemptId, nodeId: nodes?.self.id ?? "" };
    return `${publicUrl.replace(/^http/, "ws")}${MEDIA_PATH}/${attemptId}.${ticket.nodeId}.${sign(this.#options.keys()[0], ticket)}`;
  }

  sourceOf(attemptId: string): MediaSource | null {
    return this.#bridges.get(attemptId)?.take(SOCKET_WAIT_MS) ?? null;
  }

  hasHungUp(attemptId: string): boolean {
    return this.#bridges.get(attemptId)?.hasHungUp ?? false;
  }

  close(attemptId: string): void {
    this.#bridges.get(attemptId)?.end();
    this.#bridges.delete(attemptId);
    this.#owners.delete(attemptId);
  }

  /**
   * Accepts a carrier's handshake, or passes it to the node that expects it. Refuses a ticket that is wrong, used or no
   * longer expected.
   */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    const ticket = this.#readTicket(request.url ?? "");
    if (!ticket) return refuseSocket(raw, 404);
    const bridge = this.#bridges.get(ticket.attemptId);
    if (bridge && !bridge.isTaken) return bridge.open(acceptSocket(request, raw, head, LIMITS, headers));
    const { nodes } = this.#options;
    const isElsewhere = nodes && ticket.nodeId !== nodes.self.id && request.headers[NODE_HEADER] === undefined;
    if (bridge || !isElsewhere) return refuseSocket(raw, 404);
    const passed = new Promise<void>((resolve) => raw.once("close", resolve)).finally(() =>
      this.#passed.delete(passed),
    );
    this.#passed.add(passed);
    tunnelSocket(request, raw, head, () => nodes.find(ticket.nodeId));
  }

  /** Resolves when no socket passes to another node. */
  async untilNonePasses(): Promise<void> {
    while (this.#passed.size > 0) await Promise.all(this.#passed);
  }

  /** Closes the audio of all calls. */
  closeAll(): void {
    for (const attemptId of this.#bridges.keys()) this.close(attemptId);
  }

  #readTicket(url: string): Ticket | null {
    const [text = ""] = url.slice(MEDIA_PATH.length + 1).split("?", 1);
    const [attemptId = "", nodeId = "", signature = ""] = text.split(".", 3);
    if (!isUuid(attemptId)) return null;
    const ticket = { attemptId, nodeId };
    const given = Buffer.from(signature);
    const isSigned = this.#options.keys().some((key) => {
      const wanted = Buffer.from(sign(key, ticket));
      return isSameBytes(given, wanted);
    });
    return isSigned ? ticket : null;
  }
}

function sign(key: Buffer | undefined, { attemptId, nodeId }: Ticket): string {
  if (!key) throw new Error("There is no key for tickets of audio.");
  return createHmac("sha256", key).update(`media ${attemptId} ${nodeId}`).digest("base64url");
}
