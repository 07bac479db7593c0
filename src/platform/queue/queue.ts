import { type Database, type Executor, isUnavailable, untilAvailable } from "#src/platform/db/database.ts";
import { Notifier, sleep } from "#src/platform/kernel/async.ts";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import { noteTaskAdded } from "./added.ts";
import {
  type ClaimStatement,
  claimStatement,
  claimTasks,
  endTask,
  findYounger,
  freeLost,
  hasten,
  hastenReceiver,
  insertTask,
  type TaskRow,
} from "./store.ts";

/** A piece of work that outlives the process: a webhook to deliver, a file to import. */
export interface Task {
  id: string;
  workspaceId: string;
  subjectId: string;
  payload: Record<string, unknown>;
  /** 1 for the first run. */
  attempt: number;
  createdAt: Date;
}

/**
 * Result of a task. RETRY runs it again after `afterMs`. LATER does so too without counting an attempt, because nothing
 * was tried, and may give a reason. DEAD gives it up and keeps the reason.
 */
export type TaskEnd =
  | { kind: "DONE" }
  | { kind: "LATER"; afterMs: number; error?: string }
  | { kind: "RETRY"; afterMs: number; error: string }
  | { kind: "DEAD"; error: string };

/** Runs a task of a kind. */
export interface TaskHandler {
  (task: Task, signal: AbortSignal): Promise<TaskEnd>;
  /**
   * The schedule of a kind that must outlast errors of its handler: milliseconds from the run of this number that threw
   * to the next, or null to give the task up. Without it, five such runs in a row give it up.
   */
  readonly afterCrashMs?: (attempt: number) => number | null;
}

/** Called after each end of a task is stored. */
export type OnTaskEnded = (task: { kind: string; createdAt: Date }, end: TaskEnd["kind"]) => void;

/** Adds a task in the caller's transaction: it is stored exactly when its cause is. */
export async function addTask(
  tx: Executor,
  workspaceId: string,
  task: { kind: string; subjectId: string; payload: Record<string, unknown>; dueAt?: Date },
): Promise<string> {
  const id = uuidv7();
  await insertTask(tx, workspaceId, { id, ...task });
  noteTaskAdded();
  return id;
}

/** True when a younger task of this kind stands for the subject of the given one, with these members in its payload. */
export function hasYoungerTask(
  db: Executor,
  { id, workspaceId, subjectId }: Task,
  kind: string,
  having: object,
): Promise<boolean> {
  return findYounger(db, workspaceId, { id, subjectId, kind, having });
}

/** Makes waiting tasks of a kind due now, because what they wait for has happened. */
export function hastenTasks(tx: Executor, workspaceId: string, kind: string, subjectIds: string[]): Promise<void> {
  return hasten(tx, workspaceId, kind, subjectIds);
}

/** Makes tasks due now that go to the same receiver as this one and were postponed for this reason. */
export function hastenPutOff(db: Executor, { id, workspaceId }: Task, reason: string): Promise<void> {
  return hastenReceiver(db, workspaceId, id, reason);
}

/** The most milliseconds between a pool's own polls, in case a wake-up was lost; a `TaskLookout` wakes it for what is due. */
const POLL_MS = 10_000;
/** Share of them that is random, so that the pools at rest do not look at once, each on a connection of its own. */
const POLL_SPREAD = 0.3;
/** Milliseconds between the end of a task and the claim that fills its slot. */
const REFILL_MS = 10;
/** Pause after a claim, as a multiple of its duration; a pause below SHORTEST_REST_MS is skipped. */
const CLAIM_RESTS = 9;
const SHORTEST_REST_MS = 20;
const MOST_REST_MS = 250;
/**
 * After a claim that took nothing, the tasks that a poll finds due are most likely those that the limits held back: for
 * so long, only what happens in this process is a reason to claim again.
 */
const HELD_BACK_MS = 250;
/** Milliseconds between two looks for claims whose answer was lost. */
const LOST_MS = 10_000;
/** Pause after a run that failed because the database was away. */
const AWAY_MS = 2_000;
/** Runs in a row, in one process, that throw before their task is DEAD. Runs that a handler plans itself do not count. */
const MAX_CRASHES = 5;
/** The most tasks whose crashes a pool remembers. */
const CRASHED_TASKS = 10_000;

