import { keepRoomOpen, readLevels } from "#src/interactions/call-watch/levels.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { Frame } from "./frame.ts";
import { readRoom } from "./room-sql.ts";
import { RoomTiles } from "./room-tiles.ts";

/** Calls in a room, the newest; further ones are only counted. */
const MOST_CALLS = 300;
/** Ticks between two readings of the tiles, and between two notes that the room is open. */
const TILES_EVERY = 2;
const OPEN_EVERY = 4;

/**
 * The control room of a workspace, read while a page has it open: changed tiles once a second and levels twice, each as
 * one frame however many calls there are.
 */
export class RoomFeed {
  readonly #db: Executor;
  readonly #workspaceId: string;
  #tiles = new RoomTiles();
  /** Time of the latest levels of each node. */
  readonly #written = new Map<string, string>();
  #levels: Record<string, string> = {};
  #pages = 0;
  #ticks = 0;

  constructor(db: Executor, workspaceId: string) {
    this.#db = db;
    this.#workspaceId = workspaceId;
  }

  /** Adds a page that has the room open. */
  enter(): void {
    if (this.#pages++ === 0) this.#ticks = 0;
  }

  /** Removes a page. */
  leave(): void {
    if (--this.#pages > 0) return;
    this.#tiles = new RoomTiles();
    this.#written.clear();
  }

  /** Reads what the pages need; `total` is the number of live calls. */
  async tick(total: number): Promise<void> {
    this.#levels = {};
    if (this.#pages === 0) return;
    const tick = this.#ticks++;
    const [calls, levels] = await Promise.all([
      tick % TILES_EVERY === 0 ? readRoom(this.#db, this.#workspaceId, MOST_CALLS) : null,
      readLevels(this.#db, this.#workspaceId),
      tick % OPEN_EVERY === 0 ? keepRoomOpen(this.#db, this.#workspaceId) : null,
    ]);
    if (calls) this.#tiles.take(calls, total);
    for (const { nodeId, writtenAt, levels: ofNode } of levels) {
      if (this.#written.get(nodeId) === writtenAt) continue;
      this.#written.set(nodeId, writtenAt);
      Object.assign(this.#levels, ofNode);
    }
  }

  /** Returns the frames for a page with this revision of the tiles, and its next revision. */
  toFrames(revision: number): { frames: Frame[]; revision: number } {
    const tiles = this.#tiles.since(revision);
    const hasLevels = Object.keys(this.#levels).length > 0;
    const frames = [
      ...(tiles ? [{ type: "room.tiles", data: tiles }] : []),
      ...(hasLevels ? [{ type: "room.levels", data: { levels: this.#levels } }] : []),
    ];
    return { frames, revision: this.#tiles.revision };
  }
}
