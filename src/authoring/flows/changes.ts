import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, toPage } from "#src/platform/http/paging.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { Differs, hasChanges } from "./draft-changes.ts";
import { countFlows } from "./store.ts";
import { type ChangeRow, listChanges } from "./version-sql.ts";
import { FlowDraft, toDraft } from "./versions.ts";

/** Last change of a flow, and its draft. */
export const FlowChange = Type.Object(
  {
    id: Uuid,
    changedAt: Timestamp,
    changedBy: nullable(
      Type.String({ description: "The person or the credential, by the name of then; null: not known." }),
    ),
    differs: Differs,
    draft: nullable(FlowDraft),
  },
  { $id: "FlowChange" },
);
export type FlowChange = Static<typeof FlowChange>;

/** A page of the flows' last changes, in the order of the flows. */
export async function getChanges(db: Executor, workspaceId: string, page: PageRequest): Promise<Page<FlowChange>> {
  const rows = await listChanges(db, workspaceId, page);
  return toPage(page, rows.map(toChange), () => countFlows(db, workspaceId));
}

function toChange(row: ChangeRow): FlowChange {
  const draftAt = row.draft_updated_at;
  const isDraftNewer = draftAt !== null && draftAt >= row.updated_at;
  return {
    id: row.id,
    changedAt: (isDraftNewer ? draftAt : row.updated_at).toISOString(),
    changedBy: isDraftNewer ? row.draft_by : row.published_by,
    differs: hasChanges(row),
    draft: row.draft ? (toDraft(row) as FlowChange["draft"]) : null,
  };
}
