import { listOpenRooms, writeLevels } from "#src/interactions/call-watch/levels.ts";
import type { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import type { Database } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";

const EVERY_MS = 500;
/** Runs between two looks for open control rooms. */
const LOOK_EVERY = 2;

/** Dependencies of the writer. */
export interface LevelWriterParts {
  database: Database;
  liveAudio: LiveCalls;
  node: NodeIdentity;
  log: Log;
}

/**
 * Writes how loud this node's calls are for control rooms, which may be open on any node: one statement twice a second,
 * and only while somebody looks.
 */
export class LevelWriter {
  readonly #parts: LevelWriterParts;
  readonly #repeater: Repeater;
  #rooms: string[] = [];
  #runs = 0;

  constructor(parts: LevelWriterParts) {
    this.#parts = parts;
    const { log } = parts;
    const onError = (error: unknown) =>
      log.warn("Levels of live calls could not be written.", { error: toError(error).message });
    this.#repeater = new Repeater(EVERY_MS, () => this.#write(), onError);
  }

  /** Starts writing. */
  start(): void {
    this.#repeater.start();
  }

  /** Stops writing. */
  async stop(): Promise<void> {
    await this.#repeater.stop();
  }

  async #write(): Promise<void> {
    const { database, liveAudio, node } = this.#parts;
    if (!liveAudio.hasAudio) return;
    if (this.#runs++ % LOOK_EVERY === 0) this.#rooms = await listOpenRooms(database.db);
    const heard = this.#rooms.map((workspaceId) => ({ workspaceId, levels: liveAudio.takeLevels(workspaceId) }));
    const written = heard.filter(({ levels }) => Object.keys(levels).length > 0);
    if (written.length > 0) await writeLevels(database.db, node.id, written);
  }
}
