import { listTranscribedCalls, type TranscribedCall } from "#src/interactions/calls/transcribed-calls.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import type { FlowSource } from "./flow-source.ts";
import { snapshotFlow } from "./prepare-flow.ts";
import type { FlowReference } from "./prepared-flow.ts";
import { REPLAY, type ReplaySource } from "./replay-suite.ts";
import { assertRoom, keyOf, type RunParts, SIMULATION_TASK, type Simulation, toSimulation } from "./runs.ts";
import { insertRun } from "./store.ts";

const MAX_CALLS = 200;
const DEFAULT_CALLS = 20;

/** Body of POST /simulations/replays. */
export const ReplayInput = Type.Object(
  {
    flowId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200, description: "Id or apiId." }))),
    flowApiId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    draft: Type.Optional(
      nullable(Type.Boolean({ description: "Speak to the flow's draft. Default: what is published." })),
    ),
    version: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))),
    rowIds: Type.Optional(
      nullable(Type.Array(Uuid, { minItems: 1, maxItems: MAX_CALLS, description: "Which calls." })),
    ),
    last: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: MAX_CALLS,
          description: "Instead: so many of the flow's last calls. Default 20.",
        }),
      ),
    ),
    jobId: Type.Optional(nullable(Type.Unsafe<string>({ ...Uuid, description: "With last: of this job alone." }))),
  },
  { $id: "ReplayInput" },
);
export type ReplayInput = Static<typeof ReplayInput>;

/** Stores a run that replays the person's side of past calls against a flow, and its task. */
export async function startReplay(
  tx: Executor,
  parts: RunParts,
  workspaceId: string,
  input: ReplayInput,
): Promise<Simulation> {
  await assertRoom(tx, workspaceId);
  const prepared = await snapshotFlow(tx, parts, workspaceId, sourceOf(input), "flowId");
  const { ref } = prepared.flow;
  const transcribedCalls = await findCalls(tx, workspaceId, ref, input);
  const source: ReplaySource = { rowIds: transcribedCalls.map(({ rowId }) => rowId) };
  const row = await insertRun(tx, workspaceId, {
    id: uuidv7(),
    kind: REPLAY,
    suiteName: `Replay: ${ref.name}`.slice(0, 200),
    flowKey: keyOf(ref),
    flow: ref,
    source,
    prepared,
    phones: [...new Set(transcribedCalls.map(({ contact }) => contact.phone))],
    total: transcribedCalls.length,
    compareWith: null,
    compares: false,
  });
  await addTask(tx, workspaceId, { kind: SIMULATION_TASK, subjectId: row.id, payload: {} });
  return toSimulation({ ...row, report: null, comparison: null });
}

function sourceOf({ flowId, flowApiId, draft, version }: ReplayInput): FlowSource {
  const flow = flowId ?? flowApiId ?? null;
  if (flow === null) throw fieldError("flowId", "REQUIRED", "or flowApiId is required.");
  if (flowId && flowApiId) throw fieldError("flowApiId", "NOT_ALLOWED", "cannot be given beside flowId.");
  if (draft && version) throw fieldError("version", "NOT_ALLOWED", "cannot be given for a draft.");
  return draft ? { kind: "DRAFT", flow } : { kind: "SAVED", flow, version: version ?? null };
}

async function findCalls(
  tx: Executor,
  workspaceId: string,
  flow: FlowReference,
  input: ReplayInput,
): Promise<TranscribedCall[]> {
  const { rowIds, last, jobId } = input;
  if (rowIds) {
    if (last || jobId) throw fieldError("last", "NOT_ALLOWED", "and jobId cannot be given beside rowIds.");
    const wanted = [...new Set(rowIds.map((id) => id.toLowerCase()))];
    const transcribedCalls = await listTranscribedCalls(tx, workspaceId, wanted);
    const lost = wanted.find((id) => !transcribedCalls.some(({ rowId }) => rowId === id));
    if (lost !== undefined) throw missing(`A call ${lost} in which something was said`);
    return transcribedCalls;
  }
  const { id, apiId } = flow;
  const ofFlow = id !== null && apiId !== null ? { id, apiId } : undefined;
  const newest = ofFlow && { flow: ofFlow, jobId: jobId ?? undefined, limit: last ?? DEFAULT_CALLS };
  const transcribedCalls = newest ? await listTranscribedCalls(tx, workspaceId, newest) : [];
  if (transcribedCalls.length === 0)
    throw new AppError("CONFLICT", "There is no call with words of this flow to replay.");
  return transcribedCalls;
}
