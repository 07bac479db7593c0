import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { SEALED_REPLY } from "#src/platform/http/idempotency.ts";

/** Replacement for an erased number. */
const ERASED = "ERASED";

/** Key of an erasure: the contact's id and number. */
export interface Erasure {
  contactId: string;
  phone: string | null;
}

/**
 * Returns a message about something of the contact that is still open, such as a live call; null when nothing is.
 * `isBegun`: rows that wait were added since, and nobody dials them before the erasure is done.
 */
export async function findLive(
  tx: Executor,
  workspaceId: string,
  { contactId, phone }: Erasure,
  isBegun = false,
): Promise<string | null> {
  const row = await first<{ call: boolean; waits: boolean; chat: boolean; message: boolean; review: boolean }>(
    tx,
    sql`select
          exists (select 1 from call_attempts where workspace_id = ${workspaceId} and customer_number = ${phone}
                     and ended_at is null)
          or exists (select 1 from call_rows where lease_owner is not null and workspace_id = ${workspaceId}
                        and customer_number = ${phone}) as call,
          exists (select 1 from call_rows where workspace_id = ${workspaceId} and customer_number = ${phone}
                     and ended_at is null and status in ('QUEUED', 'WAITING_FOR_RETRY')) as waits,
          exists (select 1 from chat_sessions where workspace_id = ${workspaceId} and contact_id = ${contactId}
                     and finished_at is null) as chat,
          exists (select 1 from chat_sessions h join chat_messages m
                      on m.workspace_id = h.workspace_id and m.session_id = h.id
                   where h.workspace_id = ${workspaceId} and h.contact_id = ${contactId}
                     and m.delivery_status in ('QUEUED', 'SENDING')) as message,
          exists (select 1 from opt_out_reviews where workspace_id = ${workspaceId} and state = 'OPEN'
                     and (number = ${phone} or contact_id = ${contactId})) as review`,
  );
  if (row?.call) return "A call with the contact is live.";
  if (row?.waits && !isBegun) return "A call to the contact waits to be dialled: cancel it first.";
  if (row?.chat) return "A chat with the contact is not over: close it first.";
  if (row?.message) return "A message to the contact is on its way.";
  return row?.review ? "An opt-out review of the contact is open: decide it first." : null;
}

/** A call (by its row) or a chat, and the span in which webhooks were sent about it. */
export interface ReportedCopy {
  id: string;
  since: Date;
  until: Date;
}

/** A call or chat whose personal data was removed, and the identifier that a chat had. */
export interface ErasedSession extends ReportedCopy {
  is_chat: boolean;
  identifier: string | null;
}

/** Removes all personal data from calls of the contact that are over, at most `limit`. */
export function blankCalls(tx: Executor, workspaceId: string, phone: string, limit: number): Promise<ErasedSession[]> {
  return all<ErasedSession>(
    tx,
    sql`with blanked as (
          update call_rows set customer_number = ${ERASED}, contact_name = null, contact_email = null, row_data = null,
              context_data = null, external_id = null, error = null, updated_at = now(),
              inline_flow = case when inline_flow is not null then '{}'::json end
           where workspace_id = ${workspaceId} and id = any (array(
             select id from call_rows
              where workspace_id = ${workspaceId} and customer_number = ${phone} and ended_at is not null
              order by ended_at limit ${limit} for update))
          returning id, created_at
        ),
        results as (
          update call_results s set transcript = '[]', structured_outputs = '{}', extracted_fields = '{}', monitor = null,
              recorded = false, updated_at = now()
            from blanked b where s.workspace_id = ${workspaceId} and s.row_id = b.id
        ),
        attempts as (
          update call_attempts a set customer_number = ${ERASED}, person_attempt = null, error = null
            from blanked b where a.workspace_id = ${workspaceId} and a.row_id = b.id
        )
        select id, created_at as since, now() as until, false as is_chat, null as identifier from blanked`,
  );
}

/**
 * Removes the number from the index of numbers. A statement of its own after `blankCalls`: that one waits for the
 * indexing of names to let go of the calls, and would not see the number that it added.
 */
export async function forgetNumber(tx: Executor, workspaceId: string, phone: string): Promise<void> {
  await all(tx, sql`delete from call_numbers where workspace_id = ${workspaceId} and number = ${phone}`);
}

