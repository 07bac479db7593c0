import type { Database } from "#src/platform/db/database.ts";
import { Notifier, Rest, sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { onTaskAdded } from "./added.ts";
import { type OnTaskEnded, type TaskPool, TaskWorker } from "./queue.ts";
import { findDue, reapTasks } from "./store.ts";

/** Milliseconds between polls, and so the longest delay of a task that another node added. */
const POLL_MS = 50;
/**
 * The same at rest while no other node is alive. A task that is added here, or whose time comes, ends the rest at once.
 */
const ALONE_POLL_MS = 1_000;
/** The shortest time between two polls that were woken for. */
const WOKEN_POLL_MS = 5;
const REAP_MS = 1_000;

/**
 * Runs the pools of tasks of a process and polls for all of them at once: it looks for kinds that are due and for tasks that
 * dead nodes left.
 */
export class TaskLookout {
  readonly #database: Database;
  readonly #workers: readonly TaskWorker[];
  /** Kinds of the tasks of all pools. */
  readonly kinds: readonly string[];
  readonly #node: NodeIdentity;
  readonly #log: Log;
  readonly #notifier = new Notifier();
  /** Ends the time that polls keep between them. */
  readonly #woken = new Notifier();
  readonly #rest = new Rest(POLL_MS, ALONE_POLL_MS);
  #isStopping = false;
  /** A task was added since the last poll; it is not visible before its transaction has committed. */
  #wasAdded = false;
  #stopListening: () => void = () => undefined;
  #loop: Promise<void> | undefined;

  constructor(
    database: Database,
    node: NodeIdentity,
    pools: readonly TaskPool[],
    log: Log,
    onEnded: OnTaskEnded = () => undefined,
  ) {
    this.#database = database;
    this.#node = node;
    this.#workers = pools.map((pool) => new TaskWorker(database, node, pool, log, onEnded));
    this.kinds = this.#workers.flatMap(({ kinds }) => kinds);
    this.#log = log;
  }

  /** Starts claiming. */
  start(): void {
    for (const worker of this.#workers) worker.start();
    this.#stopListening = onTaskAdded(() => this.#noteAdded());
    this.#loop ??= this.#run();
  }

  /** Looks for due tasks now rather than at the next poll, for all pools at once. */
  wake(): void {
    this.#woken.notify();
    this.#noteAdded();
  }

  /** Begins no more long work, which another process or the next start takes; the other tasks go on. */
  drainLongWork(): void {
    for (const worker of this.#workers) if (worker.isLongWork) void worker.drain();
  }

  /** Claims no more tasks. Resolves when no task is left but long work. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.filter(({ isLongWork }) => !isLongWork).map((worker) => worker.drain()));
  }

  /** Stops claiming and waits at most `graceMs` for running tasks; the lease frees the rest. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    this.#notifier.notify();
    await Promise.all([this.#loop, ...this.#workers.map((worker) => worker.stop(graceMs))]);
  }

  #noteAdded(): void {
    this.#wasAdded = true;
    this.#notifier.notify();
  }

  async #run(): Promise<void> {
    let reapAt = 0;
    while (!this.#isStopping) {
      try {
        if (performance.now() >= reapAt) {
          await reapTasks(this.#database.db);
          reapAt = performance.now() + REAP_MS;
        }
        await this.#poll();
      } catch (error) {
        this.#log.warn("Due tasks could not be looked for.", { error: toError(error).message });
        await this.#notifier.wait(1_000);
      }
    }
  }

  /**
   * Wakes the workers that have something to do, then rests; for at least POLL_MS, however much is added, unless it is
   * woken.
   */
  async #poll(): Promise<void> {
    const polledAt = performance.now();
    const wasAdded = this.#wasAdded;
    this.#wasAdded = false;
    const { kinds, nextMs } = await findDue(this.#database.pool, this.kinds);
    for (const worker of this.#workers) {
      if (!worker.kinds.some((kind) => kinds.has(kind))) continue;
      if (wasAdded || this.#wasAdded) worker.wake();
      else worker.wakeAfterPoll();
    }
    const restMs = this.#rest.next(kinds.size > 0 || this.#wasAdded);
    await this.#notifier.wait(this.#node.isAlone ? Math.min(restMs, nextMs ?? restMs) : POLL_MS);
    if (this.#wasAdded) this.#rest.next(true);
    const restOf = (ms: number) => Math.max(0, ms - (performance.now() - polledAt));
    await this.#woken.wait(this.#isStopping ? 0 : restOf(POLL_MS));
    await sleep(restOf(WOKEN_POLL_MS));
  }
}
