import { availableParallelism } from "node:os";
import { wilsonInterval } from "#src/platform/kernel/wilson.ts";
import { type ConversationKind, type RunTurns, UNSHARED } from "./conversation-turns.ts";
import { measureEdges } from "./edge-coverage.ts";
import type { ScenarioJob } from "./hold-conversation.ts";
import { runConversation } from "./judged-conversation.ts";
import { isDrivenByModel } from "./persona-choice.ts";
import type { SuitePorts } from "./prepared-flow.ts";
import { type ConversationReport, type ScenarioReport, type SuiteReport, toDecimal } from "./report.ts";
import { findWarnings, prepareJobs } from "./scenario-jobs.ts";
import type { Suite } from "./suite.ts";
import { WordKeeper } from "./word-keeper.ts";
import { runInPool } from "./worker-pool.ts";
import type { WorkerTask } from "./worker-protocol.ts";

/** Fewest conversations that are worth a pool: starting a thread takes as long as some 200 of them. */
const LEAST_FOR_POOL = 200;
const CONVERSATIONS_PER_WORKER = 250;
const MAX_WORKERS = 4;
/** Conversations at the same time in the calling thread: models answer slowly, and audio passes in real time. */
const AT_ONCE = { SCRIPTED: 1, HOSTED: 8, AUDIO: 4 } as const;
/**
 * Milliseconds of real time without an event that count as a stall. A hosted model is asked twice, and may take 30 s
 * each time.
 */
const STALL_MS = { SCRIPTED: 20_000, HOSTED: 120_000 } as const;

/**
 * Characters after which the words of conversations are not kept: ten thousand long conversations do not fit into
 * memory.
 */
const MAX_KEPT_CHARACTERS = 64 * 1024 * 1024;

/** Progress of a suite, reported after each conversation. */
export interface SuiteProgress {
  done: number;
  total: number;
  passed: number;
  scenario: string;
  conversation: ConversationReport;
}

/** Options for running a suite. */
export interface RunOptions {
  onProgress?: (progress: SuiteProgress) => void;
  signal?: AbortSignal;
  /** Threads besides the calling one; absent: chosen by the size of the suite. */
  workers?: number;
  /** Entry file of the threads. */
  workerEntry?: URL;
  /** A conversation without any event for so long, in real time, is ended and fails. */
  stallMs?: number;
  maxKeptCharacters?: number;
  /** Turns that the run shares with others in the process; absent: not shared. */
  turns?: RunTurns;
}

/**
 * Holds all conversations of a suite and reports on them. The same suite gives the same report, except for `durationMs`
 * and the answers of hosted models. Rejects with the reason of the signal.
 */
export async function runSuite(suite: Suite, ports: SuitePorts, options: RunOptions = {}): Promise<SuiteReport> {
  const { signal = new AbortController().signal } = options;
  const { stallMs = usesModels(ports) ? STALL_MS.HOSTED : STALL_MS.SCRIPTED } = options;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const jobs = prepareJobs(suite, ports.flow, stallMs);
  const tasks = jobs.flatMap(({ scenario: { seed, repeat } }, job) =>
    Array.from({ length: repeat }, (_, i): WorkerTask => ({ job, seed: seed + i })),
  );
  const reports = jobs.map((): ConversationReport[] => []);
  const seen = { done: 0, passed: 0 };
  const keeper = new WordKeeper(options.maxKeptCharacters ?? MAX_KEPT_CHARACTERS);
  const take = ({ job, seed }: WorkerTask, conversation: ConversationReport): void => {
    const { scenario } = jobs[job] as ScenarioJob;
    (reports[job] as ConversationReport[])[seed - scenario.seed] = keeper.keep(conversation);
    seen.done++;
    if (conversation.passed) seen.passed++;
    options.onProgress?.({ ...seen, total: tasks.length, scenario: scenario.name, conversation });
  };
  const workers = options.workers ?? chooseWorkers(suite, ports, tasks.length);
  const { workerEntry: entry, turns = UNSHARED } = options;
  await (workers > 0
    ? runInPool(jobs, tasks, { workers, stallMs, turn: turns.THREAD, ...(entry ? { entry } : {}) }, take, signal)
    : runHere({ jobs, tasks, suite, ports, turns }, take, signal));
  const scenarios = jobs.map(({ scenario }, i) => sumScenario(scenario, reports[i] ?? []));
  const warnings = [...findWarnings(jobs), ...scenarios.flatMap(warnOfModels), ...keeper.warnings];
  const report = sumSuite(suite, ports, scenarios, warnings, Math.round(performance.now() - startedAt));
  const stages = jobs[0]?.plan.grants?.stages;
  return stages ? { ...report, edgeCoverage: measureEdges(stages, reports.flat()) } : report;
}