/** Tasks that share slots: a slow kind holds up only its own pool. */
export interface TaskPool {
  handlers: ReadonlyMap<string, TaskHandler>;
  /** The most of them that run at once in this process. */
  slots: number;
  /** The most that one workspace may run at once; the other slots are left to the rest, however much it has waiting. */
  perWorkspace: number;
  /** The most that may go to one receiver at once; the same as `perWorkspace` when left out. */
  perEndpoint?: number;
  /** Long work for which nobody waits on the line: a process that is about to stop begins none of it. */
  isLongWork?: boolean;
}

/** Runs the tasks of one pool of the outbox: claims due ones under this node's lease. */
export class TaskWorker {
  readonly #database: Database;
  readonly #node: NodeIdentity;
  readonly #handlers: ReadonlyMap<string, TaskHandler>;
  /** Kinds of its tasks. */
  readonly kinds: string[];
  readonly #statement: ClaimStatement;
  readonly isLongWork: boolean;
  readonly #slots: number;
  readonly #limits: { perWorkspace: number; perEndpoint: number };
  readonly #log: Log;
  readonly #onEnded: OnTaskEnded;
  readonly #notifier = new Notifier();
  readonly #stop = new AbortController();
  #isDraining = false;
  /** Runs under way, with the ids of their tasks. */
  readonly #running = new Map<Promise<void>, string>();
  /** Runs in a row that threw, by task. */
  readonly #crashes = new BoundedMap<string, number>(CRASHED_TASKS);
  #loop: Promise<void> | undefined;
  #isRinging = false;
  #restingUntil = 0;
  /** Until then, the due tasks that a poll finds are most likely those that the last claim could not take. */
  #heldBackUntil = 0;

  constructor(database: Database, node: NodeIdentity, tasks: TaskPool, log: Log, onEnded: OnTaskEnded) {
    const { handlers, slots, perWorkspace, perEndpoint = perWorkspace, isLongWork = false } = tasks;
    this.#database = database;
    this.#node = node;
    this.#handlers = handlers;
    this.kinds = [...handlers.keys()];
    this.#statement = claimStatement(this.kinds);
    this.isLongWork = isLongWork;
    this.#slots = slots;
    this.#limits = { perWorkspace, perEndpoint };
    this.#log = log;
    this.#onEnded = onEnded;
  }

  /** Starts claiming, as soon as it is woken: all pools of a start would else look at once, each on a connection of its own. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks for due tasks now. */
  wake(): void {
    this.#notifier.notify();
  }

