import type { EarlierConversation } from "#src/engine/conversation/plan.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";

const MAX_SUMMARY_CHARACTERS = 600;
/** Turns read for a summary, each cut to the length of a summary. */
const LAST_TURNS = 8;

/** Key of a person's earlier calls and chats: the number, or else the chat identifier. */
export interface EarlierKey {
  workspaceId: string;
  phone: string | null;
  identifier: string | null;
  /** The current session, which is excluded. */
  before: string;
}

interface FoundConversation {
  place: number;
  channel: string;
  at: Date;
  outcome: string | null;
  fields: Record<string, unknown> | null;
  turns: { role: string; content: string }[] | null;
}

/** Loads the earlier conversations of each of these people, newest first; one query for all of them. */
export async function loadEarlier(db: Executor, keys: EarlierKey[], limit: number): Promise<EarlierConversation[][]> {
  const found: EarlierConversation[][] = keys.map(() => []);
  if (keys.length === 0 || limit <= 0) return found;
  for (const conversation of await findConversations(db, keys, limit)) {
    found[conversation.place]?.push({
      channel: conversation.channel,
      at: conversation.at.toISOString(),
      outcome: conversation.outcome,
      fields: conversation.fields ?? {},
      summary: summarize(conversation.turns ?? []),
    });
  }
  return found;
}

function findConversations(db: Executor, keys: EarlierKey[], limit: number): Promise<FoundConversation[]> {
  const asked = keys.map((key, place) => ({
    place,
    workspace_id: key.workspaceId,
    phone: key.phone,
    identifier: key.phone === null ? key.identifier : null,
    before: key.before,
  }));
  return all(
    db,
    sql`select k.place, t.channel, t.at, t.outcome, t.fields,
               case when t.channel = 'CALL' then (
                 select json_agg(json_build_object('role', e ->> 'role', 'content', left(e ->> 'content', ${MAX_SUMMARY_CHARACTERS}::int)) order by i)
                   from (select e, i from json_array_elements(t.transcript) with ordinality as x(e, i)
                          where e ->> 'role' in ('ASSISTANT', 'USER') order by i desc limit ${LAST_TURNS}::int) y)
               else (
                 select json_agg(json_build_object('role', m.role, 'content', left(m.content, ${MAX_SUMMARY_CHARACTERS}::int)) order by m.position)
                   from (select m.role, m.content, m.position from chat_messages m
                          where m.workspace_id = k.workspace_id and m.session_id = t.id and m.role <> 'TOOL'
                          order by m.position desc limit ${LAST_TURNS}::int) m) end as turns
          from json_to_recordset(${JSON.stringify(asked)}::json)
            as k(place int, workspace_id uuid, phone text, identifier text, before uuid)
         cross join lateral (
           select c.id, c.phone from contacts c where c.workspace_id = k.workspace_id and c.phone = k.phone
           union all
           select c.id, c.phone from contacts c where c.workspace_id = k.workspace_id and c.identifier = k.identifier) c
         cross join lateral (
           (select 'CALL' as channel, r.id, r.ended_at as at, r.outcome, s.extracted_fields as fields, s.transcript
              from call_rows r left join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
             where r.workspace_id = k.workspace_id and r.customer_number = c.phone and r.ended_at is not null
               and r.answered_at is not null and r.session_id <> k.before
             order by r.ended_at desc limit ${limit}::int)
           union all
           (select h.channel, h.id, h.ended_at, h.end_reason, h.extracted_fields, null
              from chat_sessions h
             where h.workspace_id = k.workspace_id and h.contact_id = c.id and h.ended_at is not null
               and h.id <> k.before
             order by h.id desc limit ${limit}::int)
           order by at desc limit ${limit}::int) t
         order by k.place, t.at desc`,
  );
}

/** Returns the last turns, as many whole ones as fit. */
function summarize(turns: { role: string; content: string }[]): string {
  let summary = "";
  for (const { role, content } of turns.toReversed()) {
    const line = `${role === "USER" ? "Person" : "Agent"}: ${content.replaceAll(/\s+/g, " ").trim()}`;
    const longer = summary === "" ? line : `${line} ${summary}`;
    if (longer.length > MAX_SUMMARY_CHARACTERS) {
      return summary === "" ? line.slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed() : summary;
    }
    summary = longer;
  }
  return summary;
}
