import { BUILT_IN_NAMES, findBuiltIn } from "#src/engine/personas/built-in.ts";
import { jobSettings } from "#src/interactions/call-jobs/call-jobs.ts";
import { type JobPlan, planJob, planSettings } from "#src/interactions/call-jobs/job-plan.ts";
import type { WebhookParts } from "#src/interactions/call-jobs/webhook.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import { Turns } from "#src/platform/kernel/turns.ts";
import { TimeZoneName } from "#src/tenancy/compliance/calling-window.ts";
import { openSuiteModels } from "./choose-model.ts";
import { type FlowSource, readFlowSource } from "./flow-source.ts";
import { type FlowSnapshots, snapshotFlow, toPreparedFlow } from "./prepare-flow.ts";
import type { ProposeParts } from "./propose-suite.ts";
import { type Forecast, makeForecast } from "./rehearsal/forecast.ts";
import { PopulationPart } from "./rehearsal/population.ts";
import { readyParts, samplePersonas } from "./rehearsal/sample-personas.ts";

/**
 * Settings of a job that does not exist yet: the body of POST /call-jobs with the number of rows instead of the rows.
 */
const RehearsedSettings = Type.Object({
  ...jobSettings,
  rowCount: Type.Integer({ minimum: 1, maximum: 5_000_000 }),
  timeZones: Type.Optional(
    nullable(
      Type.Array(
        Type.Object({ timeZone: TimeZoneName, share: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }) }),
        {
          maxItems: 50,
          description:
            "Where the people are, for the calling window. Default: the zones of the first number's country.",
        },
      ),
    ),
  ),
});

/** Body of POST /simulations/rehearsals. */
export const RehearsalInput = Type.Object(
  {
    jobId: Type.Optional(
      nullable(Type.Unsafe<string>({ ...Uuid, description: "A job whose waiting rows are meant." })),
    ),
    job: Type.Optional(nullable(RehearsedSettings)),
    population: Type.Optional(
      nullable(
        Type.Array(PopulationPart, { minItems: 1, maxItems: 50, description: "Default: the sandbox's own mix." }),
      ),
    ),
    sample: Type.Optional(
      nullable(
        Type.Integer({ minimum: 1, maximum: 200, description: "Conversations that are really held. Default 50." }),
      ),
    ),
    model: Type.Optional(
      nullable(oneOf(["FLOW", "SCRIPTED"], "What the agent speaks through in them. Default FLOW, the flow's own.")),
    ),
    seed: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000, description: "Default 1." }))),
  },
  { $id: "RehearsalInput" },
);
export type RehearsalInput = Static<typeof RehearsalInput>;

/** Dependencies of rehearsals. */
export type RehearsalParts = ProposeParts & WebhookParts;

/**
 * Turns of forecasts. One may take seconds of the processor and some hundred megabytes, in a process that handles
 * calls.
 */
const turns = new Turns({ slots: 1 });
/** The most forecasts of one workspace that wait; those of others wait beside them. */
const MAX_WAITING = 4;
/** The longest wait of a request before its forecast begins. */
const MAX_WAIT_MS = 10_000;

const DEFAULT_SAMPLE = 50;
/** The spread of the sandbox's numbers. */
const DEFAULT_POPULATION: PopulationPart[] = [
  ...["agrees", "declines", "asks-back", "bad-data", "call-later"].map((persona) => ({ persona, share: 12 })),
  { line: "NO_ANSWER", attempts: 1, persona: "agrees", share: 6 },
  { line: "NO_ANSWER", share: 12 },
  { line: "VOICEMAIL", share: 10 },
  { line: "BUSY", attempts: 1, persona: "agrees", share: 4 },
  { line: "BUSY", share: 2 },
  { line: "INVALID_NUMBER", share: 3 },
  { line: "CARRIER_FAILURE", share: 3 },
];
const DEFAULT_RING_SECONDS = 30;

/**
 * Forecasts a job against a population: conversations of its flow are held with each persona, and the job runs on a
 * simulated clock. Calls nobody and stores nothing.
 */
