import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, toPage } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { lowestIdAt, NIL_UUID, timeOfUuid } from "#src/platform/kernel/id.ts";
import { OPTED_OUT_SOURCE_SQL } from "./store.ts";

/** An event in a contact's history. */
export const TimelineEntry = Type.Object(
  {
    id: Uuid,
    type: oneOf(["CALL", "CHAT", "OPT_OUT"]),
    channel: nullable(oneOf(["VOICE", "SMS", "WHATSAPP", "CHAT"])),
    direction: nullable(oneOf(["OUTBOUND", "INBOUND"], "Of a call. INBOUND: the contact called us.")),
    at: Timestamp,
    endedAt: nullable(Timestamp),
    sessionId: nullable(Uuid),
    callRowId: nullable(Uuid),
    status: nullable(Type.String({ description: "Of the call row or the chat session." })),
    outcome: nullable(Type.String({ description: "Of a call." })),
    endReason: nullable(Type.String()),
    source: nullable(Type.String({ description: "Of an opt-out." })),
    flowId: nullable(Uuid),
    durationSeconds: nullable(Type.Number({ description: "Of a call, since the answer." })),
    messages: nullable(
      Type.Object(
        {
          total: Type.Integer({ description: "Without those of tools." }),
          fromContact: Type.Integer(),
          delivered: Type.Integer({ description: "By SMS or WhatsApp: DELIVERED or READ." }),
          failed: Type.Integer(),
        },
        { description: "Of a chat." },
      ),
    ),
  },
  { $id: "ContactTimelineEntry" },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

interface EntryRow {
  id: string;
  type: TimelineEntry["type"];
  channel: TimelineEntry["channel"];
  direction: TimelineEntry["direction"];
  at: Date;
  ended_at: Date | null;
  session_id: string | null;
  row_id: string | null;
  status: string | null;
  outcome: string | null;
  end_reason: string | null;
  source: string | null;
  flow_id: string | null;
  duration_ms: number | null;
  messages: TimelineEntry["messages"];
}

/** Returns a stable id that sorts by the entry's time. */
const entryId = (at: string, of: string) =>
  sql.raw(
    `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || substr(replace(${of}::text, '-', ''), 13))::uuid`,
  );

/** Beginning of a contact's history: the calls that ended then or later, and the chats with this id or a later one. */
interface Edge {
  calls: Date | null;
  chats: string | null;
}

/** Rows of each kind that are read for a row that the page needs, and how many times more if they do not have it. */
const READ_AHEAD = 4;
/** Longest time by which a chat may seem to begin before its id was made. */
const CHAT_GRACE_MS = 60_000;

/** A page of a contact's history, newest first; 404 when there is no such contact. */
export async function getTimeline(
  db: Executor,
  workspaceId: string,
  id: string,
  page: PageRequest,
): Promise<Page<TimelineEntry>> {
  const contact = await first(db, sql`select 1 from contacts where workspace_id = ${workspaceId} and id = ${id}`);
  if (!contact) throw new AppError("NOT_FOUND");
  return toPage(page, await listTimeline(db, workspaceId, id, page), () => countTimeline(db, workspaceId, id));
}

/**
 * Lists a page of a contact's history, with one entry more than asked for. No index has the calls of a number by their
 * beginning, so as many of the newest by their end are read as hold the page for sure: none that is left out began later.
 */
async function listTimeline(
  db: Executor,
  workspaceId: string,
  id: string,
  page: PageRequest,
): Promise<TimelineEntry[]> {
  const skipped = page.after === undefined ? page.page * page.size : 0;
  for (let most = READ_AHEAD * (skipped + page.size + 1); ; most *= READ_AHEAD) {
    const edge = await findEdge(db, workspaceId, id, most);
    const rows = await listSince(db, workspaceId, id, { edge, page });
    if (isSure(rows, page, edge)) return rows.map(toEntry);
  }
}

/** Returns how far this many of the newest calls and chats of a contact go back; null for all of them. */
async function findEdge(db: Executor, workspaceId: string, id: string, most: number): Promise<Edge> {
  const edge = await first<Edge>(
    db,
    sql`select (select r.ended_at from call_rows r
                 where r.workspace_id = ${workspaceId} and r.customer_number = c.phone and r.ended_at is not null
                 order by r.ended_at desc offset ${most - 1} limit 1) as calls,
               (select h.id from chat_sessions h where h.workspace_id = ${workspaceId} and h.contact_id = c.id
                 order by h.id desc offset ${most - 1} limit 1) as chats
          from contacts c where c.workspace_id = ${workspaceId} and c.id = ${id}`,
  );
  return edge ?? { calls: null, chats: null };
}

/** True where nothing that is older than the edge belongs to the page. */
function isSure(rows: EntryRow[], { size }: PageRequest, { calls, chats }: Edge): boolean {
  const last = rows[size]?.id ?? "";
  const isBehindCalls = calls === null || last >= lowestIdAt(calls.getTime());
  return isBehindCalls && (chats === null || last >= lowestIdAt(timeOfUuid(chats) + CHAT_GRACE_MS));
}

/** Selects the history of one contact from an edge on. Undialled rows are not part of it. */
function entries(workspaceId: string, id: string, { calls, chats }: Edge) {
  return sql`
    c as materialized (select * from contacts where workspace_id = ${workspaceId} and id = ${id}),
    live as materialized (
      select a.row_id, a.state from c join call_attempts a
        on a.workspace_id = c.workspace_id and a.customer_number = c.phone and a.ended_at is null
    ),
    entries as materialized (
      select ${entryId("coalesce(r.started_at, r.ended_at)", "r.id")} as id, 'CALL' as type, 'VOICE' as channel,
             coalesce(r.started_at, r.ended_at) as at, r.ended_at, r.session_id, r.id as row_id, r.status, r.outcome,
             r.end_reason, null as source, r.flow_id, r.direction
        from c join call_rows r
          on r.workspace_id = c.workspace_id and r.customer_number = c.phone
         and r.ended_at >= coalesce(${calls}::timestamptz, '-infinity')
      union all
      select ${entryId("r.started_at", "r.id")}, 'CALL', 'VOICE', r.started_at, null, r.session_id, r.id,
             case when r.status = 'DIALING' and live.state not in ('CLAIMED', 'SUBMITTING') then live.state else r.status end, r.outcome,
             r.end_reason, null, r.flow_id, r.direction
        from live join call_rows r on r.workspace_id = ${workspaceId} and r.id = live.row_id and r.ended_at is null
      union all
      select ${entryId("h.created_at", "h.id")}, 'CHAT', h.channel, h.created_at, h.ended_at, h.id, null, h.status, null,
             h.end_reason, null, h.flow_id, null
        from c join chat_sessions h on h.workspace_id = c.workspace_id and h.contact_id = c.id
         and h.id >= coalesce(${chats}::uuid, ${NIL_UUID})
      union all
      select ${entryId("d.created_at", "md5(d.number)")}, 'OPT_OUT', null, d.created_at, null, null, null, null, null, null,
             d.source, null, null
        from c join do_not_call d on d.workspace_id = c.workspace_id and d.number = c.phone
      union all
      select ${entryId("c.opted_out_at", "md5(c.id::text)")}, 'OPT_OUT', null, c.opted_out_at, null, null, null, null,
             null, null, ${sql.raw(OPTED_OUT_SOURCE_SQL)}, null, null
        from c where c.opted_out_at is not null
    )`;
}

function listSince(
  db: Executor,
  workspaceId: string,
  id: string,
  { edge, page }: { edge: Edge; page: PageRequest },
): Promise<EntryRow[]> {
  return all<EntryRow>(
    db,
    sql`with ${entries(workspaceId, id, edge)}
        select e.*, s.duration_ms, case when e.type = 'CHAT' then m.counts end as messages
          from (select * from entries where ${isBefore(page)} order by id desc ${limitTo(page)}) e
          left join call_results s on s.workspace_id = ${workspaceId} and s.row_id = e.row_id
         cross join lateral (
           select json_build_object('total', count(*), 'fromContact', count(*) filter (where role = 'USER'),
                    'delivered', count(*) filter (where delivery_status in ('DELIVERED', 'READ')),
                    'failed', count(*) filter (where delivery_status = 'FAILED')) as counts
             from chat_messages where workspace_id = ${workspaceId} and e.type = 'CHAT' and session_id = e.session_id
              and role <> 'TOOL') m
         order by e.id desc`,
  );
}

/** Returns the number of entries in a contact's history. */
function countTimeline(db: Executor, workspaceId: string, id: string): Promise<number> {
  return countOf(
    db,
    sql`contacts c cross join lateral (
          select 1 from call_rows r
           where r.workspace_id = c.workspace_id and r.customer_number = c.phone and r.ended_at is not null
          union all
          select 1 from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id
           where a.workspace_id = c.workspace_id and a.customer_number = c.phone and a.ended_at is null
             and r.ended_at is null
          union all
          select 1 from chat_sessions h where h.workspace_id = c.workspace_id and h.contact_id = c.id
          union all
          select 1 from do_not_call d where d.workspace_id = c.workspace_id and d.number = c.phone
          union all
          select 1 where c.opted_out_at is not null) e
         where c.workspace_id = ${workspaceId} and c.id = ${id}`,
  );
}

function toEntry(row: EntryRow): TimelineEntry {
  return {
    id: row.id,
    type: row.type,
    channel: row.channel,
    direction: row.direction,
    at: row.at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    sessionId: row.session_id,
    callRowId: row.row_id,
    status: row.status,
    outcome: row.outcome,
    endReason: row.end_reason,
    source: row.source,
    flowId: row.flow_id,
    durationSeconds: row.duration_ms === null ? null : row.duration_ms / 1000,
    messages: row.messages,
  };
}
