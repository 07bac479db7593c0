import { allowsOnCall } from "#src/interactions/calls/states.ts";
import type { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { Notifier, sleep } from "#src/platform/kernel/async.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import {
  type CommandRow,
  type CommandState,
  findCommand,
  findSupervised,
  giveUpCommand,
  insertCommand,
  settleCommand,
  takeCommands,
} from "./store.ts";
import { noteSupervision, readRefusal, type Refusal, refusal, type Supervised } from "./supervision.ts";

/** Polling intervals for commands: while the node holds calls, and while it holds none. */
const POLL_MS = 200;
const IDLE_POLL_MS = 1_000;
/** Time after which a command that its node has not taken is withdrawn. */
const PATIENCE_MS = 5_000;
const MAX_PAUSE_MS = 80;

/** Request to a call: end it, give its agent a note, have it say words, or find out whether it has audio. */
export type Wish = { kind: "END" | "HEAR" } | { kind: "WHISPER" | "SAY"; words: string };

/** Dependencies of the commands. */
export interface CommandParts {
  database: Database;
  liveAudio: LiveCalls;
  node: NodeIdentity;
  log: Log;
}

/**
 * Commands to live calls. Each is a row for the node that holds the call, even when that is this node. It is stored
 * with its event, taken once, executed in memory, and settled. A node that dies takes its calls and its commands along.
 */
export class CallCommands {
  readonly #parts: CommandParts;
  readonly #notifier = new Notifier();
  /** Results of the commands whose end is not stored yet. */
  readonly #done = new Map<string, Refusal | null>();
  #loop: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  /** Starts polling for commands. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Stops polling. Later commands are withdrawn by their waiting callers. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#notifier.notify();
    await this.#loop;
  }

  /**
   * Stores a command in the caller's transaction and returns its id. 404 when the workspace has no such call, 409 when
   * it is not live.
   */
  async accept(tx: Executor, supervised: Supervised, wish: Wish): Promise<string> {
    const { workspaceId, rowId, credentialId } = supervised;
    const { liveAudio, node } = this.#parts;
    const row = await findSupervised(tx, workspaceId, rowId);
    if (!row) throw new AppError("NOT_FOUND");
    if (row.ended_at) throw refusal("OVER");
    if (wish.kind === "END" && !allowsOnCall(row.status, "end")) throw refusal("WAITS");
    const holder = liveAudio.has(workspaceId, rowId) ? node.id : row.node_id;
    const isAnswered = row.answered_at !== null || liveAudio.findNotes(workspaceId, rowId) !== undefined;
    if (wish.kind !== "END" && !isAnswered) throw refusal("UNANSWERED");
    if (holder === null) throw refusal(row.attempt_id === null ? "WAITS" : "GONE");
    const words = "words" in wish ? wish.words : null;
    const id = uuidv7();
    await insertCommand(tx, workspaceId, holder, { workspaceId, id, rowId, credentialId, kind: wish.kind, words });
    if (wish.kind === "END") await noteSupervision(tx, supervised, "call.end_requested");
    return id;
  }

  /** Waits until a committed command is done; 409 with the reason when it is not. */
  async settled(workspaceId: string, id: string): Promise<void> {
    const { db } = this.#parts.database;
    const deadline = performance.now() + PATIENCE_MS;
    this.#notifier.notify();
    for (let pauseMs = 5; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      await sleep(pauseMs);
      const command = await findCommand(db, workspaceId, id);
      if (!command) throw new AppError("NOT_FOUND");
      const why = findRefusal(command);
      if (why === null) return;
      if (why !== "OPEN") throw refusal(why);
      const lateMs = performance.now() - deadline;
      if (!command.isNodeAlive) await giveUpCommand(db, workspaceId, id, { from: command.state, to: "LOST" });
      else if (lateMs > PATIENCE_MS)
        throw new AppError(
          "UNAVAILABLE",
          "The server that holds the call does not say what it did. Read the call's row.",
        );
      else if (lateMs > 0) await giveUpCommand(db, workspaceId, id, { from: "ACCEPTED", to: "WITHDRAWN" });
    }
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#work();
      } catch (error) {
        this.#parts.log.warn("Commands to live calls could not be read.", { error: toError(error).message });
      }
      await this.#notifier.wait(this.#parts.liveAudio.size > 0 ? POLL_MS : IDLE_POLL_MS);
    }
  }

  async #work(): Promise<void> {
    const { database, node } = this.#parts;
    const taken = await takeCommands(database.db, node.id);
    // A repeated command was already executed, and only its end was not stored.
    for (const command of taken) if (!this.#done.has(command.id)) this.#done.set(command.id, this.#do(command));
    for (const command of taken) {
      const why = this.#done.get(command.id) ?? null;
      await database.db.transaction().execute((tx) => settle(tx, command, why));
      this.#done.delete(command.id);
    }
  }

  /** Executes a command in this process; returns the reason when it cannot be done. */
  #do({ workspaceId, rowId, kind, words }: CommandRow): Refusal | null {
    const { liveAudio } = this.#parts;
    const notes = liveAudio.findNotes(workspaceId, rowId);
    switch (kind) {
      case "END":
        return liveAudio.end(workspaceId, rowId) ? null : "NOT_THERE";
      case "WHISPER":
        notes?.add(words ?? "");
        return notes ? null : "NOT_THERE";
      case "SAY":
        if (!notes) return "NOT_THERE";
        return notes.say(words ?? "") ? null : "FULL";
      case "HEAR":
        if (liveAudio.find(workspaceId, rowId)) return null;
        return notes ? "TEXT" : "NOT_THERE";
    }
  }
}

async function settle(tx: Executor, command: CommandRow, why: Refusal | null): Promise<void> {
  await settleCommand(tx, command.workspaceId, command.id, why);
  if (why !== null) return;
  if (command.kind === "WHISPER") await noteSupervision(tx, command, "call.whispered");
  if (command.kind === "SAY") await noteSupervision(tx, command, "call.words_said");
}

/** Returns why a command was not done; null when it was done, OPEN while it is pending. */
function findRefusal({ state, reason }: CommandState): Refusal | "OPEN" | null {
  switch (state) {
    case "DONE":
      return null;
    case "REFUSED":
      return readRefusal(reason);
    case "WITHDRAWN":
    case "LOST":
      return state;
    case "ACCEPTED":
    case "TAKEN":
      return "OPEN";
  }
}
