import { Worker } from "node:worker_threads";
import { toError } from "#src/platform/kernel/errors.ts";
import { type RunTurn, UNSHARED } from "./conversation-turns.ts";
import type { ScenarioJob } from "./hold-conversation.ts";
import { reportUnheld } from "./judged-conversation.ts";
import type { ConversationReport } from "./report.ts";
import { SharedProgress } from "./shared-progress.ts";
import type { WorkerData, WorkerTask } from "./worker-protocol.ts";

const ENTRY = new URL("./simulation-worker.ts", import.meta.url);
const MAX_MEMORY_MB = 512;
/** Factor on the stall limit, so that a conversation that can still end itself does so before its worker is ended. */
const PATIENCE = 1.5;
/** Checks of a worker's progress within the limit. */
const LOOKS = 5;
/** The longest time for a busy machine to start a thread. */
const START_MS = 60_000;

/** Options of a worker pool. */
export interface PoolOptions {
  workers: number;
  /** Entry file of the workers. */
  entry?: URL;
  /** Milliseconds of real time for which a worker may do nothing. */
  stallMs: number;
  /** The run's turns at worker threads. */
  turn?: RunTurn;
}

/**
 * Holds conversations on worker threads, one at a time on each. A worker that hangs is ended: its conversation fails,
 * the others go on. Once others wait for a thread, a worker gives up its own after a shift and queues again. Resolves
 * when all are done; rejects with the reason of the signal.
 */
export async function runInPool(
  jobs: ScenarioJob[],
  tasks: readonly WorkerTask[],
  { workers, entry = ENTRY, stallMs, turn = UNSHARED.THREAD }: PoolOptions,
  onReport: (task: WorkerTask, report: ConversationReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...tasks].reverse();
  const serveShift = async (): Promise<void> => {
    let seat: WorkerSeat | undefined;
    const endsAt = performance.now() + turn.shiftMs;
    try {
      for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
        seat ??= new WorkerSeat(jobs, entry, stallMs * PATIENCE);
        const report = await seat.run(task, signal);
        onReport(task, report);
        if (!seat.isUsable) seat = undefined;
        if (performance.now() >= endsAt && turn.hasOthersWaiting()) return;
      }
    } finally {
      await seat?.end();
    }
  };
  const serve = async (): Promise<void> => {
    while (waiting.length > 0) await turn.run(serveShift, signal);
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, serve));
}

/** A worker thread with its observed progress. */
class WorkerSeat {
  isUsable = true;
  readonly #worker: Worker;
  readonly #progress = new SharedProgress();
  readonly #jobs: ScenarioJob[];
  readonly #limitMs: number;

  constructor(jobs: ScenarioJob[], entry: URL, limitMs: number) {
    this.#jobs = jobs;
    this.#limitMs = limitMs;
    const cacheFolder = process.env.NODE_COMPILE_CACHE;
    const workerData: WorkerData = { jobs, progress: this.#progress.buffer };
    this.#worker = new Worker(entry, {
      workerData,
      env: cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder },
      execArgv: [],
      name: "parley-simulation",
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    // A waiting caller listens too; this keeps an error of an idle worker from ending the process.
    this.#worker.on("error", () => (this.isUsable = false));
  }

  /** Holds one conversation. Rejects only with the reason of the signal. */
  async run(task: WorkerTask, signal: AbortSignal): Promise<ConversationReport> {
    signal.throwIfAborted();
    const done = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<ConversationReport | string>();
    const timer = this.#watch((sinceMs) => resolve(`Nothing happened for ${Math.round(sinceMs / 1_000)} s`));
    const onError = (error: unknown): void => resolve(`Its thread failed (${toError(error).message})`);
    const onExit = (): void => resolve("Its thread ended");
    signal.addEventListener("abort", () => reject(toError(signal.reason)), { signal: done.signal });
    this.#worker.once("message", resolve).once("error", onError).once("exit", onExit);
    this.#worker.postMessage(task);
    try {
      const came = await promise;
      return typeof came === "string" ? await this.#giveUp(task, came) : came;
    } finally {
      clearInterval(timer);
      done.abort();
      this.#worker.off("message", resolve).off("error", onError).off("exit", onExit);
    }
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.isUsable = false;
    await this.#worker.terminate();
  }

  /** Calls `onStall` when nothing has happened for too long; a thread that is still starting has longer. */
  #watch(onStall: (sinceMs: number) => void): NodeJS.Timeout {
    let beats = this.#progress.beats;
    let changedAt = performance.now();
    return setInterval(() => {
      const limitMs = this.#progress.beats === 0 ? START_MS : this.#limitMs;
      const sinceMs = performance.now() - changedAt;
      if (this.#progress.beats === beats && sinceMs >= limitMs) onStall(sinceMs);
      if (this.#progress.beats !== beats) changedAt = performance.now();
      beats = this.#progress.beats;
    }, this.#limitMs / LOOKS);
  }

  async #giveUp({ job, seed }: WorkerTask, why: string): Promise<ConversationReport> {
    await this.end();
    const { last } = this.#progress;
    const since = last === null ? "before its first turn" : `after turn ${last.turn}`;
    const message = `${why} ${since}, so the conversation was ended.`;
    const at = last ?? { turn: null, quote: null };
    return reportUnheld(this.#jobs[job] as ScenarioJob, seed, { code: "STALLED", path: "STALLED", ...at, message });
  }
}