/** Removes all personal data from chats of the contact that are over, at most `limit`. */
export async function blankChats(
  tx: Executor,
  workspaceId: string,
  contactId: string,
  limit: number,
): Promise<ErasedSession[]> {
  const chats = await all<ErasedSession>(
    tx,
    sql`select id, created_at as since, now() as until, true as is_chat, contact_identifier as identifier
          from chat_sessions
         where workspace_id = ${workspaceId} and contact_id = ${contactId} and finished_at is not null
           and not exists (select 1 from chat_messages m where m.workspace_id = ${workspaceId}
                              and m.session_id = chat_sessions.id and m.delivery_status in ('QUEUED', 'SENDING'))
         order by id limit ${limit} for update`,
  );
  const ids = chats.map((chat) => chat.id);
  await blankMessages(tx, workspaceId, ids);
  await all(
    tx,
    sql`with tokens as (delete from widget_tokens where workspace_id = ${workspaceId} and session_id = any (${ids}::uuid[]))
        update chat_sessions set contact_id = null, contact_name = null, contact_email = null, contact_phone = null,
            contact_identifier = null, context_data = null, error = null, updated_at = now(),
            structured_outputs = '{}', extracted_fields = '{}', stage_state = null,
            plan = jsonb_set(case when is_inline
              then jsonb_set(plan::jsonb, '{flow}', (plan::jsonb -> 'flow') || '{"masterPrompt": "", "firstMessage": ""}')
              else plan::jsonb end, '{variables}', '{}')::json
         where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`,
  );
  return chats;
}

/** Removes the contents of chat messages. Their existence and times stay. */
export async function blankMessages(tx: Executor, workspaceId: string, sessionIds: string[]): Promise<void> {
  await all(
    tx,
    sql`with messages as (
          update chat_messages set content = case when disclosure = 'NAME_ONLY' then '{"name":""}' else '' end,
              template = null, client_message_id = null, citations = null, error = null, updated_at = now()
           where workspace_id = ${workspaceId} and session_id = any (${sessionIds}::uuid[])
          returning id
        ),
        taken as (
          delete from sandbox_messages where workspace_id = ${workspaceId} and message_id in (select id from messages)
        )
        delete from chat_events where workspace_id = ${workspaceId} and session_id = any (${sessionIds}::uuid[])`,
  );
}

/** Deletes the decided opt-out reviews of the contact. A confirmed opt-out stays in the ledger. */
export async function dropReviews(tx: Executor, workspaceId: string, { contactId, phone }: Erasure): Promise<void> {
  await all(
    tx,
    sql`delete from opt_out_reviews
         where workspace_id = ${workspaceId} and (number = ${phone} or contact_id = ${contactId})`,
  );
}

/** Deletes the simulations whose suites name the contact's number; a running one ends. */
export async function dropSimulations(tx: Executor, workspaceId: string, phone: string): Promise<void> {
  await all(tx, sql`delete from simulations where workspace_id = ${workspaceId} and ${phone} = any (phones)`);
}

/** Replies that one statement reads. */
const REPLIES_READ = 5_000;

/** Pattern of an id in a reply. */
const WRITTEN_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Names a kept reply within its workspace. */
interface ReplyKey {
  route: string;
  key: string;
}

/**
 * Removes the person from the replies kept for repeated requests: those that contain one of these texts in JSON form, or
 * one of the ids of their calls and chats. These may be very many, so the ids in a reply are looked up among them. The key
 * stays, so that a repeated request has no effect; it is answered 410. A reply is kept for a day, and only the workspace's
 * are read. One that is sealed cannot be searched, so it goes as well.
 */
export async function blankReplies(
  tx: Executor,
  workspaceId: string,
  texts: (string | null)[],
  ids: string[],
): Promise<void> {
  const written = texts.filter((text) => text !== null && text !== "").map((text) => JSON.stringify(text).slice(1, -1));
  for (let after: ReplyKey | undefined = { route: "", key: "" }; after;) {
    after = await first<ReplyKey>(
      tx,
      sql`with page as materialized (
            select route, key from idempotency_keys
             where workspace_id = ${workspaceId} and (route, key) > (${after.route}, ${after.key})
             order by route, key limit ${REPLIES_READ}
          ),
          ids as materialized (select unnest(${ids}::text[]) as id),
          -- Of this page alone, whose replies are each found by their key: the planner takes those of the workspace for a few. And it
          -- takes a limit that it cannot see for a small one.
          about as materialized (
            select p.route, p.key from page p
             cross join lateral (select k.body from idempotency_keys k
                                  where k.workspace_id = ${workspaceId} and k.route = p.route and k.key = p.key offset 0) k
             where starts_with(k.body, ${SEALED_REPLY})
                or exists (select 1 from unnest(${written}::text[]) as t(text) where position(t.text in k.body) > 0)
                -- As a value, for which the ids are hashed: as a condition they would be joined, one by one.
                or exists (select 1 from regexp_matches(k.body, ${WRITTEN_ID}, 'g') as found(id)
                            where (found.id[1] in (select id from ids)) is true)
          ),
          blanked as (
            update idempotency_keys k set status = 410, body = ''
              from (select * from about limit (select ${REPLIES_READ}::int)) a
             where k.workspace_id = ${workspaceId} and k.route = a.route and k.key = a.key
          )
          select route, key from page order by route, key offset ${REPLIES_READ - 1}`,
    );
  }
}

