import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { blankMessages, type ReportedCopy } from "./erase-sql.ts";

/** Removes the quotes of these calls and chats from reviews. An open review keeps holding its person. */
async function blankQuotes(tx: Executor, workspaceId: string, subjectIds: string[]): Promise<void> {
  await all(
    tx,
    sql`update opt_out_reviews set quotes = '[]' where workspace_id = ${workspaceId} and subject_id = any (${subjectIds}::uuid[])`,
  );
}

/** Lists the workspaces with a retention limit for conversations, in days. */
export function listForgetful(tx: Executor): Promise<{ id: string; days: number }[]> {
  return all(
    tx,
    sql`select id, conversation_retention_days as days from workspaces where conversation_retention_days is not null`,
  );
}

/**
 * Removes transcripts and collected data of calls that ended this many days ago, at most `limit` of them. The number,
 * the time and the cost stay. Locked rows and results are skipped, because an erasure locks them in the other order.
 */
export async function forgetCalls(
  tx: Executor,
  workspaceId: string,
  days: number,
  limit: number,
): Promise<ReportedCopy[]> {
  const calls = await all<ReportedCopy>(
    tx,
    sql`with old as (
          select s.row_id, s.updated_at from call_results s
            join call_rows r on r.workspace_id = s.workspace_id and r.id = s.row_id and r.ended_at is not null
           where s.workspace_id = ${workspaceId} and not s.is_forgotten
             and s.updated_at < now() - make_interval(days => ${days}::int)
           order by s.updated_at limit ${limit} for update of s, r skip locked
        ),
        results as (
          update call_results s set transcript = '[]', structured_outputs = '{}', extracted_fields = '{}', monitor = null, is_forgotten = true
            from old where s.workspace_id = ${workspaceId} and s.row_id = old.row_id
        )
        update call_rows r set row_data = null, context_data = null, updated_at = now()
          from old where r.workspace_id = ${workspaceId} and r.id = old.row_id
        returning r.id, coalesce(r.started_at, r.created_at) as since, old.updated_at + interval '10 minutes' as until`,
  );
  const ids = calls.map((call) => call.id);
  if (ids.length > 0) await blankQuotes(tx, workspaceId, ids);
  return calls;
}

/** Does the same for calls without a conversation: nobody answered, or they were never dialled. */
export function forgetUnanswered(
  tx: Executor,
  workspaceId: string,
  days: number,
  limit: number,
): Promise<ReportedCopy[]> {
  return all<ReportedCopy>(
    tx,
    sql`update call_rows r set row_data = null, context_data = null, is_forgotten = true, updated_at = now()
         where workspace_id = ${workspaceId} and id in (
           select id from call_rows c
            where workspace_id = ${workspaceId} and ended_at < now() - make_interval(days => ${days}::int)
              and (row_data is not null or context_data is not null)
              and not exists (select 1 from call_results s
                   where s.workspace_id = c.workspace_id and s.row_id = c.id and not s.is_forgotten)
            order by ended_at limit ${limit} for update skip locked)
        returning r.id, coalesce(r.started_at, r.created_at) as since, r.ended_at + interval '10 minutes' as until`,
  );
}

/** Does the same for chats, including the variables from their tools. */
export async function forgetChats(
  tx: Executor,
  workspaceId: string,
  days: number,
  limit: number,
): Promise<ReportedCopy[]> {
  const chats = await all<ReportedCopy>(
    tx,
    sql`update chat_sessions set is_forgotten = true, context_data = null, structured_outputs = '{}', stage_state = null,
            extracted_fields = '{}', plan = jsonb_set(plan::jsonb, '{variables}', '{}')::json, updated_at = now()
         where workspace_id = ${workspaceId} and id in (
           select id from chat_sessions
            where workspace_id = ${workspaceId} and not is_forgotten
              and ended_at < now() - make_interval(days => ${days}::int)
            order by ended_at limit ${limit} for update skip locked)
        returning id, created_at as since, coalesce(finished_at, now()) + interval '10 minutes' as until`,
  );
  const ids = chats.map((chat) => chat.id);
  if (ids.length > 0) await blankMessages(tx, workspaceId, ids);
  if (ids.length > 0) await blankQuotes(tx, workspaceId, ids);
  return chats;
}

/** Empties the deliveries of leads that arrived this many days ago, at most `limit`, and returns their number. */
export async function forgetLeads(tx: Executor, workspaceId: string, days: number, limit: number): Promise<number> {
  const forgotten = await all(
    tx,
    sql`update lead_deliveries set body = null, message = null
         where workspace_id = ${workspaceId} and id in (
           select id from lead_deliveries where workspace_id = ${workspaceId} and body is not null
              and created_at < now() - make_interval(days => ${days}::int)
            limit ${limit} for update skip locked)
        returning id`,
  );
  return forgotten.length;
}
