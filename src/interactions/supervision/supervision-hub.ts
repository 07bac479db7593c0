import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { VoiceCall } from "#src/audio/voice/voice-calls.ts";
import type { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import type { Database } from "#src/platform/db/database.ts";
import { acceptSocket, refuseSocket, type SocketLimits } from "#src/platform/http/web-socket.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { type FarNode, NODE_HEADER, type NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import type { CallCommands } from "./call-commands.ts";
import { findSupervised, findToken, insertToken, takeToken } from "./store.ts";
import { noteSupervision, refusal, type Supervised, type Supervision, SUPERVISION_PATH } from "./supervision.ts";
import { CLOSE, type SupervisorHub, SupervisorSession, type TakeOver } from "./supervisor-session.ts";

/** Interval at which supervisors' permissions are checked; with the check itself it stays below five seconds. */
const CHECK_MS = 3_000;
const MAX_CONNECTIONS = 500;
/** Limit of connections without a hello. Beyond it the oldest is closed, so that nobody can occupy all of them. */
const MAX_SILENT = 100;

/** Limits of a connection: 50 audio frames a second, and some more for a fast clock. */
const LIMITS: SocketLimits = {
  maxMessageBytes: 4_096,
  framesPerSecond: 100,
  floodCode: CLOSE.FLOOD,
  pingMs: 10_000,
  maxWaitingBytes: 262_144,
};

/** Dependencies of the supervision hub. */
export interface SupervisionParts {
  database: Database;
  log: Log;
  publicUrl: string;
  liveAudio: LiveCalls;
  node: NodeIdentity;
  callCommands: CallCommands;
  /** Returns those who may still supervise: their key is valid, or their session and role are. */
  findAllowed(people: Supervised[]): Promise<Set<Supervised>>;
}

/** Supervisors connected to this process, for its own calls and those of other nodes. */
export class SupervisionHub implements SupervisorHub {
  readonly #parts: SupervisionParts;
  readonly #sessions = new Set<SupervisorSession>();
  readonly #admitted = new Map<SupervisorSession, Supervised>();
  readonly #silent = new Set<SupervisorSession>();
  readonly #checks: Repeater;
  #isClosed = false;

  constructor(parts: SupervisionParts) {
    this.#parts = parts;
    this.#checks = new Repeater(
      CHECK_MS,
      () => this.#check(),
      (error) => parts.log.warn("It could not be checked who may supervise calls.", { error: toError(error).message }),
    );
    this.#checks.start();
  }

  /** Issues a token to hear a call. 404 when the workspace has no such call, 409 when it has no audio. */
  async issue(supervised: Supervised): Promise<Supervision> {
    const { database, liveAudio, publicUrl, callCommands } = this.#parts;
    if (!liveAudio.find(supervised.workspaceId, supervised.rowId)) {
      if (liveAudio.findNotes(supervised.workspaceId, supervised.rowId)) throw refusal("TEXT");
      const id = await callCommands.accept(database.db, supervised, { kind: "HEAR" });
      await callCommands.settled(supervised.workspaceId, id);
    }
    const token = `csv_${randomText(44)}`;
    const expiresAt = await insertToken(database.db, supervised.workspaceId, token, supervised);
    const socketUrl = publicUrl.replace(/^http/, "ws") + SUPERVISION_PATH;
    return { token, socketUrl, expiresAt: expiresAt.toISOString() };
  }

  /** Accepts a supervisor's handshake. */
  takeSocket(request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed || this.#sessions.size >= MAX_CONNECTIONS) return refuseSocket(raw, 503);
    const peer = acceptSocket(request, raw, head, LIMITS, headers);
    const meant = request.headers[NODE_HEADER];
    const session = new SupervisorSession(peer, this, meant !== undefined);
    this.#sessions.add(session);
    this.#silent.add(session);
    const [oldest] = this.#silent;
    if (this.#silent.size > MAX_SILENT) oldest?.close(CLOSE.SILENT, "No hello came.");
    peer.open(session);
    if (meant !== undefined && meant !== this.#parts.node.id)
      session.close(
        CLOSE.ELSEWHERE,
        "Another server answers at that PARLEY_NODE_URL than the one that holds the call.",
      );
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stopped = this.#checks.stop();
    for (const session of this.#sessions) session.close(CLOSE.GOING_AWAY, "The server stops.");
    await Promise.all([stopped, ...[...this.#sessions].map((session) => session.settled)]);
  }

  async admit(session: SupervisorSession, token: string): Promise<Supervised | { far: FarNode } | undefined> {
    this.#silent.delete(session);
    const { db } = this.#parts.database;
    const asks = await findToken(db, token);
    if (!asks) return undefined;
    const far = session.isForwarded ? null : await this.#findFar(asks);
    // The other node takes the token, which opens one connection, whichever node it is shown to.
    if (far) return { far };
    const supervised = await takeToken(db, token);
    if (supervised && this.#sessions.has(session)) this.#admitted.set(session, supervised);
    return supervised;
  }

  /** Returns the other node that holds the call; null when there is none. */
  async #findFar({ workspaceId, rowId }: Supervised): Promise<FarNode | null> {
    const { database, liveAudio, node } = this.#parts;
    if (liveAudio.has(workspaceId, rowId)) return null;
    const row = await findSupervised(database.db, workspaceId, rowId);
    if (!row?.node_id || !row.node_address || row.node_id === node.id) return null;
    return { id: row.node_id, address: row.node_address };
  }

  /** Disconnects supervisors who no longer have the permission. */
  async #check(): Promise<void> {
    const admitted = [...this.#admitted];
    if (admitted.length === 0) return;
    const allowed = await this.#parts.findAllowed(admitted.map(([, supervised]) => supervised));
    for (const [session, supervised] of admitted)
      if (!allowed.has(supervised)) session.close(CLOSE.FORBIDDEN, "You may no longer supervise this call.");
  }

  find({ workspaceId, rowId }: Supervised): VoiceCall | undefined {
    return this.#parts.liveAudio.find(workspaceId, rowId);
  }

  takeOver({ workspaceId, rowId }: Supervised): TakeOver {
    const { liveAudio } = this.#parts;
    const notes = liveAudio.findNotes(workspaceId, rowId);
    const release = notes?.hold();
    const speech =
      notes && liveAudio.find(workspaceId, rowId)?.line.openSupervisorSpeech((said) => notes.addSpoken(said));
    return {
      hear: (frame) => speech?.write(frame),
      async release() {
        await speech?.close();
        release?.();
      },
    };
  }

  note(
    supervised: Supervised,
    type: Parameters<typeof noteSupervision>[2],
    more?: Record<string, unknown>,
  ): Promise<void> {
    return noteSupervision(this.#parts.database.db, supervised, type, more);
  }

  forget(session: SupervisorSession): void {
    this.#sessions.delete(session);
    this.#silent.delete(session);
    this.#admitted.delete(session);
  }

  onFault(error: unknown): void {
    this.#parts.log.error("A supervisor's message could not be worked on.", { error });
  }
}
