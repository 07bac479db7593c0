import type { WatchedRow } from "./feed-sql.ts";

interface Call {
  watchers: number;
  updatedAt: Date | null;
  /** Grows with each change. */
  version: number;
  status: string;
  actions: string[];
  endedAt: string | null;
  turns: string[];
  outputs: Record<string, unknown>;
  /** Stage of the flow in which the call is; null without stages. */
  stageId: string | null;
  /** First turn that the last change touched. */
  changedFrom: number;
}

/** Version of each call that a page received last. */
export type Known = Map<string, number>;

/** The calls of a workspace whose dialogue is followed line by line, as they were at the last tick. */
export class WatchedCalls {
  readonly #calls = new Map<string, Call>();

  get size(): number {
    return this.#calls.size;
  }

  /** Known state of the calls, for the next read. */
  get known(): { rowId: string; updatedAt: Date | null }[] {
    return [...this.#calls].map(([rowId, { updatedAt }]) => ({ rowId, updatedAt }));
  }

  /** Adds a watcher of these calls. */
  add(rowIds: string[]): void {
    for (const rowId of rowIds) {
      const call = this.#calls.get(rowId);
      if (call) call.watchers++;
      else this.#calls.set(rowId, { ...NOTHING, watchers: 1 });
    }
  }

  /** Removes a watcher. */
  remove(rowIds: string[]): void {
    for (const rowId of rowIds) {
      const call = this.#calls.get(rowId);
      if (call && --call.watchers <= 0) this.#calls.delete(rowId);
    }
  }

  /** Records the rows of a tick. */
  take(rows: WatchedRow[]): void {
    for (const row of rows) {
      const call = this.#calls.get(row.rowId);
      if (!call) continue;
      const isOther =
        call.status !== row.status || call.endedAt !== row.endedAt || call.actions.join() !== row.actions.join();
      call.status = row.status;
      call.actions = row.actions;
      call.endedAt = row.endedAt;
      if (row.transcript === null && !isOther) continue;
      const turns = row.transcript === null ? call.turns : row.transcript.map((turn) => JSON.stringify(turn));
      call.changedFrom = firstDifference(call.turns, turns);
      call.turns = turns;
      call.outputs = row.outputs ?? call.outputs;
      call.stageId = row.stageId;
      call.updatedAt = row.updatedAt;
      call.version++;
    }
  }

  /**
   * Returns the frames for a page with this knowledge: the whole call where it missed a change, otherwise the last
   * change.
   */
  toFrames(rowIds: string[], known: Known): { type: string; data: object }[] {
    return rowIds.flatMap((rowId) => {
      const call = this.#calls.get(rowId);
      const version = known.get(rowId) ?? 0;
      if (!call || call.version === version) return [];
      known.set(rowId, call.version);
      const from = version === call.version - 1 ? call.changedFrom : 0;
      const turns = call.turns.slice(from).map((turn) => JSON.parse(turn) as object);
      return [
        { type: "row", data: { rowId, status: call.status, actions: call.actions, endedAt: call.endedAt } },
        { type: "transcript", data: { rowId, from, turns, outputs: call.outputs, stageId: call.stageId } },
      ];
    });
  }
}

const NOTHING: Omit<Call, "watchers"> = {
  updatedAt: null,
  version: 0,
  status: "",
  actions: [],
  endedAt: null,
  turns: [],
  outputs: {},
  stageId: null,
  changedFrom: 0,
};

function firstDifference(before: string[], after: string[]): number {
  const at = after.findIndex((turn, i) => turn !== before[i]);
  return at === -1 ? after.length : at;
}
