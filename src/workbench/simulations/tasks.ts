import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Database } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { capReport } from "./cap-report.ts";
import { openSuiteModels } from "./choose-model.ts";
import { type Comparison, compareReports } from "./compare.ts";
import { SimulationTurns } from "./conversation-turns.ts";
import { toPreparedFlow } from "./prepare-flow.ts";
import type { SuitePorts } from "./prepared-flow.ts";
import type { SuiteReport } from "./report.ts";
import { runReplay } from "./run-replay.ts";
import { openSource } from "./run-source.ts";
import { runSuite } from "./run-suite.ts";
import { type BegunRow, beginRun, endRun, findRun, findRunBefore, noteProgress, type RunEnd } from "./store.ts";

/** A run that was begun this often, with the process dying each time, is considered the cause. */
const MAX_BEGINNINGS = 5;
const PROGRESS_MS = 300;
const AGAIN_MS = 1_000;
/** Limit of one run; several run at once. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;

/** Dependencies of running suites. */
export interface SimulationParts {
  database: Database;
  log: Log;
  openModel: OpenModel;
  scripted: LanguageModel;
  /** Opens the audio path; absent where audio is not available. */
  openAudioLine?: SuitePorts["openAudioLine"];
}

/**
 * Creates the task handler that runs suites. A run interrupted by a crash or a stop begins again from its first
 * conversation.
 */
export function createSimulationRunner(parts: SimulationParts): TaskHandler {
  const turns = new SimulationTurns();
  return async (task, signal) => {
    const { db } = parts.database;
    const run = await beginRun(db, task.workspaceId, task.subjectId);
    if (!run) return { kind: "DONE" };
    if (task.attempt > MAX_BEGINNINGS) return giveUp(parts, task, "The process ended each time it was begun.");
    const watch = new RunWatch(parts, task, signal);
    try {
      const done = await simulate(parts, task.workspaceId, run, watch, turns);
      return await finish(parts, task, run, done);
    } catch (error) {
      if (watch.isCancelled) return { kind: "DONE" };
      if (signal.aborted) return { kind: "RETRY", afterMs: AGAIN_MS, error: "The process stopped." };
      parts.log.error("A simulation failed.", { simulationId: run.id, error });
      return await giveUp(parts, task, toError(error).message);
    } finally {
      watch.stop();
    }
  };
}

/** A report; for replays also the recorded calls in the same form. */
interface Simulated {
  report: SuiteReport;
  recorded?: SuiteReport;
}

async function simulate(
  parts: SimulationParts,
  workspaceId: string,
  run: BegunRow,
  watch: RunWatch,
  turnsOfAll: SimulationTurns,
): Promise<Simulated> {
  const { db } = parts.database;
  const opened = "rowIds" in run.source ? null : openSource(run.source);
  const models = await openSuiteModels(db, parts, workspaceId, opened?.suite.model ?? "FLOW", run.prepared);
  const hosted = await parts.openModel(db, workspaceId, null);
  const ports: SuitePorts = {
    flow: toPreparedFlow(run.prepared, models),
    personaModel: hosted === parts.scripted ? null : hosted,
    ...(parts.openAudioLine ? { openAudioLine: parts.openAudioLine } : {}),
  };
  const options = {
    onProgress: (progress: { done: number; passed: number }) => watch.note(progress),
    signal: watch.signal,
    turns: turnsOfAll.of(workspaceId),
    maxKeptCharacters: MAX_KEPT_CHARACTERS,
  };
  if ("rowIds" in run.source) {
    return runReplay(db, workspaceId, run.source, ports, { ...options, name: run.suite_name });
  }
  const { suite, leftOut, warnings } = opened ?? openSource(run.source);
  const report = await runSuite(suite, ports, options);
  watch.signal.throwIfAborted();
  return {
    report: {
      ...report,
      ...(leftOut.length > 0 ? { leftOut } : {}),
      warnings: [...warnings, ...run.prepared.warnings, ...report.warnings],
    },
  };
}

async function finish(parts: SimulationParts, task: Task, run: BegunRow, done: Simulated): Promise<TaskEnd> {
  const { db } = parts.database;
  const report = await capReport(done.report);
  const before = await findBefore(parts, task.workspaceId, run);
  const earlier = done.recorded ?? before?.report;
  const comparison: Comparison | null = earlier ? compareReports(earlier, done.report) : null;
  const end: RunEnd = {
    state: report.passed ? "PASSED" : "FAILED",
    report,
    comparedWith: before?.id ?? null,
    comparison,
    error: null,
  };
  await endRun(db, task.workspaceId, run.id, end);
  return { kind: "DONE" };
}

async function findBefore(
  { database: { db } }: SimulationParts,
  workspaceId: string,
  run: BegunRow,
): Promise<{ id: string; report: SuiteReport } | null> {
  if (!run.compares) return null;
  const before =
    run.compare_with === null
      ? await findRunBefore(db, workspaceId, run)
      : await findRun(db, workspaceId, run.compare_with);
  return before?.report ? { id: before.id, report: before.report } : null;
}

async function giveUp({ database: { db } }: SimulationParts, task: Task, message: string): Promise<TaskEnd> {
  const error = { code: "SIMULATION_FAILED", message: message.slice(0, 2_000) };
  const none = { report: null, comparedWith: null, comparison: null };
  await endRun(db, task.workspaceId, task.subjectId, { state: "ERROR", ...none, error });
  return { kind: "DEAD", error: message };
}

/** Stores a run's progress a few times a second, and ends it when it is cancelled or the process stops. */
class RunWatch {
  readonly #parts: SimulationParts;
  readonly #task: Task;
  readonly #cancelled = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  #progress = { done: 0, failed: 0 };
  #isAsking = false;

  constructor(parts: SimulationParts, task: Task, stop: AbortSignal) {
    this.#parts = parts;
    this.#task = task;
    this.signal = AbortSignal.any([stop, this.#cancelled.signal]);
    this.#timer = setInterval(() => void this.#notify(), PROGRESS_MS);
  }

  get isCancelled(): boolean {
    return this.#cancelled.signal.aborted;
  }

  note({ done, passed }: { done: number; passed: number }): void {
    this.#progress = { done, failed: done - passed };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #notify(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const { workspaceId, subjectId } = this.#task;
      const goesOn = await noteProgress(this.#parts.database.db, workspaceId, subjectId, this.#progress);
      if (!goesOn) this.#cancelled.abort(new Error("The simulation was cancelled."));
    } catch (error) {
      this.#parts.log.warn("The progress of a simulation could not be stored.", { error: toError(error).message });
    } finally {
      this.#isAsking = false;
    }
  }
}
