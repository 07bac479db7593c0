import type { RawBuilder } from "kysely";
import { insertVisitsSql } from "#src/authoring/flows/stage-visits-cte.ts";
import { closePath, type StageState } from "#src/engine/stages/stage-state.ts";
import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { countOfParts, idsOf, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import type { Sort } from "#src/platform/http/sorting.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import { GATE_SQL, type GateReason } from "#src/tenancy/compliance/gate.ts";
import { HELD, HELD_SQL, type HoldReason, reviewRefSql } from "#src/tenancy/compliance/opt-out-hold.ts";
import { costSql } from "#src/tenancy/usage/cost.ts";
import type { ChatRecord, ChatRow, StoredPlan } from "./chat-row.ts";
import { CHANNELS, CHAT_STATUSES, type HandoffState } from "./states.ts";

/** Columns of a new chat that the caller sets. The others start with their defaults. */
export type NewChat = Omit<
  ChatRow,
  | "workspace_id"
  | "provider_call_id"
  | "status"
  | "mode"
  | "ai_mode"
  | "assignee"
  | "message_count"
  | "event_seq"
  | "turn_task_id"
  | "stage_state"
  | "last_message_at"
  | "structured_outputs"
  | "extracted_fields"
  | "end_reason"
  | "error"
  | "created_at"
  | "updated_at"
  | "ended_at"
  | "human_requested_at"
  | "finished_at"
> & { error: ChatRow["error"] };

/** Stores a new chat. */
export async function insertChat(tx: Executor, workspaceId: string, chat: NewChat): Promise<ChatRow> {
  const rows = await all<ChatRow>(
    tx,
    sql`insert into chat_sessions (workspace_id, id, channel, provider, simulated, status, mode, ai_mode, flow_id,
          flow_api_id, flow_version, is_inline, plan, context_data, contact_name, contact_email, contact_phone,
          number_country, number_class, contact_identifier, contact_id, phone_number_id, assistant_phone_number, idle_timeout_seconds, opening_due,
          error, window_expires_at)
        values (${workspaceId}, ${chat.id}, ${chat.channel}, ${chat.provider}, ${chat.simulated}, 'ACTIVE', 'FLOW',
          'ACTIVE', ${chat.flow_id}, ${chat.flow_api_id}, ${chat.flow_version}, ${chat.is_inline},
          ${JSON.stringify(chat.plan)}, ${chat.context_data}, ${chat.contact_name}, ${chat.contact_email}, ${chat.contact_phone},
          ${chat.number_country}, ${chat.number_class}, ${chat.contact_identifier}, ${chat.contact_id}, ${chat.phone_number_id},
          ${chat.assistant_phone_number}, ${chat.idle_timeout_seconds}, ${chat.opening_due}, ${json(chat.error)},
          ${chat.window_expires_at})
        returning *`,
  );
  return rows[0] as ChatRow;
}

const RECORD = sql`select c.*, ${sql.raw(costSql("c.workspace_id", "c.id", "c.simulated"))} as cost,
    ${sql.raw(reviewRefSql("c.workspace_id", "c.id"))} as opt_out_review from chat_sessions c`;

/** One chat with its cost. */
export function findChat(tx: Executor, workspaceId: string, id: string): Promise<ChatRecord | undefined> {
  return first(tx, sql`${RECORD} where c.workspace_id = ${workspaceId} and c.id = ${id}`);
}

/** Returns one chat, locked. Every change of a chat and every message into it holds this lock. */
export function lockChat(tx: Executor, workspaceId: string, id: string): Promise<ChatRow | undefined> {
  return first(tx, sql`select * from chat_sessions where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** The two numbers of a conversation, and its channel. */
export interface Conversation {
  channel: string;
  /** Number of the person. */
  from: string;
  /** Number of ours. */
  to: string;
}

/** Locks the two numbers, so that nobody else opens a chat of theirs before this transaction ends. */
export async function lockConversation(tx: Executor, workspaceId: string, conversation: Conversation): Promise<void> {
  await lockName(tx, workspaceId, conversation.channel, conversation.from, conversation.to);
}

/** Returns the newest chat of the two numbers that is not over, locked. */
export function findOpenChat(
  tx: Executor,
  workspaceId: string,
  conversation: Conversation,
): Promise<ChatRow | undefined> {
  return first(
    tx,
    sql`select * from chat_sessions where workspace_id = ${workspaceId} and contact_phone = ${conversation.from}
          and assistant_phone_number = ${conversation.to} and channel = ${conversation.channel} and ended_at is null
        order by id desc limit 1 for update`,
  );
}

/** Returns the end of WhatsApp's free-text window between the two numbers; null when it is closed. */
export async function findOpenWindow(
  tx: Executor,
  workspaceId: string,
  { from, to }: Pick<Conversation, "from" | "to">,
): Promise<Date | null> {
  const row = await first<{ until: Date | null }>(
    tx,
    sql`select max(window_expires_at) as until from chat_sessions
        where workspace_id = ${workspaceId} and contact_phone = ${from} and assistant_phone_number = ${to}
          and channel = 'WHATSAPP' and window_expires_at > now()`,
  );
  return row?.until ?? null;
}

/** Filters of a list of chats. */
export interface ChatFilter {
  status?: string[] | undefined;
  channel?: string[] | undefined;
  contactPhone?: string | undefined;
  handoff?: HandoffState | undefined;
}

/** Conditions equivalent to `handoffStateOf`, worded as in the index chat_sessions_human_requested. */
const HANDOFFS: Record<HandoffState, RawBuilder<unknown>> = {
  NONE: sql`c.mode <> 'MANUAL' and c.human_requested_at is null`,
  REQUESTED: sql`c.mode <> 'MANUAL' and c.human_requested_at is not null`,
  WAITING: sql`c.mode = 'MANUAL' and c.human_requested_at is not null`,
  TAKEN_OVER: sql`c.mode = 'MANUAL' and c.human_requested_at is null`,
};

/**
 * Parts of a list of chats. One of states or channels alone has a part for each state of each channel, in which an index
 * has its chats in the order of the list: few may have them.
 */
function partsOf(workspaceId: string, filter: ChatFilter): RawBuilder<unknown>[] {
  const { status, channel, contactPhone, handoff } = filter;
  if (contactPhone !== undefined || handoff !== undefined || !(status ?? channel))
    return [sql`chat_sessions c where ${conditions(workspaceId, filter)}`];
  return [...new Set(channel ?? CHANNELS)].flatMap((one) =>
    [...new Set(status ?? CHAT_STATUSES)].map(
      (state) => sql`chat_sessions where workspace_id = ${workspaceId} and channel = ${one} and status = ${state}`,
    ),
  );
}

function conditions(workspaceId: string, filter: ChatFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`c.workspace_id = ${workspaceId}`];
  if (filter.status) parts.push(sql`c.status = any(${filter.status}::text[])`);
  if (filter.channel) parts.push(sql`c.channel = any(${filter.channel}::text[])`);
  if (filter.contactPhone) parts.push(sql`c.contact_phone = ${filter.contactPhone}`);
  if (filter.handoff) parts.push(HANDOFFS[filter.handoff]);
  return sql.join(parts, sql` and `);
}

/** A page of chats, the newest or the oldest first, with one more than asked for. */
export function listChats(
  tx: Executor,
  workspaceId: string,
  filter: ChatFilter,
  { isDescending }: Sort<"createdAt">,
  page: PageRequest,
): Promise<ChatRecord[]> {
  const ids = idsOf(partsOf(workspaceId, filter), page, isDescending);
  const { order } = orderById(page, "c.id", isDescending);
  // The ids are found first, so that nothing is summed up of chats that a far page skips.
  return all(tx, sql`${RECORD} where c.workspace_id = ${workspaceId} and c.id = any(array(${ids})) order by ${order}`);
}

/** Returns the number of chats that match a filter. */
export function countChats(tx: Executor, workspaceId: string, filter: ChatFilter): Promise<number> {
  return countOfParts(tx, partsOf(workspaceId, filter));
}

/**
 * Reason that forbids a message: a rule of the gate, an open opt-out review, or a sending number that was suspended or
 * released.
 */
export type Block = GateReason | HoldReason | "SENDER_NOT_ACTIVE";

/**
 * Returns the rule that forbids a message to this number, by the gate of calls; null when none does. Messages bill the
 * owner of the sending number, so credit is required for a sandbox number too.
 */
export async function findBlock(
  tx: Executor,
  workspaceId: string,
  to: { number: string; country: string; numberClass: string; phoneNumberId: string },
): Promise<Block | null> {
  const row = await first<{ blocked: GateReason | HoldReason | null }>(
    tx,
    sql`select coalesce(${sql.raw(GATE_SQL)}, case when ${sql.raw(HELD_SQL)} then ${HELD} end) as blocked
          from (select ${workspaceId}::uuid as workspace_id, ${to.number}::text as customer_number,
                       ${to.country}::text as number_country, ${to.numberClass}::text as number_class) r
          join workspaces w on w.id = r.workspace_id
          join phone_numbers p on p.workspace_id = r.workspace_id and p.id = ${to.phoneNumberId}
           and p.status = 'ACTIVE'
         cross join (select 'MESSENGER' as provider) k`,
  );
  return row ? row.blocked : "SENDER_NOT_ACTIVE";
}

/** True while an opt-out review of the contact, or of their number, is open, or a task erases them. */
export async function isContactHeld(
  tx: Executor,
  workspaceId: string,
  { id, phone }: { id: string; phone: string | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`select 1 from opt_out_reviews where workspace_id = ${workspaceId} and state = 'OPEN'
          and (contact_id = ${id} or number = ${phone})
        union all
        select 1 from contact_erasures where workspace_id = ${workspaceId} and (contact_id = ${id} or phone = ${phone})
        limit 1`,
  );
  return rows.length > 0;
}

/** Sets the task that takes the agent's turns. Null means that none is outstanding and no opening is due. */
export async function setTurnTask(tx: Executor, workspaceId: string, id: string, taskId: string | null): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set turn_task_id = ${taskId},
          opening_due = opening_due and ${taskId}::uuid is not null
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Counts new messages. `opensWindow`: the person wrote, so free text may be sent for 24 hours. */
export async function noteMessages(
  tx: Executor,
  workspaceId: string,
  id: string,
  count: number,
  opensWindow: boolean,
): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set message_count = message_count + ${count}, last_message_at = clock_timestamp(),
          updated_at = now(),
          window_expires_at = case when ${opensWindow}::boolean and channel = 'WHATSAPP'
            then now() + interval '24 hours' else window_expires_at end
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores the values that tools returned among the variables of a chat. */
export async function addVariables(
  tx: Executor,
  workspaceId: string,
  id: string,
  variables: Record<string, unknown>,
): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions
           set plan = jsonb_set(plan::jsonb, '{variables}',
                                (plan::jsonb -> 'variables') || ${toStorableJson(variables)}::jsonb)::json
         where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores the plan of the flow that took a chat over, and the state of its stages. */
export async function setPlan(
  tx: Executor,
  workspaceId: string,
  id: string,
  plan: StoredPlan,
  state: StageState | null,
): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set plan = ${toStorableJson(plan)}, stage_state = ${json(state)}
         where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores the state of the stages after a turn of the agent. */
export async function setStageState(tx: Executor, workspaceId: string, id: string, state: StageState): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set stage_state = ${toStorableJson(state)}
         where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores the visits of stages by a chat that has ended, for funnels. */
export async function insertChatVisits(
  tx: Executor,
  { workspace_id, id, flow_id, flow_version, stage_state }: ChatRow,
): Promise<void> {
  if (!stage_state || flow_id === null) return;
  const path = toStorableJson(closePath(stage_state.path, now().toISOString()));
  await all(
    tx,
    sql`with s as (
          select ${workspace_id}::uuid as workspace_id, ${id}::uuid as session_id, ${flow_id}::uuid as flow_id,
                 ${flow_version}::int as flow_version, ${path}::json as stage_path
        ) ${sql.raw(insertVisitsSql("select * from s"))}`,
  );
}

/** Marks the opening as done. */
export async function setOpened(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set opening_due = false, updated_at = now() where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Hands a chat to a human operator, or back to the agent. */
export async function setMode(
  tx: Executor,
  workspaceId: string,
  id: string,
  mode: ChatRow["mode"],
  assignee: string | null,
): Promise<void> {
  const [status, aiMode] = mode === "MANUAL" ? ["HANDED_OFF", "PAUSED"] : ["ACTIVE", "ACTIVE"];
  await all(
    tx,
    sql`update chat_sessions set mode = ${mode}, status = ${status}, ai_mode = ${aiMode}, assignee = ${assignee},
          human_requested_at = null,
          updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Records that the agent asked for a human operator just now. */
export async function setHumanRequested(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set human_requested_at = now() where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Ends a chat. An earlier error stays unless a new one is given. */
export async function setEnded(
  tx: Executor,
  workspaceId: string,
  id: string,
  end: Pick<ChatRow, "status" | "end_reason" | "error">,
): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set status = ${end.status}, ai_mode = 'OFF', turn_task_id = null, opening_due = false,
          end_reason = ${end.end_reason}, error = coalesce(${json(end.error)}::json, error), ended_at = now(),
          updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores the outputs of an ended chat; false when that was done before. */
export async function setFinished(
  tx: Executor,
  workspaceId: string,
  id: string,
  outputs: object,
  fields: object,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update chat_sessions set structured_outputs = ${toStorableJson(outputs)},
          extracted_fields = ${toStorableJson(fields)}, finished_at = now(), updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and finished_at is null returning id`,
  );
  return rows.length > 0;
}

/** Stores the provider's id of the first message that it accepted. */
export async function noteProviderId(
  tx: Executor,
  workspaceId: string,
  id: string,
  providerMessageId: string,
): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set provider_call_id = ${providerMessageId}
        where workspace_id = ${workspaceId} and id = ${id} and provider_call_id is null`,
  );
}

/** Milliseconds until a chat has been idle for too long; negative once it has. */
export async function readIdleMs(tx: Executor, workspaceId: string, id: string): Promise<number> {
  const row = await first<{ left_ms: number }>(
    tx,
    sql`select (extract(epoch from coalesce(last_message_at, created_at) + make_interval(secs => idle_timeout_seconds)
            - clock_timestamp()) * 1000)::float8 as left_ms
          from chat_sessions where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row?.left_ms ?? 0;
}

function json(value: object | null): string | null {
  return value === null ? null : toStorableJson(value);
}
