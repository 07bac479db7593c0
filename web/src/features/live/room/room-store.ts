import type { LiveShapes, RoomCall } from "#web/api/live-shapes.ts";
import { LevelHistory } from "./level-history.ts";

type Listener = () => void;

/**
 * The calls of the control room, outside React: a frame wakes only the tiles whose calls changed, and levels are drawn
 * without rendering anything.
 */
export class RoomStore {
  readonly #calls = new Map<string, RoomCall>();
  readonly #ofCall = new Map<string, Set<Listener>>();
  readonly #ofList = new Set<Listener>();
  readonly #levels = new Map<string, LevelHistory>();
  readonly #draws = new Map<string, (levels: LevelHistory) => void>();
  #list: RoomCall[] | undefined;
  #total = 0;

  /** All calls; undefined until the first frame. A new array after each change. */
  get list(): RoomCall[] | undefined {
    return this.#list;
  }

  /** Live calls, also those that are not in the room. */
  get total(): number {
    return this.#total;
  }

  /** Returns a call; undefined once it is over. */
  get(rowId: string): RoomCall | undefined {
    return this.#calls.get(rowId);
  }

  /** Takes a frame of the stream. */
  take(type: "room.tiles" | "room.levels", data: unknown): void {
    if (type === "room.tiles") this.#takeTiles(data as LiveShapes["room.tiles"]);
    else this.#takeLevels(data as LiveShapes["room.levels"]);
  }

  /** Calls the listener after each change of a call. */
  readonly follow = (rowId: string, listener: Listener): (() => void) => {
    const listeners = this.#ofCall.get(rowId) ?? new Set();
    this.#ofCall.set(rowId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#ofCall.delete(rowId);
    };
  };

  /** Calls the listener after each change of any call. */
  readonly followList = (listener: Listener): (() => void) => {
    this.#ofList.add(listener);
    return () => void this.#ofList.delete(listener);
  };

  /** Draws the levels of a call now and whenever new ones come. */
  draw(rowId: string, draw: (levels: LevelHistory) => void): () => void {
    this.#draws.set(rowId, draw);
    const known = this.#levels.get(rowId);
    if (known) draw(known);
    return () => void this.#draws.delete(rowId);
  }

  #takeTiles({ isWhole, calls, gone, total }: LiveShapes["room.tiles"]): void {
    const stays = new Set(calls.map(({ rowId }) => rowId));
    const left = isWhole ? [...this.#calls.keys()].filter((id) => !stays.has(id)) : gone;
    for (const rowId of left) {
      this.#calls.delete(rowId);
      this.#levels.delete(rowId);
    }
    for (const call of calls) this.#calls.set(call.rowId, call);
    this.#total = total;
    this.#list = [...this.#calls.values()];
    for (const { rowId } of calls) for (const listener of this.#ofCall.get(rowId) ?? []) listener();
    for (const listener of this.#ofList) listener();
  }

  #takeLevels({ levels }: LiveShapes["room.levels"]): void {
    for (const [rowId, digits] of Object.entries(levels)) {
      const history = this.#levels.get(rowId) ?? new LevelHistory();
      this.#levels.set(rowId, history);
      history.add(digits);
      this.#draws.get(rowId)?.(history);
    }
  }
}
