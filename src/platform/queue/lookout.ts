import type { Database } from "#src/platform/db/database.ts";
import { Notifier } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { type TaskPool, TaskWorker } from "./queue.ts";
import { findDueKinds, reapTasks } from "./store.ts";

/**
 * Milliseconds between polls, and so the longest delay of a task without a notification: one that another node added,
 * or whose time has come.
 */
const POLL_MS = 50;
const REAP_MS = 1_000;

/**
 * Runs the pools of tasks of a process and polls for all of them at once: it looks for kinds that are due and for tasks that
 * dead nodes left.
 */
export class TaskLookout {
  readonly #database: Database;
  readonly #workers: readonly TaskWorker[];
  readonly #kinds: string[];
  readonly #log: Log;
  readonly #notifier = new Notifier();
  #isStopping = false;
  #loop: Promise<void> | undefined;

  constructor(database: Database, node: NodeIdentity, pools: readonly TaskPool[], log: Log) {
    this.#database = database;
    this.#workers = pools.map((pool) => new TaskWorker(database, node, pool, log));
    this.#kinds = this.#workers.flatMap(({ kinds }) => kinds);
    this.#log = log;
  }

  /** Starts claiming. */
  start(): void {
    for (const worker of this.#workers) worker.start();
    this.#loop ??= this.#run();
  }

  /** Looks for due tasks now rather than at the next poll. */
  wake(): void {
    for (const worker of this.#workers) worker.wake();
  }

  /** Stops claiming and waits at most `graceMs` for running tasks; the lease frees the rest. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#notifier.notify();
    await Promise.all([this.#loop, ...this.#workers.map((worker) => worker.stop(graceMs))]);
  }

  async #run(): Promise<void> {
    let reapAt = 0;
    while (!this.#isStopping) {
      try {
        if (performance.now() >= reapAt) {
          await reapTasks(this.#database.db);
          reapAt = performance.now() + REAP_MS;
        }
        const due = new Set(await findDueKinds(this.#database.pool, this.#kinds));
        for (const worker of this.#workers) if (worker.kinds.some((kind) => due.has(kind))) worker.wake();
        await this.#notifier.wait(POLL_MS);
      } catch (error) {
        this.#log.warn("Due tasks could not be looked for.", { error: toError(error).message });
        await this.#notifier.wait(1_000);
      }
    }
  }
}
