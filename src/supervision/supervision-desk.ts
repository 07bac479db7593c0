import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { Database } from "#src/db/database.ts";
import type { LiveCalls } from "#src/dispatch/live-calls.ts";
import { acceptSocket, type SocketLimits } from "#src/http/web-socket.ts";
import { randomText } from "#src/kernel/id.ts";
import type { Log } from "#src/kernel/log.ts";
import type { VoiceCall } from "#src/voice/voice-calls.ts";
import { assertAudible, noteSupervision, type Supervised, type Supervision, SUPERVISION_PATH } from "./supervision.ts";
import { CLOSE, type SupervisorDesk, SupervisorSession } from "./supervisor-session.ts";

const TOKEN_MS = 60_000;
const MAX_TOKENS = 10_000;
const MAX_CONNECTIONS = 500;
/** Connections that have not said hello; beyond it the oldest of them goes, so that nobody holds all of them. */
const MAX_SILENT = 100;

/** 50 frames of audio a second, and some more for a clock that is ahead. */
const LIMITS: SocketLimits = {
  maxMessageBytes: 4_096,
  framesPerSecond: 100,
  floodCode: CLOSE.FLOOD,
  pingMs: 10_000,
  maxWaitingBytes: 262_144,
};

/** What the desk uses of the process. */
export interface SupervisionParts {
  database: Database;
  log: Log;
  publicUrl: string;
  liveAudio: LiveCalls;
}

/** Those who supervise the calls of this process. Their tokens are as short-lived as the calls, so no table holds them. */
export class SupervisionDesk implements SupervisorDesk {
  readonly #parts: SupervisionParts;
  readonly #tokens = new Map<string, { who: Supervised; untilMs: number }>();
  readonly #sessions = new Set<SupervisorSession>();
  readonly #silent = new Set<SupervisorSession>();
  #isClosed = false;

  constructor(parts: SupervisionParts) {
    this.#parts = parts;
  }

  /** Gives a token to hear a call. 404 for no call of the workspace, 409 for one without audio here. */
  async issue(who: Supervised): Promise<Supervision> {
    const { database, liveAudio, publicUrl } = this.#parts;
    await assertAudible(database.db, liveAudio, who);
    const nowMs = Date.now();
    for (const [token, { untilMs }] of this.#tokens) {
      if (untilMs > nowMs && this.#tokens.size < MAX_TOKENS) break;
      this.#tokens.delete(token);
    }
    const token = `csv_${randomText(44)}`;
    const untilMs = nowMs + TOKEN_MS;
    this.#tokens.set(token, { who, untilMs });
    const socketUrl = publicUrl.replace(/^http/, "ws") + SUPERVISION_PATH;
    return { token, socketUrl, expiresAt: new Date(untilMs).toISOString() };
  }

  /** Takes a supervisor's handshake. */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed || this.#sessions.size >= MAX_CONNECTIONS) {
      raw.on("error", () => undefined);
      raw.end("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const peer = acceptSocket(request, raw, head, LIMITS, headers);
    const session = new SupervisorSession(peer, this);
    this.#sessions.add(session);
    this.#silent.add(session);
    const [oldest] = this.#silent;
    if (this.#silent.size > MAX_SILENT) oldest?.close(CLOSE.SILENT, "No hello came.");
    peer.open(session);
  }

  /** Says farewell to everybody. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions) session.close(CLOSE.GOING_AWAY, "The server stops.");
    await Promise.all([...this.#sessions].map((session) => session.settled));
  }

  take(session: SupervisorSession, token: string): Supervised | undefined {
    this.#silent.delete(session);
    const kept = this.#tokens.get(token);
    this.#tokens.delete(token);
    return kept && kept.untilMs > Date.now() ? kept.who : undefined;
  }

  find({ workspaceId, rowId }: Supervised): VoiceCall | undefined {
    return this.#parts.liveAudio.find(workspaceId, rowId);
  }

  hold({ workspaceId, rowId }: Supervised): () => void {
    return this.#parts.liveAudio.findNotes(workspaceId, rowId)?.hold() ?? (() => undefined);
  }

  note(who: Supervised, type: Parameters<typeof noteSupervision>[2], more?: Record<string, unknown>): Promise<void> {
    return noteSupervision(this.#parts.database.db, who, type, more);
  }

  forget(session: SupervisorSession): void {
    this.#sessions.delete(session);
    this.#silent.delete(session);
  }

  onFault(error: unknown): void {
    this.#parts.log.error("A supervisor's message could not be worked on.", { error });
  }
}