/**
 * Empties the deliveries of leads about the number, and those without a number, because they cannot be matched to a
 * person. Their keys stay, so that a repeat still dials nobody.
 */
export async function blankLeads(tx: Executor, workspaceId: string, phone: string | null): Promise<void> {
  await all(
    tx,
    sql`update lead_deliveries set body = null, message = null, external_id = null, customer_number = null, consent = null
         where workspace_id = ${workspaceId} and (customer_number = ${phone} or customer_number is null)`,
  );
}

/** Deletes the requests in the workspace's webhook inspector, because they cannot be matched to a person. */
export async function dropInspected(tx: Executor, workspaceId: string): Promise<void> {
  await all(tx, sql`delete from inspected_requests where workspace_id = ${workspaceId}`);
}

/** Deliveries to forget: those about these calls (by row or session) and chats. */
export interface Forgetting {
  ids: string[];
  since: string;
  until: string;
}

/**
 * Empties the finished deliveries about these calls and chats; true while some are still being tried. Only deliveries
 * from their time span are read. A call is matched by its row as well, because one that was put back into the queue had
 * an earlier session.
 */
export async function blankDeliveries(
  tx: Executor,
  workspaceId: string,
  kind: string,
  { ids, since, until }: Forgetting,
): Promise<boolean> {
  const found = await all<{ id: string; finished: boolean }>(
    tx,
    sql`with ids as materialized (select unnest(${ids}::text[]) as id),
        found as materialized (
          select t.id, t.finished_at is not null as finished from tasks t
           cross join lateral (select (t.payload ->> 'members')::json as told offset 0) m
           where t.workspace_id = ${workspaceId} and t.kind = ${sql.lit(kind)}
             and t.created_at between ${since}::timestamptz and ${until}::timestamptz
             and (m.told #>> '{session,id}' in (select id from ids) or m.told #>> '{row,id}' in (select id from ids))
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

/**
 * Empties what async tools were asked and answered in these calls and chats; true while some of it is still waited for.
 * The answer of a call names no call, so those of the whole time span go, once whoever waited has read them.
 */
export async function blankToolAnswers(
  tx: Executor,
  workspaceId: string,
  { ids, since, until }: Forgetting,
  askedAt: Date,
): Promise<boolean> {
  const isOfThen = sql`workspace_id = ${workspaceId} and created_at between ${since}::timestamptz
    and least(${until}::timestamptz, ${askedAt.toISOString()}::timestamptz)`;
  await all(
    tx,
    sql`update tasks set payload = '{}' where ${isOfThen} and kind = 'chat.tool-answer'
           and subject_id = any (${ids}::uuid[]) and finished_at is not null`,
  );
  const left = await all(
    tx,
    sql`with ended as materialized (
          select t.id, t.completed_at < now() - interval '1 minute' and k.id is null as was_read
            from (select * from tool_tasks where ${isOfThen} and source = 'TOOL'
                     and (result is not null or error is not null)) t
            left join tasks k on k.workspace_id = t.workspace_id and k.kind = 'chat.tool-answer'
             and (k.status = 'PENDING' or k.lease_owner is not null) and k.payload ->> 'taskId' = t.id
        ),
        emptied as (
          update tool_tasks t set result = null, error = null from ended e
           where t.workspace_id = ${workspaceId} and t.id = e.id and e.was_read
        )
        select 1 from ended where not was_read
        union all
        select 1 from tool_tasks where ${isOfThen} and source = 'TOOL' and status = 'PENDING' and expires_at > now()
        limit 1`,
  );
  return left.length > 0;
}
