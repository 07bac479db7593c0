import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, toPage } from "#src/platform/http/paging.ts";
import {
  anyObject,
  anyValue,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { isUuid, uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { assertModelChoice } from "./choose-model.ts";
import { readFlowChoice, readFlowSource } from "./flow-source.ts";
import { type PrepareParts, snapshotFlow } from "./prepare-flow.ts";
import type { FlowReference } from "./prepared-flow.ts";
import type { SuiteReport } from "./report.ts";
import { openSource, phonesOf, type RunSource } from "./run-source.ts";
import {
  countOpenRuns,
  countRuns,
  endRun,
  findRun,
  findSource,
  type FullRunRow,
  insertRun,
  listRuns,
  lockRun,
  RUN_STATES,
  type RunRow,
} from "./store.ts";
import type { Suite } from "./suite.ts";

/** Task that runs a suite; its subject is the run. */
export const SIMULATION_TASK = "simulations.run";

/** The most open runs of a workspace; more would only wait. */
const MAX_OPEN_RUNS = 200;
const CALL_READERS = ["CALL_HISTORY_READ", "CALL_JOBS_READ"];

const Progress = Type.Object({
  done: Type.Integer({ description: "Conversations that are over." }),
  total: Type.Integer(),
  failed: Type.Integer({ description: "Of those that are over." }),
});

const SimulatedFlow = Type.Object({
  id: nullable(Uuid),
  apiId: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.Integer({ description: "Null for a draft and for a flow that was sent along." })),
});

const slimFields = {
  id: Uuid,
  kind: Type.String({ description: "SUITE: a test suite. REPLAY: past calls, spoken to a flow." }),
  state: oneOf(RUN_STATES, "PASSED and FAILED say what the suite found; ERROR: it could not be run to its end."),
  suite: Type.String({ description: "Name of the suite." }),
  flow: SimulatedFlow,
  progress: Progress,
  comparedWith: nullable(Type.Unsafe<string>({ ...Uuid, description: "The run that the comparison is with." })),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  createdAt: Timestamp,
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
};

/** A run in a list. */
export const SimulationEntry = Type.Object(slimFields, { $id: "SimulationEntry" });
export type SimulationEntry = Static<typeof SimulationEntry>;

/** A run with its report. */
export const Simulation = Type.Object(
  {
    ...slimFields,
    report: nullable(anyObject("Scenarios with their conversations; null until the run is over.")),
    comparison: nullable(anyObject("What changed since the run in comparedWith.")),
  },
  { $id: "Simulation" },
);
export type Simulation = Static<typeof Simulation>;

/** Body of the request that starts a run. */
export const SimulationInput = Type.Object(
  {
    suite: anyValue("The suite: its YAML or JSON as a text, or an object."),
    flow: Type.Optional(
      anyValue(
        "Instead of the suite's flow: an id or apiId, {flow, version}, {draft}, or {document} with an export or a flow's fields.",
      ),
    ),
    files: Type.Optional(
      nullable(
        Type.Record(Type.String({ maxLength: 1_000 }), Type.String({ maxLength: 8_388_608 }), {
          description: "Texts of the files that the suite names, by the names that it uses.",
        }),
      ),
    ),
    only: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: 200 }), {
          minItems: 1,
          maxItems: 1_000,
          description: "Names of the scenarios to run. Default: all.",
        }),
      ),
    ),
    repeat: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000, description: "For every scenario." }))),
    seed: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
    mode: Type.Optional(nullable(oneOf(["TEXT", "AUDIO"], "Instead of the suite's mode."))),
    compareWith: Type.Optional(
      nullable(
        Type.String({
          maxLength: 36,
          description:
            "Id of the run to compare with, or none. Default: the last finished run of the same suite and flow that ran all of its scenarios, or at least those of `only`.",
        }),
      ),
    ),
  },
  { $id: "SimulationInput" },
);
export type SimulationInput = Static<typeof SimulationInput>;

/** The request for a run. Sent again, it starts the same run against the flow's current state. */
export const SimulationSource = Type.Object(
  {
    suite: anyValue("The suite as it was sent: a text or an object."),
    files: Type.Record(Type.String(), Type.String(), { description: "Texts of the files that the suite names." }),
    flow: nullable(anyValue("The flow that was asked for instead of the suite's.")),
    only: nullable(Type.Array(Type.String())),
    repeat: nullable(Type.Integer()),
    seed: nullable(Type.Integer()),
    mode: nullable(oneOf(["TEXT", "AUDIO"])),
  },
  { $id: "SimulationSource" },
);

/** Dependencies of starting runs. */
export interface RunParts extends PrepareParts {
  openModel: OpenModel;
}

/** Stores a run of a suite and its task. Throws a 422 for faults of the suite and a 404 for an unknown flow. */
export async function startRun(
  tx: Executor,
  parts: RunParts,
  workspaceId: string,
  body: SimulationInput,
): Promise<Simulation> {
  const source: RunSource = {
    suite: body.suite,
    files: body.files ?? {},
    only: body.only ?? null,
    repeat: body.repeat ?? null,
    seed: body.seed ?? null,
    mode: body.mode ?? null,
    ...(body.flow === undefined || body.flow === null ? {} : { flow: body.flow }),
  };
  const { suite, conversations } = openSource(source);
  assertStorable(suite);
  const isOverridden = body.flow !== undefined && body.flow !== null;
  const path = isOverridden ? "flow" : "suite.flow";
  const flowSource = readFlowSource(isOverridden ? readFlowChoice(body.flow, path) : suite.flow, path);
  await assertModelChoice(tx, workspaceId, suite.model);
  const compares = body.compareWith !== "none";
  const compareWith = compares && body.compareWith ? await findComparable(tx, workspaceId, body.compareWith) : null;
  await assertRoom(tx, workspaceId);
  const prepared = await snapshotFlow(tx, parts, workspaceId, flowSource, path);
  const { ref } = prepared.flow;
  const row = await insertRun(tx, workspaceId, {
    id: uuidv7(),
    kind: "SUITE",
    suiteName: suite.name,
    flowKey: keyOf(ref),
    flow: ref,
    source,
    prepared,
    phones: phonesOf(suite),
    total: conversations,
    compareWith,
    compares,
  });
  await addTask(tx, workspaceId, { kind: SIMULATION_TASK, subjectId: row.id, payload: {} });
  return toSimulation({ ...row, report: null, comparison: null });
}

