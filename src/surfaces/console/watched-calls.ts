import type { WatchedRow } from "./feed-sql.ts";

interface Call {
  watchers: number;
  updatedAt: Date | null;
  /** Grows with each change. */
  version: number;
  status: string;
  endedAt: string | null;
  turns: string[];
  outputs: Record<string, unknown>;
  /** First turn that the last change touched. */
  changedFrom: number;
}

/** What a page knows of a call: the version that it was told. */
export type Known = Map<string, number>;

/** The calls of a workspace whose talk somebody follows line by line, as they were at the last look. */
export class WatchedCalls {
  readonly #calls = new Map<string, Call>();

  get size(): number {
    return this.#calls.size;
  }

  /** What is known of them, for the next look. */
  get known(): { rowId: string; updatedAt: Date | null }[] {
    return [...this.#calls].map(([rowId, { updatedAt }]) => ({ rowId, updatedAt }));
  }

  /** One more looks at these calls. */
  add(rowIds: string[]): void {
    for (const rowId of rowIds) {
      const call = this.#calls.get(rowId);
      if (call) call.watchers++;
      else this.#calls.set(rowId, { ...NOTHING, watchers: 1 });
    }
  }

  /** One looks no longer. */
  remove(rowIds: string[]): void {
    for (const rowId of rowIds) {
      const call = this.#calls.get(rowId);
      if (call && --call.watchers <= 0) this.#calls.delete(rowId);
    }
  }

  /** Takes note of a look. */
  take(rows: WatchedRow[]): void {
    for (const row of rows) {
      const call = this.#calls.get(row.rowId);
      if (!call) continue;
      const isOther = call.status !== row.status || call.endedAt !== row.endedAt;
      call.status = row.status;
      call.endedAt = row.endedAt;
      if (row.transcript === null && !isOther) continue;
      const turns = row.transcript === null ? call.turns : row.transcript.map((turn) => JSON.stringify(turn));
      call.changedFrom = firstDifference(call.turns, turns);
      call.turns = turns;
      call.outputs = row.outputs ?? call.outputs;
      call.updatedAt = row.updatedAt;
      call.version++;
    }
  }

  /** What a page is told that knows so much: all of a call where it missed a change, otherwise what the last one brought. */
  notify(rowIds: string[], known: Known): { type: string; data: object }[] {
    return rowIds.flatMap((rowId) => {
      const call = this.#calls.get(rowId);
      const version = known.get(rowId) ?? 0;
      if (!call || call.version === version) return [];
      known.set(rowId, call.version);
      const from = version === call.version - 1 ? call.changedFrom : 0;
      const turns = call.turns.slice(from).map((turn) => JSON.parse(turn) as object);
      return [
        { type: "row", data: { rowId, status: call.status, endedAt: call.endedAt } },
        { type: "transcript", data: { rowId, from, turns, outputs: call.outputs } },
      ];
    });
  }
}

const NOTHING: Omit<Call, "watchers"> = {
  updatedAt: null,
  version: 0,
  status: "",
  endedAt: null,
  turns: [],
  outputs: {},
  changedFrom: 0,
};

function firstDifference(before: string[], after: string[]): number {
  const at = after.findIndex((turn, i) => turn !== before[i]);
  return at === -1 ? after.length : at;
}
