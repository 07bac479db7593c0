import { AppError } from "#src/platform/kernel/errors.ts";
import type { PreparedFlow } from "#src/workbench/simulations/prepared-flow.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import type { ConversationReport } from "#src/workbench/simulations/report.ts";
import { runSuite } from "#src/workbench/simulations/run-suite.ts";
import type { ReadyPart } from "./forecast.ts";
import { apportion, meetLine, type PopulationPart } from "./population.ts";
import type { Meeting } from "./rehearsed-job.ts";

/** Time limit for all conversations. A hosted model takes seconds for each, and the request waits for all of them. */
const PATIENCE_MS = 100_000;
/**
 * Failed conversations, without one that was held, after which the model counts as unavailable and the others are not
 * tried.
 */
const HOPELESS = 2;
const RING_MS = 2_000;
const VOICEMAIL = "voicemail";

/**
 * Holds conversations with each persona of a population, their numbers in proportion to its shares, at least one each.
 */
export async function samplePersonas(
  flow: PreparedFlow,
  population: PopulationPart[],
  { count, seed }: { count: number; seed: number },
): Promise<Map<string, Meeting[]>> {
  const shares = new Map<string, number>();
  for (const part of population) {
    for (const name of namesOf(part)) shares.set(name, (shares.get(name) ?? 0) + part.share);
  }
  const meetings = new Map<string, Meeting[]>([...shares.keys()].map((name) => [name, []]));
  if (shares.size === 0) return meetings;
  const counts = apportion(count, [...shares.values()]);
  const scenarios = [...shares.keys()].map((persona, i) => ({
    name: persona,
    persona,
    repeat: Math.max(1, counts[i] ?? 1),
  }));
  const suite = readSuite({ suite: "Rehearsal", flow: "rehearsed", seed, scenarios }, "rehearsal");
  const hopeless = new AbortController();
  let held = 0;
  let failed = 0;
  const take = (name: string, report: ConversationReport) => {
    meetings.get(name)?.push(toMeeting(report));
    if (report.endReason === "ERROR_MODEL") failed++;
    else held++;
    if (held === 0 && failed >= HOPELESS) hopeless.abort();
  };
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), hopeless.signal]);
  await runSuite(
    suite,
    { flow, personaModel: null },
    { signal, onProgress: ({ scenario, conversation }) => take(scenario, conversation) },
  ).catch((error: unknown) => {
    // The conversations held by then are enough, if there are any.
    if (!signal.aborted) throw error;
  });
  if (hopeless.signal.aborted)
    throw new AppError("CONFLICT", "The flow's model does not answer. Try it in the settings, or take model SCRIPTED.");
  const missing = [...meetings].find(([, met]) => met.length === 0);
  if (missing) {
    const message = `No conversation with ${missing[0]} came to an end in time. Take a smaller sample, or model SCRIPTED.`;
    throw new AppError("CONFLICT", message);
  }
  return meetings;
}

/** Returns the parts of a population with the results of their attempts. */
export function readyParts(
  population: PopulationPart[],
  sampled: ReadonlyMap<string, Meeting[]>,
  ringTimeoutMs: number,
): ReadyPart[] {
  return population.map((part) => {
    const { line, attempts, share } = part;
    const held = sampled.get(part.persona ?? "") ?? [];
    if (!line) return { share, first: null, meetings: held };
    const meetings = line === "VOICEMAIL" ? (sampled.get(VOICEMAIL) ?? []) : [meetLine(line, ringTimeoutMs)];
    const [meeting] = meetings;
    if (!attempts || !meeting) return { share, first: null, meetings };
    return { share, first: { attempts, meeting }, meetings: held };
  });
}

/** Returns the personas that a part needs conversations with. */
function namesOf({ persona, line }: PopulationPart): string[] {
  return [persona, line === "VOICEMAIL" ? VOICEMAIL : null].flatMap((name) => name ?? []);
}

function toMeeting({ callMs, callOutcome, endReason, outcome, cost }: ConversationReport): Meeting {
  return {
    ringMs: RING_MS,
    talkMs: callMs,
    outcome: callOutcome,
    endReason,
    status: outcome === "COMPLETED" ? "COMPLETED" : "FAILED",
    mayRetry: endReason === "AGENT_HUNG_UP_ON_MACHINE",
    cost: Number(cost),
  };
}
