import type { Executor } from "#src/db/database.ts";
import type { Page, PageRequest } from "#src/http/paging.ts";
import { toPage } from "#src/http/paging.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/kernel/errors.ts";
import type { FlowFields } from "./flow-fields.ts";
import { assertFlow } from "./flow-rules.ts";
import { fillFields, type FlowRecord, pickFields, readableFields, toFlow } from "./flows.ts";
import { findFlow, type FlowRow, type FlowSplit, lockFlow, publishVersion } from "./store.ts";
import {
  countResults,
  countVersions,
  deleteDraft,
  findVersion,
  findVersionNumbers,
  listVersions,
  type ResultRow,
  saveDraft,
  saveSplits,
  type VersionRow,
} from "./version-sql.ts";

const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Note = Type.Optional(nullable(Type.String({ maxLength: 1_000, description: "Why; shown in the list." })));

/** What is being prepared for a flow. */
export const FlowDraft = Type.Object(
  {
    flowId: Uuid,
    baseVersion: Type.Integer({ description: "The published version that it began from." }),
    ...readableFields,
    updatedAt: Timestamp,
  },
  { $id: "FlowDraft" },
);

/** A published version in a list. */
export const FlowVersionEntry = Type.Object(
  {
    id: Uuid,
    flowId: Uuid,
    version: VersionNumber,
    published: Type.Boolean({ description: "It is the one that GET of the flow shows." }),
    note: nullable(Type.String()),
    createdAt: Timestamp,
  },
  { $id: "FlowVersionEntry" },
);
export type FlowVersionEntry = Static<typeof FlowVersionEntry>;

/** A published version with all that it says. */
export const FlowVersion = Type.Object({ ...FlowVersionEntry.properties, ...readableFields }, { $id: "FlowVersion" });

/** Body of a publication. */
export const PublishInput = Type.Object(
  {
    note: Note,
    percent: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: "Share of new sessions that take it; the rest stays with the version before. Default 100.",
        }),
      ),
    ),
    overwrite: Type.Optional(
      nullable(Type.Boolean({ description: "Also when another version was published since the draft began." })),
    ),
  },
  { $id: "FlowPublication" },
);
export type PublishInput = Static<typeof PublishInput>;

/** Body of a roll-back. */
export const RestoreInput = Type.Object({ note: Note }, { $id: "FlowRestoration" });

const Split = Type.Object(
  { version: VersionNumber, percent: Type.Integer({ minimum: 1, maximum: 100 }) },
  { $id: "FlowSplit" },
);

/** Which versions new sessions take. */
export const FlowSplits = Type.Object(
  {
    splits: nullable(Type.Array(Split, { maxItems: 20, description: "Null: every session takes the published one." })),
  },
  { $id: "FlowSplits" },
);
export type FlowSplits = Static<typeof FlowSplits>;

/** What came of the calls of one version. */
export const FlowVersionResult = Type.Object(
  {
    version: VersionNumber,
    calls: Type.Integer({ description: "Calls that were dialled with it, also those that still run." }),
    ended: Type.Integer(),
    completed: Type.Integer({ description: "Of those, with status COMPLETED." }),
    successRate: nullable(Type.Number({ description: "completed / ended, 0 to 1; null while none has ended." })),
    averageDurationSeconds: nullable(Type.Number({ description: "Of the calls that were answered." })),
  },
  { $id: "FlowVersionResult" },
);
export type FlowVersionResult = Static<typeof FlowVersionResult>;

/** The draft of a flow; 404 when it has none. */
export async function getDraft(db: Executor, workspaceId: string, flowId: string) {
  const row = await findFlow(db, workspaceId, flowId);
  if (!row?.draft) throw new AppError("NOT_FOUND");
  return toDraft(row);
}

/** Changes the draft by the rules of a flow's change; the first change starts it from the published version. */
export async function changeDraft(tx: Executor, workspaceId: string, flowId: string, body: FlowFields) {
  const row = await lock(tx, workspaceId, flowId);
  const before = row.draft ?? row.definition;
  const sent = pickFields(body);
  await assertFlow(tx, workspaceId, sent, { known: before });
  return toDraft(await saveDraft(tx, workspaceId, row.id, { ...before, ...sent }, row.draft_base ?? row.version));
}

/** Throws a draft away; 404 when there is none. */
export async function dropDraft(db: Executor, workspaceId: string, flowId: string): Promise<void> {
  if (!(await deleteDraft(db, workspaceId, flowId))) throw new AppError("NOT_FOUND");
}

/**
 * Makes the draft the next version. 409 when there is none, and when somebody else published since it began: what that
 * version said would be undone unseen.
 */
