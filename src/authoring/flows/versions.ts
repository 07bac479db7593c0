import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import type { Page } from "#src/platform/http/paging.ts";
import { toPage } from "#src/platform/http/paging.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { hasChanges } from "./draft-changes.ts";
import type { Editor } from "./editor.ts";
import type { FlowFields } from "./flow-fields.ts";
import { assertFlow } from "./flow-rules.ts";
import { fillFields, type FlowRecord, type FlowWriting, pickFields, readableFields, toFlow } from "./flows.ts";
import { findStageSmells } from "./stage-warnings.ts";
import { findFlow, type FlowRow, lockFlow, publishVersion } from "./store.ts";
import { assertSubFlows } from "./sub-flows.ts";
import { assertNoneUnknown, findUnknownVariables } from "./unknown-variables.ts";
import { countVersions, deleteDraft, findVersion, listVersions, saveDraft, type VersionRow } from "./version-sql.ts";

/** Number of a published version. */
export const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Note = Type.Optional(nullable(Type.String({ maxLength: 1_000, description: "Why; shown in the list." })));

/** Draft of a flow's next version. */
export const FlowDraft = Type.Object(
  {
    flowId: Uuid,
    baseVersion: Type.Integer({ description: "The published version that it began from." }),
    ...readableFields,
    updatedAt: Timestamp,
    updatedBy: nullable(Type.String({ description: "The person or the credential, by the name of then." })),
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
    createdBy: nullable(Type.String({ description: "The person or the credential, by the name of then." })),
  },
  { $id: "FlowVersionEntry" },
);
export type FlowVersionEntry = Static<typeof FlowVersionEntry>;

/** A published version with its whole definition. */
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
    acceptUnknownVariables: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            "Also when a template names a variable that neither localVariables, the contact, the session nor a tool brings, and the version before did not name: rowData brings it.",
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

/** The draft of a flow; 404 when it has none. */
export async function getDraft(db: Executor, workspaceId: string, flowId: string) {
  const row = await findFlow(db, workspaceId, flowId);
  if (!row?.draft) throw new AppError("NOT_FOUND");
  return toDraft(row);
}

/** Changes the draft by the rules of a flow's change; the first change starts it from the published version. */
export async function changeDraft(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  body: FlowFields,
  by: FlowWriting,
) {
  const row = await lockOwn(tx, workspaceId, flowId);
  assertUnchanged(row.draft_updated_at ?? row.updated_at, by.ifUpdatedAt);
  const before = row.draft ?? row.definition;
  const sent = pickFields(body);
  await assertFlow(tx, workspaceId, sent, { known: before, flowId: row.id });
  by.warnings?.add(findStageSmells({ ...before, ...sent }, before));
  const base = row.draft_base ?? row.version;
  return toDraft(await saveDraft(tx, workspaceId, row.id, { ...before, ...sent }, base, by.editor));
}

/** Returns a flow with its draft and splits for its editor; 404 when there is no such flow. */
export async function getEditing(db: Executor, workspaceId: string, flowId: string) {
  const row = await findOwn(db, workspaceId, flowId);
  return { flow: toFlow(row), draft: row.draft ? toDraft(row) : null, differs: hasChanges(row), splits: row.splits };
}

/** Deletes a draft; 404 when there is none. */
export async function dropDraft(db: Executor, workspaceId: string, flowId: string): Promise<void> {
  if (!(await deleteDraft(db, workspaceId, flowId))) throw new AppError("NOT_FOUND");
}

/**
 * Makes the draft the next version. 409 when there is none. 409 also when somebody else published since it began, as
 * that version would be undone unnoticed, unless `overwrite` is sent. 422 UNKNOWN_VARIABLES when a template names a
 * variable that nothing declares, unless `acceptUnknownVariables` is sent.
 */
