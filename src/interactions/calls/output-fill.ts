import { type Executor, first, sql } from "#src/platform/db/database.ts";

/** Task that fills the outputs of a call whose model failed when the call ended. Its subject is the row. */
export const FILL_TASK = "calls.fill_outputs";

/** Payload of the task that fills a call's outputs, in addition to the stored transcript. */
export interface FillPayload {
  outputs: { name: string; description: string; schema: Record<string, unknown> }[];
  language: string;
  /** Clock of the person when the call ended; absent in tasks of earlier versions. */
  clock?: { endedAt: string; zone: { name: string; isAssumed: boolean } };
  /** The flow's limit; absent where it sets none. */
  maxHistoryTokens?: number | undefined;
  /** The flow's choice of models. */
  model: { modelId?: string | null; fallbackModelIds?: string[] | null; temperature?: number | null } | null;
  simulated: boolean;
}

/** Calls whose outputs are asked about: one, those of a job, or those that ended before a moment (ISO 8601). */
export type FilledCalls = { rowId: string } | { jobId: string } | { endedBefore: string };

/** True while outputs of any of the calls are still being filled. */
export async function hasPendingOutputs(db: Executor, workspaceId: string, of: FilledCalls): Promise<boolean> {
  const subjects = subjectsOf(of);
  const found = await first<{ is_pending: boolean }>(
    db,
    sql`select exists (select 1 from tasks t
                        where t.workspace_id = ${workspaceId} and t.kind = ${FILL_TASK}
                          and t.status in ('PENDING', 'RUNNING') and ${subjects}) as is_pending`,
  );
  return found?.is_pending === true;
}

/** Returns the condition of the tasks `t` of these calls. A task is stored with the end of its call. */
function subjectsOf(of: FilledCalls) {
  if ("rowId" in of) return sql`t.subject_id = ${of.rowId}`;
  if ("endedBefore" in of) return sql`t.created_at < ${of.endedBefore}::timestamptz`;
  return sql`exists (select 1 from call_rows r
                      where r.workspace_id = t.workspace_id and r.id = t.subject_id and r.job_id = ${of.jobId})`;
}
