import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore, ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError, missing } from "#src/platform/kernel/errors.ts";
import { Differs } from "./draft-changes.ts";
import { Flow } from "./flows.ts";
import type { FlowSplit } from "./store.ts";
import { assertSubFlows } from "./sub-flows.ts";
import { countResults, findDefinitions, type ResultRow, saveSplits } from "./version-sql.ts";
import { FlowDraft, findOwn, lockOwn, VersionNumber } from "./versions.ts";

const Split = Type.Object(
  { version: VersionNumber, percent: Type.Integer({ minimum: 1, maximum: 100 }) },
  { $id: "FlowSplit" },
);

/** A flow with everything its editor shows: published version, draft and splits. */
export const FlowEditing = Type.Object(
  {
    flow: Flow,
    draft: nullable(FlowDraft),
    differs: Differs,
    splits: nullable(Type.Array(Split)),
  },
  { $id: "FlowEditing" },
);

/** Shares of new sessions that versions get. */
export const FlowSplits = Type.Object(
  {
    splits: nullable(Type.Array(Split, { maxItems: 20, description: "Null: every session takes the published one." })),
  },
  { $id: "FlowSplits" },
);
export type FlowSplits = Static<typeof FlowSplits>;

/** Body of a change of the splits. */
export const FlowSplitsInput = Type.Object(
  { ...FlowSplits.properties, ...ifUnchangedBody },
  { $id: "FlowSplitsInput" },
);

/** Results of the calls of one version. */
export const FlowVersionResult = Type.Object(
  {
    version: VersionNumber,
    calls: Type.Integer({ description: "Calls that were dialled with it, also those that still run." }),
    ended: Type.Integer(),
    completed: Type.Integer({ description: "Of those, with status COMPLETED." }),
    reached: Type.Integer({ description: "Of those that ended: calls in which a person was on the line." }),
    successRate: nullable(Type.Number({ description: "completed / ended, 0 to 1; null while none has ended." })),
    averageDurationSeconds: nullable(Type.Number({ description: "Of the calls that were answered." })),
  },
  { $id: "FlowVersionResult" },
);
export type FlowVersionResult = Static<typeof FlowVersionResult>;

/** Returns the shares of new sessions that versions get. */
export async function getSplits(db: Executor, workspaceId: string, flowId: string): Promise<FlowSplits> {
  return { splits: (await findOwn(db, workspaceId, flowId)).splits };
}

/** Distributes new sessions over versions; null or an empty list gives them all to the published one. */
export async function changeSplits(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  body: Static<typeof FlowSplitsInput>,
): Promise<FlowSplits> {
  const row = await lockOwn(tx, workspaceId, flowId);
  assertBefore({ splits: row.splits }, body.before);
  const splits = body.splits?.length ? body.splits.map(({ version, percent }) => ({ version, percent })) : null;
  if (splits) await assertSplits(tx, workspaceId, row.id, splits);
  await saveSplits(tx, workspaceId, row.id, splits);
  return { splits };
}

async function assertSplits(tx: Executor, workspaceId: string, flowId: string, splits: FlowSplit[]): Promise<void> {
  const versions = splits.map((split) => split.version);
  const twice = versions.findIndex((version, i) => versions.indexOf(version) < i);
  if (twice >= 0) throw fieldError(`splits.${twice}.version`, "DUPLICATE", "is there twice.");
  const sum = splits.reduce((total, split) => total + split.percent, 0);
  if (sum !== 100) throw fieldError("splits", "SUM", `adds up to ${sum} percent instead of 100.`);
  const found = await findDefinitions(tx, workspaceId, flowId, versions);
  for (const [i, version] of versions.entries()) {
    const definition = found.get(version);
    if (!definition) throw missing(`Version ${version} of the flow`);
    await assertSubFlows(tx, workspaceId, flowId, definition, { path: `splits.${i}`, before: definition });
  }
}

/** Returns the call results of each of the latest 200 versions, newest first. */
export async function getResults(
  db: Executor,
  workspaceId: string,
  flowId: string,
  since: string | null,
): Promise<FlowVersionResult[]> {
  const flow = await findOwn(db, workspaceId, flowId);
  return (await countResults(db, workspaceId, flow.id, since)).map(toResult);
}

function toResult({ version, calls, ended, completed, reached, average_ms: averageMs }: ResultRow): FlowVersionResult {
  return {
    version,
    calls,
    ended,
    completed,
    reached,
    successRate: ended === 0 ? null : completed / ended,
    averageDurationSeconds: averageMs === null ? null : Math.round(averageMs) / 1_000,
  };
}
