import type { RoomCall } from "./room-sql.ts";

/** Ended calls that are remembered, so that a page that is a little behind need not get the whole room. */
const REMEMBERED = 500;

interface Known {
  call: RoomCall;
  text: string;
  revision: number;
}

/** Data of a frame: the calls that changed since the page's last one, or all of them. */
export interface TilesFrame {
  isWhole: boolean;
  calls: RoomCall[];
  /** Rows of the calls that are over. */
  gone: string[];
  /** Live calls, also those that are not in the room. */
  total: number;
}

/** The tiles of a control room. Each page gets the changes since its own last frame, so a quiet call costs nothing. */
export class RoomTiles {
  readonly #known = new Map<string, Known>();
  #gone: { rowId: string; revision: number }[] = [];
  /** Revision up to which ended calls are forgotten. */
  #forgotten = 0;
  #revision = 0;
  #total = 0;

  /** Revision of the latest change, for the page that gets it. */
  get revision(): number {
    return this.#revision;
  }

  /** Takes the calls of a tick. */
  take(calls: RoomCall[], total: number): void {
    const next = this.#revision + 1;
    let isChanged = this.#revision === 0 || total !== this.#total;
    this.#total = total;
    for (const call of calls) {
      const text = JSON.stringify(call);
      if (this.#known.get(call.rowId)?.text === text) continue;
      this.#known.set(call.rowId, { call, text, revision: next });
      isChanged = true;
    }
    const live = new Set(calls.map(({ rowId }) => rowId));
    for (const rowId of [...this.#known.keys()].filter((id) => !live.has(id))) {
      this.#known.delete(rowId);
      this.#gone.push({ rowId, revision: next });
      isChanged = true;
    }
    if (isChanged) this.#revision = next;
    for (const { revision } of this.#gone.splice(0, Math.max(0, this.#gone.length - REMEMBERED)))
      this.#forgotten = revision;
  }

  /** Returns what a page with this revision lacks; null when it lacks nothing. A new page has revision 0. */
  since(revision: number): TilesFrame | null {
    if (revision === this.#revision) return null;
    const isWhole = revision === 0 || revision < this.#forgotten;
    const changed = [...this.#known.values()].filter((known) => isWhole || known.revision > revision);
    const gone = isWhole ? [] : this.#gone.filter((one) => one.revision > revision).map(({ rowId }) => rowId);
    return { isWhole, calls: changed.map(({ call }) => call), gone, total: this.#total };
  }
}