export async function rehearse(
  { db }: Database,
  parts: RehearsalParts,
  workspaceId: string,
  input: RehearsalInput,
): Promise<Forecast> {
  const population = input.population ?? DEFAULT_POPULATION;
  checkPopulation(population);
  const seed = input.seed ?? 1;
  const { plan, snapshots } = await db.transaction().execute(async (tx) => {
    const planned = await readPlan(tx, parts, workspaceId, input);
    return { plan: planned, snapshots: await snapshotFlow(tx, parts, workspaceId, sourceOf(planned), "job.flow") };
  });
  const choice = input.model ?? "FLOW";
  const flow = toPreparedFlow(snapshots, await openSuiteModels(db, parts, workspaceId, choice, snapshots));
  const sampled = await samplePersonas(flow, population, { count: input.sample ?? DEFAULT_SAMPLE, seed });
  const ringMs = (snapshots.flow.fields.ringTimeoutSeconds ?? DEFAULT_RING_SECONDS) * 1_000;
  const count = plan.skipped.reduce((sum, reason) => sum + reason.count, 0);
  const job = { ...plan, startMs: Math.max(nowMs(), plan.startAt?.getTime() ?? 0) };
  const assumptions = listAssumptions(input, plan, snapshots, flow.model?.name ?? null);
  return forecastInTurn(turns, workspaceId, () =>
    makeForecast({
      job,
      parts: readyParts(population, sampled, ringMs),
      seed,
      currency: snapshots.currency,
      skipped: { count, reasons: plan.skipped },
      assumptions,
    }),
  );
}

/**
 * Makes forecasts one after the other, in turns by workspace. Throws a 429 when too many of one workspace wait, or wait
 * too long.
 */
export function forecastInTurn<Result>(
  line: Turns,
  workspaceId: string,
  work: () => Promise<Result>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<Result> {
  if (line.countWaiting(workspaceId) >= MAX_WAITING) return Promise.reject(tooMany());
  return line.run(workspaceId, work, { maxWaitMs, tooLate: tooMany });
}

function tooMany(): AppError {
  return new AppError("RATE_LIMITED", "Too many rehearsals are under way. Try again in a minute.");
}

function checkPopulation(population: PopulationPart[]): void {
  for (const [i, { persona, line, attempts }] of population.entries()) {
    const path = `population.${i}`;
    if (!persona && !line) throw fieldError(`${path}.persona`, "REQUIRED", "or line is required.");
    if (persona && !findBuiltIn(persona)) {
      throw fieldError(`${path}.persona`, "UNKNOWN", `is no built-in persona: ${BUILT_IN_NAMES.join(", ")}.`);
    }
    if (attempts && !line) throw fieldError(`${path}.attempts`, "NOT_ALLOWED", "goes with line.");
    if (persona && line && !attempts) {
      throw fieldError(`${path}.attempts`, "REQUIRED", "says after how many attempts the persona answers.");
    }
  }
}

async function readPlan(
  tx: Executor,
  parts: RehearsalParts,
  workspaceId: string,
  { jobId, job }: RehearsalInput,
): Promise<JobPlan> {
  if ((jobId ?? null) === null && !job) throw fieldError("jobId", "REQUIRED", "or job is required.");
  if (jobId && job) throw fieldError("job", "NOT_ALLOWED", "cannot be given beside jobId.");
  if (jobId) return planJob(tx, workspaceId, jobId);
  const { rowCount, timeZones, completionWebhook: _webhook, ...settings } = job as Static<typeof RehearsedSettings>;
  const strange = timeZones?.findIndex(({ timeZone }) => !isTimeZone(timeZone)) ?? -1;
  if (strange >= 0) {
    throw fieldError(`job.timeZones.${strange}.timeZone`, "TIME_ZONE", "is not the IANA name of a time zone.");
  }
  return planSettings(tx, parts, workspaceId, settings, rowCount, timeZones ?? null);
}

function sourceOf({ flowId, inlineFlow }: JobPlan): FlowSource {
  if (inlineFlow !== null) return readFlowSource({ kind: "DOCUMENT", document: inlineFlow }, "job.flow");
  return { kind: "SAVED", flow: flowId ?? "", version: null };
}

function listAssumptions(
  input: RehearsalInput,
  plan: JobPlan,
  snapshots: FlowSnapshots,
  model: string | null,
): string[] {
  const { window, numbers } = plan;
  const ofWindow =
    window === null
      ? "Calls go out at any hour: neither the job nor the workspace has a calling window."
      : "The calling window is kept as in a LIVE workspace.";
  return [
    ...(input.population ? [] : ["No population was given: people are mixed as the sandbox mixes them."]),
    `The agent speaks through ${model ?? "the scripted model"}; talk time and cost per persona come from conversations in text.`,
    "Nobody else uses the job's numbers meanwhile, and the carrier answers at once.",
    ofWindow,
    ...(input.jobId ? [] : ["The compliance gate was not asked, because there are no rows yet."]),
    ...(numbers.some(({ account }) => account) ? ["Paces of numbers and accounts are kept exactly."] : []),
    "Telephony is billed by the second from the answer, at the workspace's prices.",
    ...snapshots.warnings,
  ];
}
