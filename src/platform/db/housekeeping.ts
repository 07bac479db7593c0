import type pg from "pg";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import { type Database, inTransaction } from "./database.ts";

/** Milliseconds between checks for a due task. */
const LOOK_MS = 1_000;
/** Time limit of each housekeeping statement; it ends a plan that went wrong. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** A piece of periodic work, in bounded runs: the rest waits for the next run. */
export interface PeriodicTask {
  /** Its name in `periodic_tasks`. */
  name: string;
  /** Pause between the end of a run and the next. */
  everyMs: number;
  /** SHARED: one node at a time does it for all. NODE: each node does its own. */
  scope: "SHARED" | "NODE";
  /** May resolve with the number of rows that it deleted. */
  run: (signal: AbortSignal) => Promise<unknown>;
}

/** A run of a task on this node, as it ended. */
export interface HousekeepingRun {
  task: string;
  result: "OK" | "FAILED";
  seconds: number;
  /** Rows that it deleted, as far as the task counts them. */
  deleted: number;
}

/**
 * Takes a task that is due and that no living node holds. The statement is the only one that starts shared work, so two
 * nodes never do the same at once; a dead node loses what it held. A time further off than the task's pause was set by
 * a database whose clock was ahead. $1 name, $2 node, $3 seconds of the pause.
 */
const TAKE = `
insert into periodic_tasks as t (name, held_by) values ($1, $2)
on conflict (name) do update set held_by = excluded.held_by
 where (t.due_at <= now() or t.due_at > now() + make_interval(secs => $3))
   and (t.held_by is null or t.held_by = excluded.held_by
        or not exists (select 1 from nodes n where n.id = t.held_by and n.alive_until > now()))
returning name`;

const GIVE_BACK = `
update periodic_tasks set held_by = null, due_at = now() + make_interval(secs => $3)
 where name = $1 and held_by = $2`;

/**
 * Does the periodic work of a process, one task after another on one connection. No task overlaps itself or another;
 * one that fails or takes long delays only other housekeeping.
 */
export class Housekeeper {
  readonly #database: Database;
  readonly #node: NodeIdentity;
  readonly #log: Log;
  readonly #tasks: readonly PeriodicTask[];
  readonly #onRun: (run: HousekeepingRun) => void;
  readonly #dueAt = new Map<string, number>();
  readonly #repeater: Repeater;

  constructor(
    database: Database,
    node: NodeIdentity,
    tasks: readonly PeriodicTask[],
    log: Log,
    onRun: (run: HousekeepingRun) => void = () => undefined,
  ) {
    this.#database = database;
    this.#node = node;
    this.#tasks = tasks;
    this.#log = log;
    this.#onRun = onRun;
    for (const { name, everyMs } of tasks) this.#dueAt.set(name, performance.now() + everyMs);
    this.#repeater = new Repeater(
      LOOK_MS,
      (signal) => this.runDue(signal),
      () => undefined,
    );
  }

  /** Starts; the first run of each task comes one period later. */
  start(): void {
    this.#repeater.start();
  }

  /** Stops after the statement that runs. */
  async stop(): Promise<void> {
    await this.#repeater.stop();
  }

  /** Runs the tasks that are due, in turn. A failure is logged and leaves the others alone. */
  async runDue(signal: AbortSignal): Promise<void> {
    for (const task of this.#tasks) {
      if (signal.aborted) return;
      if (performance.now() < (this.#dueAt.get(task.name) ?? 0)) continue;
      try {
        await this.#runOne(task, signal);
      } catch (error) {
        if (!signal.aborted)
          this.#log.warn("Housekeeping failed; the next run tries again.", {
            task: task.name,
            error: toError(error).message,
          });
      }
      this.#dueAt.set(task.name, performance.now() + task.everyMs);
    }
  }

  async #runOne({ name, scope, everyMs, run }: PeriodicTask, signal: AbortSignal): Promise<void> {
    if (scope === "NODE") return this.#measure(name, () => run(signal));
    const { pool } = this.#database;
    // A process that goes on under another id gives back what it took under the former one.
    const nodeId = this.#node.id;
    const taken = await pool.query(TAKE, [name, nodeId, everyMs / 1_000]);
    if (taken.rowCount === 0) return;
    try {
      await this.#measure(name, () => run(signal));
    } finally {
      await pool.query(GIVE_BACK, [name, nodeId, everyMs / 1_000]);
    }
  }

  async #measure(task: string, run: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    let result: HousekeepingRun["result"] = "FAILED";
    let deleted: unknown;
    try {
      deleted = await run();
      result = "OK";
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000;
      this.#onRun({ task, result, seconds, deleted: typeof deleted === "number" ? deleted : 0 });
    }
  }
}

/** Runs one statement in a transaction of its own; rejects when it takes longer than `timeoutMs`, 15 s by default. */
export async function runBounded<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[] = [],
  timeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<pg.QueryResult<Row>> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${timeoutMs}`);
    return client.query<Row>(text, values);
  });
}
