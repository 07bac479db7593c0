import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
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

/** Selects the history of one contact. Undialled rows are not part of it. */
function entries(workspaceId: string, id: string) {
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
          on r.workspace_id = c.workspace_id and r.customer_number = c.phone and r.ended_at is not null
      union all
      select ${entryId("r.started_at", "r.id")}, 'CALL', 'VOICE', r.started_at, null, r.session_id, r.id,
             case when r.status = 'DIALING' and live.state not in ('CLAIMED', 'SUBMITTING') then live.state else r.status end, r.outcome,
             r.end_reason, null, r.flow_id, r.direction
        from live join call_rows r on r.workspace_id = ${workspaceId} and r.id = live.row_id and r.ended_at is null
      union all
      select ${entryId("h.created_at", "h.id")}, 'CHAT', h.channel, h.created_at, h.ended_at, h.id, null, h.status, null,
             h.end_reason, null, h.flow_id, null
        from c join chat_sessions h on h.workspace_id = c.workspace_id and h.contact_id = c.id
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

/** A page of a contact's history, newest first, with one entry more than asked for. */
export async function listTimeline(
  db: Executor,
  workspaceId: string,
  id: string,
  page: PageRequest,
): Promise<TimelineEntry[]> {
  const rows = await all<EntryRow>(
    db,
    sql`with ${entries(workspaceId, id)}
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
  return rows.map(toEntry);
}

/** Returns the number of entries in a contact's history. */
export async function countTimeline(db: Executor, workspaceId: string, id: string): Promise<number> {
  const row = await first<{ count: number }>(
    db,
    sql`with ${entries(workspaceId, id)} select count(*) as count from entries`,
  );
  return row?.count ?? 0;
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