/**
 * Returns warnings for personas whose model failed. They followed their scripts, which may not be what the test
 * intended.
 */
function warnOfModels({ name, conversations }: ScenarioReport): string[] {
  const notes = conversations.flatMap(({ seed, personaNotes }) =>
    personaNotes.filter(({ code }) => code.startsWith("MODEL_")).map(({ message }) => ({ seed, message })),
  );
  const [first] = notes;
  if (!first) return [];
  return [`${name}: ${notes.length} of ${conversations.length} conversations: ${first.message} (seed ${first.seed})`];
}

function chooseWorkers(suite: Suite, { flow, personaModel }: SuitePorts, conversations: number): number {
  const needsPorts =
    suite.mode === "AUDIO" ||
    flow.model !== null ||
    flow.modelOf !== undefined ||
    (personaModel !== null && suite.scenarios.some(({ persona }) => isDrivenByModel(persona)));
  if (needsPorts || conversations < LEAST_FOR_POOL) return 0;
  return Math.min(MAX_WORKERS, availableParallelism(), Math.ceil(conversations / CONVERSATIONS_PER_WORKER));
}

function usesModels({ flow, personaModel }: SuitePorts): boolean {
  return flow.model !== null || flow.modelOf !== undefined || personaModel !== null;
}

interface HeldHere {
  jobs: ScenarioJob[];
  tasks: WorkerTask[];
  suite: Suite;
  ports: SuitePorts;
  turns: RunTurns;
}

async function runHere(
  { jobs, tasks, suite: { mode }, ports: suitePorts, turns }: HeldHere,
  take: (task: WorkerTask, report: ConversationReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const { flow, personaModel, openAudioLine } = suitePorts;
  const kind: ConversationKind = mode === "AUDIO" ? "AUDIO" : usesModels(suitePorts) ? "HOSTED" : "SCRIPTED";
  const { model, modelOf } = flow;
  const ports = { model, personaModel, ...(modelOf ? { modelOf } : {}), ...(openAudioLine ? { openAudioLine } : {}) };
  const waiting = tasks.toReversed();
  const serve = async (): Promise<void> => {
    for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
      const { job, seed } = task;
      const hold = () => runConversation(jobs[job] as ScenarioJob, seed, ports, signal);
      take(task, await turns[kind].run(hold, signal));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE[kind], tasks.length) }, serve));
}

function sumScenario(scenario: ScenarioJob["scenario"], conversations: ConversationReport[]): ScenarioReport {
  const passedRepetitions = conversations.filter(({ passed }) => passed).length;
  const passRate = passedRepetitions / conversations.length;
  return {
    name: scenario.name,
    persona: scenario.persona.name,
    passed: passRate >= scenario.passRate,
    repetitions: conversations.length,
    passedRepetitions,
    passRate,
    requiredPassRate: scenario.passRate,
    interval: wilsonInterval(passedRepetitions, conversations.length),
    conversations,
  };
}

function sumSuite(
  suite: Suite,
  { flow }: SuitePorts,
  scenarios: ScenarioReport[],
  warnings: string[],
  durationMs: number,
): SuiteReport {
  const all = scenarios.flatMap(({ conversations }) => conversations);
  const sum = (of: (one: ConversationReport) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    suite: suite.name,
    flow: flow.ref,
    channel: suite.channel,
    mode: suite.mode,
    model: flow.model?.name ?? "SCRIPTED",
    seed: suite.seed,
    passed: scenarios.every(({ passed }) => passed),
    conversations: all.length,
    passedConversations: all.filter(({ passed }) => passed).length,
    durationMs,
    callMs: sum(({ callMs }) => callMs),
    cost: toDecimal(sum(({ cost }) => Number(cost))),
    currency: flow.currency,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    scenarios,
    warnings,
  };
}
