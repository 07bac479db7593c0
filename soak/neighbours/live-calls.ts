import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Installation, Workspace } from "../installation.ts";

/** Sandbox numbers whose calls each end in their own way (docs/sandbox.md). */
const NUMBERS = ["00", "01", "02", "07", "08", "10", "12", "20", "50", "51"];
const EVERY_MS = 3_000;
const END_DEADLINE_MS = 180_000;

/** Counts of the ways in which calls ended, by number. */
type Ends = Map<string, Map<string, number>>;

/** Places live calls in quiet workspaces, one every 3 s, each workspace its own number. */
export class LiveCalls {
  readonly #installation: Installation;
  readonly #workspaces: Workspace[];
  readonly #rows: { number: string; workspaceId: string; rowId: string }[] = [];
  #refused = 0;

  constructor(installation: Installation, workspaces: Workspace[]) {
    this.#installation = installation;
    this.#workspaces = workspaces;
  }

  /** Places calls for this many seconds. A person is not called again while the call goes on, so numbers take turns. */
  async place(seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    for (let i = 0; performance.now() < until; i++) {
      const number = NUMBERS[i % NUMBERS.length] as string;
      const workspace = this.#workspaces[Math.floor(i / NUMBERS.length) % this.#workspaces.length] as Workspace;
      const reply = await this.#installation.ask(workspace, "POST", "/outbound/calls", {
        flowId: workspace.flow.id,
        customerNumber: `+120255501${number}`,
      });
      if (reply.status === 200) {
        const { rowId } = JSON.parse(reply.text) as { rowId: string };
        this.#rows.push({ number, workspaceId: workspace.workspaceId, rowId });
      } else this.#refused++;
      await pause(EVERY_MS);
    }
  }

  /**
   * Waits until all calls have ended, and returns how; a call still live after the deadline is counted with its state.
   */
  async ends(client: pg.Client): Promise<{ ends: Ends; calls: number; refused: number; medianSeconds: number }> {
    const deadline = performance.now() + END_DEADLINE_MS;
    const ids = this.#rows.map(({ rowId }) => rowId);
    for (;;) {
      const { rows } = await client.query<{ id: string; end: string; seconds: number | null }>(
        `select r.id, concat_ws(' ', r.status, r.outcome, r.end_reason, json_array_length(c.transcript) || ' lines') as "end",
                extract(epoch from r.ended_at - r.created_at)::float8 as seconds
           from call_rows r left join call_results c on c.workspace_id = r.workspace_id and c.row_id = r.id
          where r.id = any ($1::uuid[])`,
        [ids],
      );
      if (rows.some(({ seconds }) => seconds === null) && performance.now() < deadline) {
        await pause(1_000);
        continue;
      }
      const byId = new Map(rows.map((row) => [row.id, row.end]));
      const ends: Ends = new Map();
      for (const { number, rowId } of this.#rows) {
        const counts = ends.get(number) ?? new Map<string, number>();
        const end = byId.get(rowId) ?? "gone";
        ends.set(number, counts.set(end, (counts.get(end) ?? 0) + 1));
      }
      const seconds = rows.map((row) => row.seconds ?? 0).sort((a, b) => a - b);
      return { ends, calls: ids.length, refused: this.#refused, medianSeconds: seconds[ids.length >> 1] ?? 0 };
    }
  }
}

/** Returns the calls that ended in a way that no call to their number did before. */
export function differences(before: Ends, after: Ends): string[] {
  return [...after].flatMap(([number, counts]) =>
    [...counts]
      .filter(([end]) => !before.get(number)?.has(end))
      .map(
        ([end, n]) =>
          `${n} live calls to ${number} ended ${end}; before: ${[...(before.get(number)?.keys() ?? [])].join(", ")}`,
      ),
  );
}