/** Throws a 409 when the most runs allowed are open. */
export async function assertRoom(tx: Executor, workspaceId: string): Promise<void> {
  if ((await countOpenRuns(tx, workspaceId)) < MAX_OPEN_RUNS) return;
  throw new AppError("CONFLICT", `${MAX_OPEN_RUNS} simulations are not over yet. Wait for them, or cancel some.`);
}

/** Refuses characters that YAML can spell and no database stores. */
function assertStorable({ name, model }: Suite): void {
  for (const [path, text] of Object.entries({ suite: name, model })) {
    if (text.includes("\u0000") || !text.isWellFormed()) {
      throw fieldError(`suite.${path}`, "FORMAT", "holds characters that cannot be stored.");
    }
  }
}

/** Returns the key by which runs of the same flow are found for comparison. */
export function keyOf({ id, apiId, name }: FlowReference): string {
  return id ?? apiId ?? name;
}

async function findComparable(tx: Executor, workspaceId: string, id: string): Promise<string> {
  const row = isUuid(id) ? await findRun(tx, workspaceId, id) : undefined;
  if (row?.kind !== "SUITE") throw missing(`Simulation ${id}`);
  if (row.report === null) throw fieldError("compareWith", "NOT_FINISHED", "has no report to compare with.");
  return row.id;
}

/** Returns a page of a workspace's runs, newest first. */
export async function getRuns(
  db: Executor,
  workspaceId: string,
  page: PageRequest,
  suite: string | undefined,
): Promise<Page<SimulationEntry>> {
  const rows = await listRuns(db, workspaceId, page, suite);
  return toPage(page, rows.map(toEntry), () => countRuns(db, workspaceId, suite));
}

/** Returns one run with its report; throws a 404 when there is none. */
export async function getRun(
  db: Executor,
  workspaceId: string,
  id: string,
  { transcripts, permissions }: { transcripts: boolean; permissions: ReadonlySet<string> },
): Promise<Simulation> {
  const row = await findOwn(db, workspaceId, id);
  if (!maySee(row, permissions)) return toSimulation({ ...row, report: null, comparison: null });
  return toSimulation(transcripts || row.report === null ? row : { ...row, report: withoutTranscripts(row.report) });
}

/** Returns the request that a run was started with; throws a 404 when there is none. */
export async function getSource(db: Executor, workspaceId: string, id: string) {
  const source = await findSource(db, workspaceId, id);
  if (!source) throw new AppError("NOT_FOUND");
  return { ...source, flow: source.flow ?? null };
}

/** Returns the report of a finished run. Throws a 409 before its end, and when it ended without a report. */
export async function getReport(
  db: Executor,
  workspaceId: string,
  id: string,
  permissions: ReadonlySet<string>,
): Promise<SuiteReport> {
  const row = await findOwn(db, workspaceId, id);
  if (!maySee(row, permissions)) throw new AppError("FORBIDDEN", `This credential lacks ${CALL_READERS.join(" or ")}.`);
  const { report, state } = row;
  if (report === null) throw new AppError("CONFLICT", `The simulation is ${state} and has no report.`);
  return report;
}

/** Ends a run early; its results are dropped. Idempotent; throws a 409 once it ended by itself. */
export async function cancelRun(tx: Executor, workspaceId: string, id: string): Promise<Simulation> {
  const row = await lockRun(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  if (row.ended_at !== null && row.state !== "CANCELLED") {
    throw new AppError("CONFLICT", `The simulation is ${row.state}.`);
  }
  const none = { report: null, comparedWith: null, comparison: null, error: null };
  const ended = await endRun(tx, workspaceId, id, { state: "CANCELLED", ...none });
  return toSimulation({ ...(ended ?? row), report: null, comparison: null });
}

/** True for callers who may see a run. Words that real people said in calls are limited to those who may read calls. */
function maySee({ kind }: FullRunRow, permissions: ReadonlySet<string>): boolean {
  return kind === "SUITE" || CALL_READERS.some((permission) => permissions.has(permission));
}

async function findOwn(db: Executor, workspaceId: string, id: string): Promise<FullRunRow> {
  const row = await findRun(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

function withoutTranscripts(report: SuiteReport): SuiteReport {
  const scenarios = report.scenarios.map((scenario) => ({
    ...scenario,
    conversations: scenario.conversations.map((conversation) => ({ ...conversation, transcript: [] })),
  }));
  return { ...report, scenarios };
}

function toEntry(row: RunRow): SimulationEntry {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    suite: row.suite_name,
    flow: row.flow,
    progress: { done: row.done, total: row.total, failed: row.failed },
    comparedWith: row.compared_with,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** Converts a run to the API's form. */
export function toSimulation(row: FullRunRow): Simulation {
  const { report, comparison } = row;
  return { ...toEntry(row), report: report && { ...report }, comparison: comparison && { ...comparison } };
}
