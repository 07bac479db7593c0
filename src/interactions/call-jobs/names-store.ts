import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";

const BATCH_ROWS = 500;

/**
 * Indexes the names and numbers of the next rows of a job and notes how far it came; false when there are none left.
 * The rows are locked while their names are read, so that an erasure comes before it or after it.
 */
export async function learnSomeNames(db: Executor, workspaceId: string, jobId: string): Promise<boolean> {
  const batch = await first<{ rows: number; last: string | null }>(
    db,
    sql`with named as materialized (
          select r.id, r.contact_name, r.customer_number from call_rows r
           where r.workspace_id = ${workspaceId} and r.job_id = ${jobId}
             and r.id > (select coalesce(j.named_row, ${NIL_UUID}::uuid) from call_jobs j
                          where j.workspace_id = ${workspaceId} and j.id = ${jobId})
           order by r.id limit ${BATCH_ROWS} for share of r
        ),
        learned as (
          insert into call_names (workspace_id, word, row_id)
          select ${workspaceId}::uuid, w.word, n.id from named n cross join lateral words_of_name(n.contact_name) as w(word)
           on conflict do nothing
        ),
        numbered as (
          insert into call_numbers (workspace_id, number)
          select distinct ${workspaceId}::uuid, n.customer_number from named n
           where not exists (select 1 from call_numbers k
                              where k.workspace_id = ${workspaceId} and k.number = n.customer_number)
        )
        select count(*)::int as rows, (array_agg(id order by id desc))[1] as last from named`,
  );
  const { rows = 0, last = null } = batch ?? {};
  await all(
    db,
    rows > 0
      ? sql`update call_jobs set named_row = ${last}, named_rows = named_rows + ${rows}
             where workspace_id = ${workspaceId} and id = ${jobId}`
      : sql`update call_jobs set named_row = null, named_rows = null
             where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
  return rows > 0;
}