export async function publishDraft(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  { note, percent, overwrite, acceptUnknownVariables }: PublishInput,
  by: FlowWriting,
): Promise<FlowRecord> {
  const row = await lockOwn(tx, workspaceId, flowId);
  if (!row.draft) throw new AppError("CONFLICT", "The flow has no draft to publish.");
  assertUnchanged(row.draft_updated_at as Date, by.ifUpdatedAt);
  if (row.draft_base !== row.version && overwrite !== true) {
    const since = `The draft began from version ${row.draft_base}, and version ${row.version} is published by now.`;
    throw new AppError("CONFLICT", `${since} Send overwrite: true to publish the draft all the same.`);
  }
  if (acceptUnknownVariables !== true) {
    assertNoneUnknown(await findUnknownVariables(tx, workspaceId, row.draft, row.definition));
  }
  await assertSubFlows(tx, workspaceId, row.id, row.draft, { path: "", before: row.draft });
  by.warnings?.add(findStageSmells(row.draft, row.definition));
  const share = percent ?? 100;
  const splits =
    share === 100
      ? null
      : [
          { version: row.version, percent: 100 - share },
          { version: row.version + 1, percent: share },
        ];
  const next = { apiId: row.api_id, definition: row.draft, note: note ?? null, splits, endsDraft: true };
  return toFlow(await publishVersion(tx, workspaceId, row.id, { ...next, editor: by.editor }));
}

/** A page of the versions of a flow, newest first. */
export async function getVersions(
  db: Executor,
  workspaceId: string,
  flowId: string,
  page: PageRequest,
): Promise<Page<FlowVersionEntry>> {
  const flow = await findOwn(db, workspaceId, flowId);
  const rows = await listVersions(db, workspaceId, flow.id, page);
  return toPage(
    page,
    rows.map((row) => toEntry(row, flow)),
    () => countVersions(db, workspaceId, flow.id),
  );
}

/** One version with its whole definition; 404 when there is none. */
export async function getVersion(db: Executor, workspaceId: string, flowId: string, version: number) {
  const flow = await findOwn(db, workspaceId, flowId);
  const row = await findVersion(db, workspaceId, flow.id, version);
  if (!row) throw new AppError("NOT_FOUND");
  return { ...toEntry(row, flow), ...fillFields(row.definition) };
}

/**
 * Publishes an earlier version's definition as a new version, which every new session takes. A draft stays as it is.
 * 422 when the flows in its stages have changed so that it would run in itself.
 */
export async function restoreVersion(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  version: number,
  { note, editor }: { note: string | null; editor: Editor },
): Promise<FlowRecord> {
  const row = await lockOwn(tx, workspaceId, flowId);
  const old = await findVersion(tx, workspaceId, row.id, version);
  if (!old) throw new AppError("NOT_FOUND");
  await assertSubFlows(tx, workspaceId, row.id, old.definition, { path: "", before: old.definition });
  const next = {
    apiId: row.api_id,
    definition: old.definition,
    note: note ?? `Version ${version} again.`,
    splits: null,
    endsDraft: false,
    editor,
  };
  return toFlow(await publishVersion(tx, workspaceId, row.id, next));
}

function toEntry(row: Omit<VersionRow, "definition">, flow: FlowRow): FlowVersionEntry {
  return {
    id: row.id,
    flowId: row.flow_id,
    version: row.version,
    published: row.version === flow.version,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  };
}

/** The draft of a flow that has one, as the API shows it. */
export function toDraft(row: FlowRow) {
  return {
    flowId: row.id,
    baseVersion: row.draft_base as number,
    ...fillFields(row.draft ?? {}),
    updatedAt: (row.draft_updated_at as Date).toISOString(),
    updatedBy: row.draft_by,
  };
}

/** One flow; 404 when there is none. */
export async function findOwn(db: Executor, workspaceId: string, flowId: string): Promise<FlowRow> {
  const row = await findFlow(db, workspaceId, flowId);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

/** One flow, locked for the change that follows; 404 when there is none. */
export async function lockOwn(tx: Executor, workspaceId: string, flowId: string): Promise<FlowRow> {
  const row = await lockFlow(tx, workspaceId, flowId);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}