  /** Looks for due tasks after a poll that found some, unless they are most likely those that the last claim left. */
  wakeAfterPoll(): void {
    if (performance.now() >= this.#heldBackUntil) this.wake();
  }

  /** Claims no more tasks; running ones go on. Resolves when none is left. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#notifier.notify();
    await this.#loop;
    await Promise.all(this.#running.keys());
  }

  /** Stops claiming and waits at most `graceMs` for running tasks; the lease frees the rest. */
  async stop(graceMs: number): Promise<void> {
    this.#isDraining = true;
    this.#stop.abort(new Error("shutting down"));
    this.#notifier.notify();
    await this.#loop;
    const timer = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all(this.#running.keys()), timer]);
  }

  async #run(): Promise<void> {
    let lookAt = 0;
    await this.#awaitWake();
    while (!this.#isDraining) {
      try {
        await this.#rest();
        if (performance.now() >= lookAt) {
          await freeLost(this.#database.pool, this.#node.id, this.kinds, [...this.#running.values()]);
          lookAt = performance.now() + LOST_MS;
        }
        const free = this.#slots - this.#running.size;
        const tasks = free > 0 ? await this.#claim(free) : [];
        for (const task of tasks) this.#launch(task);
        if (tasks.length < free || free === 0) await this.#awaitWake();
      } catch (error) {
        this.#log.warn("Due tasks could not be read.", { error: toError(error).message });
        await this.#notifier.wait(1_000);
      }
    }
  }

  #awaitWake(): Promise<void> {
    return this.#notifier.wait(POLL_MS * (1 - POLL_SPREAD * Math.random()));
  }

  async #rest(): Promise<void> {
    const restMs = this.#restingUntil - performance.now();
    if (restMs >= SHORTEST_REST_MS) await sleep(restMs, this.#stop.signal).catch(() => undefined);
  }

  /**
   * Claims tasks, then pauses in proportion to the claim's duration, so that a claim over thousands of receivers leaves
   * the database to others.
   */
  async #claim(free: number): Promise<TaskRow[]> {
    const startedAt = performance.now();
    const tasks = await claimTasks(this.#database.pool, this.#node.id, this.#statement, { free, ...this.#limits });
    const restMs = Math.min(MOST_REST_MS, CLAIM_RESTS * (performance.now() - startedAt));
    this.#restingUntil = performance.now() + restMs;
    this.#heldBackUntil = tasks.length === 0 ? performance.now() + HELD_BACK_MS : 0;
    return tasks;
  }

  #launch(row: TaskRow): void {
    const job = this.#runOne(row)
      .catch((error: unknown) => this.#log.error("A task's end could not be stored.", { taskId: row.id, error }))
      .finally(() => {
        this.#running.delete(job);
        this.#ringSoon();
      });
    this.#running.set(job, row.id);
  }

  /**
   * Fills slots that become free within a few milliseconds with one claim, so that a thousand short tasks do not cost a
   * thousand claims.
   */
  #ringSoon(): void {
    if (this.#isRinging) return;
    this.#isRinging = true;
    setTimeout(() => {
      this.#isRinging = false;
      this.#notifier.notify();
    }, REFILL_MS);
  }

  /** Runs a task and stores its end, for which it waits while the database is away. */
  async #runOne(row: TaskRow): Promise<void> {
    const end = await this.#handle(row);
    const stored = {
      status: "afterMs" in end ? ("PENDING" as const) : end.kind,
      retryMs: "afterMs" in end ? end.afterMs : 0,
      error: "error" in end && end.error !== undefined ? toStorableText(end.error.slice(0, 2_000)) : null,
      isCounted: end.kind !== "LATER",
    };
    await untilAvailable(() => endTask(this.#database.db, row, stored), this.#stop.signal);
    this.#onEnded({ kind: row.kind, createdAt: row.created_at }, end.kind);
  }

  async #handle(row: TaskRow): Promise<TaskEnd> {
    const handler = this.#handlers.get(row.kind);
    if (!handler) return { kind: "DEAD", error: `No handler for ${row.kind}.` };
    const { id, workspace_id: workspaceId, subject_id: subjectId, payload, attempt, created_at: createdAt } = row;
    try {
      const end = await handler({ id, workspaceId, subjectId, payload, attempt, createdAt }, this.#stop.signal);
      this.#crashes.delete(id);
      return end;
    } catch (thrown) {
      return this.#decideCrash(row, handler, thrown);
    }
  }

  #decideCrash({ id, kind, attempt }: TaskRow, handler: TaskHandler, thrown: unknown): TaskEnd {
    const error = toError(thrown).message;
    if (isUnavailable(thrown)) {
      this.#log.warn("A task waits for the database.", { taskId: id, kind, error });
      return { kind: "LATER", afterMs: AWAY_MS, error };
    }
    this.#log.error("A task failed.", { taskId: id, kind, attempt, error: thrown });
    const crashes = (this.#crashes.get(id) ?? 0) + 1;
    const { afterCrashMs = () => (crashes < MAX_CRASHES ? 1_000 * 2 ** crashes : null) } = handler;
    const afterMs = afterCrashMs(attempt);
    if (afterMs === null) this.#crashes.delete(id);
    else this.#crashes.set(id, crashes);
    return afterMs === null ? { kind: "DEAD", error } : { kind: "RETRY", afterMs, error };
  }
}
