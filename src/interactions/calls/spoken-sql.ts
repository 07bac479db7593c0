import type { RawBuilder } from "kysely";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { historyCondition } from "./list-sql.ts";

/** The newest calls among which those of a flow are looked for that had another apiId then. */
const MOST_RENAMED = 20_000;

/** The calls of a flow, or of it in one job, the newest first. */
export interface SpokenCallsFilter {
  flow: { id: string; apiId: string };
  jobId: string | undefined;
  limit: number;
}

/**
 * Returns the ids of a flow's newest calls that are over and have a transcript. The index call_rows_flow knows the apiId
 * that the flow had when the call was made, so those of an earlier one are looked for among the newest calls alone.
 */
export async function findSpokenCalls(tx: Executor, workspaceId: string, filter: SpokenCallsFilter): Promise<string[]> {
  const { flow, jobId, limit } = filter;
  const listed = [sql`r.workspace_id = ${workspaceId}`, ...historyCondition({})];
  if (jobId) listed.push(sql`r.job_id = ${jobId}`);
  const rows = sql`select r.* from call_rows r where ${sql.join(listed, sql` and `)}`;
  const named = await spokenOf(tx, sql`${rows} and r.flow_api_id = ${flow.apiId}`, filter);
  if (named.length >= limit) return named;
  const others = sql`select n.* from (${rows} order by r.id desc limit ${MOST_RENAMED}) n
    where n.flow_api_id is distinct from ${flow.apiId}`;
  const renamed = await spokenOf(tx, others, filter);
  return [...named, ...renamed].toSorted().toReversed().slice(0, limit);
}

async function spokenOf(tx: Executor, rows: RawBuilder<unknown>, filter: SpokenCallsFilter): Promise<string[]> {
  const found = await all<{ id: string }>(
    tx,
    sql`select r.id from (${rows}) r join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
        where r.flow_id = ${filter.flow.id} and r.ended_at is not null and json_array_length(s.transcript) > 0
        order by r.id desc limit ${filter.limit} ${sql.raw(PLANNED_ANEW)}`,
  );
  return found.map(({ id }) => id);
}