export async function publishDraft(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  { note, percent, overwrite }: PublishInput,
): Promise<FlowRecord> {
  const row = await lock(tx, workspaceId, flowId);
  if (!row.draft) throw new AppError("CONFLICT", "The flow has no draft to publish.");
  if (row.draft_base !== row.version && overwrite !== true) {
    const since = `The draft began from version ${row.draft_base}, and version ${row.version} is published by now.`;
    throw new AppError("CONFLICT", `${since} Send overwrite: true to publish the draft all the same.`);
  }
  const share = percent ?? 100;
  const splits =
    share === 100
      ? null
      : [
          { version: row.version, percent: 100 - share },
          { version: row.version + 1, percent: share },
        ];
  const next = { apiId: row.api_id, definition: row.draft, note: note ?? null, splits, endsDraft: true };
  return toFlow(await publishVersion(tx, workspaceId, row.id, next));
}

/** A page of the versions of a flow, newest first. */
export async function getVersions(
  db: Executor,
  workspaceId: string,
  flowId: string,
  page: PageRequest,
): Promise<Page<FlowVersionEntry>> {
  const flow = await find(db, workspaceId, flowId);
  const rows = await listVersions(db, workspaceId, flow.id, page);
  return toPage(
    page,
    rows.map((row) => toEntry(row, flow)),
    await countVersions(db, workspaceId, flow.id),
  );
}

/** One version with all that it says; 404 when there is none. */
export async function getVersion(db: Executor, workspaceId: string, flowId: string, version: number) {
  const flow = await find(db, workspaceId, flowId);
  const row = await findVersion(db, workspaceId, flow.id, version);
  if (!row) throw new AppError("NOT_FOUND");
  return { ...toEntry(row, flow), ...fillFields(row.definition) };
}

/** Publishes what an earlier version said as a new one, which every new session takes. A draft stays as it is. */
export async function restoreVersion(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  version: number,
  note: string | null,
): Promise<FlowRecord> {
  const row = await lock(tx, workspaceId, flowId);
  const old = await findVersion(tx, workspaceId, row.id, version);
  if (!old) throw new AppError("NOT_FOUND");
  const next = {
    apiId: row.api_id,
    definition: old.definition,
    note: note ?? `Version ${version} again.`,
    splits: null,
    endsDraft: false,
  };
  return toFlow(await publishVersion(tx, workspaceId, row.id, next));
}

/** Which versions new sessions take. */
export async function getSplits(db: Executor, workspaceId: string, flowId: string): Promise<FlowSplits> {
  return { splits: (await find(db, workspaceId, flowId)).splits };
}

/** Shares new sessions out over versions; null or an empty list gives them all to the published one. */
export async function changeSplits(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  body: FlowSplits,
): Promise<FlowSplits> {
  const row = await lock(tx, workspaceId, flowId);
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
  const found = await findVersionNumbers(tx, workspaceId, flowId, versions);
  const lost = versions.find((version) => !found.has(version));
  if (lost !== undefined) throw missing(`Version ${lost} of the flow`);
}

/** What came of the calls of each of the latest 200 versions, newest first. */
export async function getResults(
  db: Executor,
  workspaceId: string,
  flowId: string,
  since: string | null,
): Promise<FlowVersionResult[]> {
  const flow = await find(db, workspaceId, flowId);
  return (await countResults(db, workspaceId, flow.id, since)).map(toResult);
}

function toResult({ version, calls, ended, completed, average_ms: averageMs }: ResultRow): FlowVersionResult {
  return {
    version,
    calls,
    ended,
    completed,
    successRate: ended === 0 ? null : completed / ended,
    averageDurationSeconds: averageMs === null ? null : Math.round(averageMs) / 1_000,
  };
}

function toEntry(row: Omit<VersionRow, "definition">, flow: FlowRow): FlowVersionEntry {
  return {
    id: row.id,
    flowId: row.flow_id,
    version: row.version,
    published: row.version === flow.version,
    note: row.note,
    createdAt: row.created_at.toISOString(),
  };
}

function toDraft(row: FlowRow) {
  return {
    flowId: row.id,
    baseVersion: row.draft_base as number,
    ...fillFields(row.draft ?? {}),
    updatedAt: (row.draft_updated_at as Date).toISOString(),
  };
}

async function find(db: Executor, workspaceId: string, flowId: string): Promise<FlowRow> {
  const row = await findFlow(db, workspaceId, flowId);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

async function lock(tx: Executor, workspaceId: string, flowId: string): Promise<FlowRow> {
  const row = await lockFlow(tx, workspaceId, flowId);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}
