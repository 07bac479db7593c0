import { all, type Executor, first, sql } from "#src/db/database.ts";

/** Stands where a number was. */
const ERASED = "ERASED";

/** What is erased: a contact, and the chats that are theirs. */
export interface Erasure {
  contactId: string;
  phone: string | null;
}

/** What of a contact is still going on, in words; null when nothing is. */
export async function findLive(
  tx: Executor,
  workspaceId: string,
  { contactId, phone }: Erasure,
): Promise<string | null> {
  const row = await first<{ call: boolean; waits: boolean; chat: boolean; message: boolean }>(
    tx,
    sql`select
          exists (select 1 from call_attempts where workspace_id = ${workspaceId} and customer_number = ${phone}
                     and ended_at is null)
          or exists (select 1 from call_rows where lease_owner is not null and workspace_id = ${workspaceId}
                        and customer_number = ${phone}) as call,
          exists (select 1 from lanes l join call_rows r on r.phone_number_id = l.phone_number_id and r.job_id = l.job_id
                   where l.workspace_id = ${workspaceId} and r.workspace_id = l.workspace_id
                     and r.status in ('QUEUED', 'WAITING_FOR_RETRY') and r.customer_number = ${phone}) as waits,
          exists (select 1 from chat_sessions where workspace_id = ${workspaceId} and contact_id = ${contactId}
                     and finished_at is null) as chat,
          exists (select 1 from chat_sessions h join chat_messages m
                      on m.workspace_id = h.workspace_id and m.session_id = h.id
                   where h.workspace_id = ${workspaceId} and h.contact_id = ${contactId}
                     and m.delivery_status in ('QUEUED', 'SENDING')) as message`,
  );
  if (row?.call) return "A call with the contact is live.";
  if (row?.waits) return "A call to the contact waits to be dialled: cancel it first.";
  if (row?.chat) return "A chat with the contact is not over: close it first.";
  return row?.message ? "A message to the contact is on its way." : null;
}

/** Takes all that is personal out of the contact's calls; gives their ids and those of their sessions. */
export async function blankCalls(
  tx: Executor,
  workspaceId: string,
  phone: string,
): Promise<{ rowIds: string[]; sessionIds: string[] }> {
  const rows = await all<{ id: string; session_id: string }>(
    tx,
    sql`with blanked as (
          update call_rows set customer_number = ${ERASED}, contact_name = null, contact_email = null, row_data = null,
              context_data = null, external_id = null, error = null, updated_at = now(),
              inline_flow = case when inline_flow is not null then '{}'::json end
           where workspace_id = ${workspaceId} and customer_number = ${phone} and ended_at is not null
          returning id, session_id
        ),
        results as (
          update call_results s set transcript = '[]', structured_outputs = '{}', extracted_fields = '{}', recorded = false,
              updated_at = now()
            from blanked b where s.workspace_id = ${workspaceId} and s.row_id = b.id
        ),
        attempts as (
          update call_attempts a set customer_number = ${ERASED}, error = null
            from blanked b where a.workspace_id = ${workspaceId} and a.row_id = b.id
        )
        select id, session_id from blanked`,
  );
  return { rowIds: rows.map((row) => row.id), sessionIds: rows.map((row) => row.session_id) };
}

/** Takes all that is personal out of the contact's chats; gives their ids and the identifiers that they had. */
export async function blankChats(
  tx: Executor,
  workspaceId: string,
  contactId: string,
): Promise<{ id: string; identifier: string | null }[]> {
  const chats = await all<{ id: string; identifier: string | null }>(
    tx,
    sql`select id, contact_identifier as identifier from chat_sessions
         where workspace_id = ${workspaceId} and contact_id = ${contactId} for update`,
  );
  const ids = chats.map((chat) => chat.id);
  await all(
    tx,
    sql`with messages as (
          update chat_messages set content = case when disclosure = 'NAME_ONLY' then '{"name":""}' else '' end,
              template = null, client_message_id = null, citations = null, error = null, updated_at = now()
           where workspace_id = ${workspaceId} and session_id = any (${ids}::uuid[])
          returning id
        ),
        taken as (
          delete from sandbox_messages where workspace_id = ${workspaceId} and message_id in (select id from messages)
        ),
        events as (delete from chat_events where workspace_id = ${workspaceId} and session_id = any (${ids}::uuid[])),
        tokens as (delete from widget_tokens where workspace_id = ${workspaceId} and session_id = any (${ids}::uuid[]))
        update chat_sessions set contact_id = null, contact_name = null, contact_email = null, contact_phone = null,
            contact_identifier = null, context_data = null, error = null, updated_at = now(),
            structured_outputs = '{}', extracted_fields = '{}',
            plan = jsonb_set(case when is_inline
              then jsonb_set(plan::jsonb, '{flow}', (plan::jsonb -> 'flow') || '{"masterPrompt": "", "firstMessage": ""}')
              else plan::jsonb end, '{variables}', '{}')::json
         where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`,
  );
  return chats;
}

/** Takes away the simulations whose suites name the contact's number; one that still runs ends. */
export async function dropSimulations(tx: Executor, workspaceId: string, phone: string): Promise<void> {
  await all(tx, sql`delete from simulations where workspace_id = ${workspaceId} and ${phone} = any (phones)`);
}

/** Empties the deliveries of these sessions' events that are over; true while some are still tried. */
export async function blankDeliveries(
  tx: Executor,
  workspaceId: string,
  kind: string,
  sessionIds: string[],
): Promise<boolean> {
  const patterns = sessionIds.map((id) => `%${id}%`);
  const found = await all<{ id: string; finished: boolean }>(
    tx,
    sql`with found as materialized (
          select id, finished_at is not null as finished from tasks
           where workspace_id = ${workspaceId} and kind = ${kind}
             and payload ->> 'members' like any (${patterns}::text[])
        ),
        emptied as (update tasks t set payload = '{}' from found f where t.id = f.id and f.finished),
        answers as (
          update webhook_attempts a set response_body = null, response_headers = null from found f
           where a.workspace_id = ${workspaceId} and a.task_id = f.id and f.finished
        )
        select id, finished from found`,
  );
  return found.some(({ finished }) => !finished);
}
