import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import type { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import { takeAnswered } from "#src/interactions/dispatch/take-answered.ts";
import type { Database } from "#src/platform/db/database.ts";
import { acceptSocket, refuseSocket, type SocketLimits } from "#src/platform/http/web-socket.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import type { WebCallMode } from "./messages.ts";
import { type Begun, CLOSE, type PageGateway, PageSession } from "./page-session.ts";
import { endWaiting, findRings, findToken, type OpenedToken } from "./store.ts";
import type { WebCallMedia } from "./web-call-media.ts";
import type { WebCarrier } from "./web-carrier.ts";

/** Polling interval for rings; a call of another node rings a page no later than this. */
const LOOK_MS = 500;
const MAX_CONNECTIONS = 2_000;
/** Limit of connections without a hello. Beyond it the oldest is closed, because a page says hello at once. */
const MAX_SILENT = 200;
/** Shortest silence timeout of a call by text, because typing takes longer than speaking. */
const TYPING_SECONDS = 60;

/** Limits of a page's connection: 50 audio frames a second, and some more for a fast clock. */
export const PAGE_LIMITS: SocketLimits = {
  maxMessageBytes: 16_384,
  framesPerSecond: 100,
  floodCode: CLOSE.FLOOD,
  pingMs: 10_000,
  maxWaitingBytes: 262_144,
};

/** Dependencies of the web call gateway. */
export interface WebCallGatewayParts {
  database: Database;
  log: Log;
  node: NodeIdentity;
  publicUrl: string;
  carrier: WebCarrier;
  dispatcher: Pick<Dispatcher, "hasRoom" | "isDraining" | "expect" | "adopt">;
  whyNoAudio(workspaceId: string): Promise<string | null>;
}

/** Pages connected to this process, and the calls that they begin. */
export class WebCallGateway implements PageGateway {
  readonly #parts: WebCallGatewayParts;
  readonly #ownOrigin: string;
  readonly #sessions = new Set<PageSession>();
  readonly #waiting = new Set<PageSession>();
  readonly #silent = new Set<PageSession>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #looksAgain = false;
  #isClosed = false;

  constructor(parts: WebCallGatewayParts) {
    this.#parts = parts;
    this.#ownOrigin = new URL(parts.publicUrl).origin;
    this.#timer = setInterval(() => this.ring(), LOOK_MS);
    this.#timer.unref();
  }

  whyNoAudio(workspaceId: string): Promise<string | null> {
    return this.#parts.whyNoAudio(workspaceId);
  }

  /** Accepts a page's handshake. */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    const takesPages = !this.#isClosed && !this.#parts.dispatcher.isDraining;
    if (!takesPages || this.#sessions.size >= MAX_CONNECTIONS) return refuseSocket(raw, 503);
    const peer = acceptSocket(request, raw, head, PAGE_LIMITS, headers);
    const session = new PageSession(peer, this, request.headers.origin);
    this.#sessions.add(session);
    this.#silent.add(session);
    const [oldest] = this.#silent;
    if (this.#silent.size > MAX_SILENT) oldest?.close(CLOSE.SILENT, "No hello came.");
    peer.open(session);
  }

  /** Looks for calls that ring pages of this process. */
  ring(): void {
    if (this.#waiting.size === 0 || this.#isClosed) return;
    if (this.#looking) {
      this.#looksAgain = true;
      return;
    }
    this.#looking = this.#look()
      .catch((error: unknown) => this.#parts.log.warn("Rings could not be read.", { error: toError(error).message }))
      .finally(() => {
        this.#looking = undefined;
        if (this.#looksAgain) this.ring();
      });
  }

  /** Closes the connections of the pages that wait to be rung, because they can accept no call here any more. */
  drain(): void {
    for (const session of this.#waiting) if (!session.isInCall) session.close(CLOSE.GOING_AWAY, "The server stops.");
  }

  /** Closes the connections of all pages. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const session of this.#sessions) session.close(CLOSE.GOING_AWAY, "The server stops.");
    await this.#looking;
  }

  find(token: string): Promise<OpenedToken | undefined> {
    return findToken(this.#parts.database.db, sha256(token));
  }

  /**
   * True when a page may use the token. Browsers always send the origin of a page's WebSocket; a client that sends none
   * is no page, and has the token.
   */
  isAllowed(opened: OpenedToken, origin: string | undefined): boolean {
    return origin === undefined || origin === this.#ownOrigin || opened.allowed_origins.includes(origin);
  }

  async begin(workspaceId: string, rowId: string, mode: WebCallMode, callMedia: WebCallMedia): Promise<Begun> {
    const done = this.#parts.dispatcher.expect();
    let isStarted = false;
    try {
      const begun = await this.#begin(workspaceId, rowId, mode, callMedia);
      if (begun.kind !== "STARTED") return begun;
      isStarted = true;
      const run = () => {
        begun.run();
        done();
      };
      return { kind: "STARTED", run };
    } finally {
      if (!isStarted) done();
    }
  }

  async #begin(workspaceId: string, rowId: string, mode: WebCallMode, callMedia: WebCallMedia): Promise<Begun> {
    const { database, node, dispatcher, carrier } = this.#parts;
    if (!dispatcher.hasRoom) return { kind: "FULL" };
    const row = await takeAnswered(database.pool, node.id, workspaceId, rowId);
    if (row === "BUSY") {
      const message = "The person is on another call.";
      await endWaiting(database.db, workspaceId, rowId, { outcome: "BUSY", endReason: "WEB_BUSY", message });
    }
    if (row === "GONE" || row === "BUSY") return { kind: row };
    carrier.add(row.attempt_id as string, callMedia);
    return { kind: "STARTED", run: () => this.#run(row, mode) };
  }

  async decline(workspaceId: string, rowId: string): Promise<void> {
    const end = { outcome: "REJECTED", endReason: "WEB_DECLINED", message: "The person declined the call." };
    await endWaiting(this.#parts.database.db, workspaceId, rowId, end);
  }

  greet(session: PageSession): void {
    this.#silent.delete(session);
  }

  follow(session: PageSession): void {
    this.#waiting.add(session);
    this.ring();
  }

  forget(session: PageSession): void {
    this.#sessions.delete(session);
    this.#waiting.delete(session);
    this.#silent.delete(session);
  }

  onFault(error: unknown): void {
    this.#parts.log.error("A page's message could not be worked on.", { error });
  }

  /** Starts the conversation. A call by text has no audio, so it is not recorded. */
  #run(row: ClaimedRow, mode: WebCallMode): void {
    this.#parts.dispatcher.adopt(row, {
      // A page's call is identified by its attempt alone.
      providerCallId: row.attempt_id as string,
      change(fields) {
        if (mode === "AUDIO") return fields;
        const silenceTimeoutSeconds = Math.max(TYPING_SECONDS, fields.silenceTimeoutSeconds ?? 0);
        return { ...fields, silenceTimeoutSeconds, recordingEnabled: false };
      },
    });
  }

  async #look(): Promise<void> {
    this.#looksAgain = false;
    const sessions = [...this.#waiting];
    const phones = new Map(sessions.flatMap(({ phone }) => (phone ? [[phone.id, phone]] : [])));
    const { rings, alive } = await findRings(this.#parts.database.db, [...phones.values()]);
    for (const session of sessions) {
      const id = session.phone?.id;
      if (id === undefined || !alive.has(id)) session.close(CLOSE.TOKEN, "The token opens nothing any more.");
      else session.showRings(rings.filter((ring) => ring.web_phone_id === id));
    }
  }
}
