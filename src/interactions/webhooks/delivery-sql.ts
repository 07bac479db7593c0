import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

/** Filter of the tasks that deliver webhooks. */
const KINDS = sql.raw("t.kind in ('call_job.completed', 'session.event')");

export interface DeliveryRow {
  id: string;
  kind: "call_job.completed" | "session.event";
  subject_id: string;
  payload: Record<string, unknown>;
  status: "PENDING" | "RUNNING" | "DONE" | "DEAD";
  attempt: number;
  due_at: Date;
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
  /** Current address of the session webhook; null when it was deleted, and for a job's webhook. */
  webhook_url: string | null;
  last_status: number | null;
}

export interface AttemptRow {
  attempt: number;
  url: string;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  created_at: Date;
}

const COLUMNS =
  sql.raw(`t.id, t.kind, t.subject_id, t.payload, t.status, t.attempt, t.due_at, t.last_error, t.created_at,
  t.finished_at, h.url as webhook_url, (select a.response_status from webhook_attempts a
    where a.workspace_id = t.workspace_id and a.task_id = t.id order by a.attempt desc limit 1) as last_status`);

/** Filter of a list of deliveries. */
export interface DeliveryFilter {
  status: DeliveryRow["status"] | undefined;
  /** Only deliveries about this call. */
  rowId: string | undefined;
}

/** Filters deliveries about a call. They are created during the call, so only that time span is scanned. */
function notifiedOfCall(workspaceId: string, rowId: string) {
  return sql`and t.payload->>'members' like ${`%${rowId.toLowerCase()}%`} and t.created_at between
    (select r.created_at from call_rows r where r.workspace_id = ${workspaceId} and r.id = ${rowId}) and
    (select coalesce(r.ended_at, now()) + interval '10 minutes' from call_rows r
      where r.workspace_id = ${workspaceId} and r.id = ${rowId})`;
}

/** A page of deliveries, newest first, with one more than asked for, and the way to their number. */
export async function listDeliveries(
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  { status, rowId }: DeliveryFilter,
): Promise<{ rows: DeliveryRow[]; count: () => Promise<number> }> {
  const after =
    page.after === undefined
      ? sql``
      : sql`and (t.created_at, t.id) < (select p.created_at, p.id from tasks p
              where p.workspace_id = ${workspaceId} and p.id = ${page.after})`;
  const ofCall = rowId === undefined ? sql`` : notifiedOfCall(workspaceId, rowId);
  // A literal, which the planner compares with the condition of the index tasks_undelivered.
  const inState = status === undefined ? sql`` : sql`and t.status = ${sql.lit(status)}`;
  const fits = sql`t.workspace_id = ${workspaceId} and ${KINDS} ${inState} ${ofCall}`;
  const rows = await all<DeliveryRow>(
    tx,
    // The ids are found first, so that the index alone is read of deliveries that a far page skips.
    sql`select ${COLUMNS} from tasks t
          left join session_webhooks h on h.workspace_id = t.workspace_id and h.id = t.subject_id
         where t.id = any(array(select t.id from tasks t where ${fits} ${after}
                                 order by t.created_at desc, t.id desc ${limitTo(page)}))
         order by t.created_at desc, t.id desc`,
  );
  return { rows, count: () => countOf(tx, sql`tasks t where ${fits}`) };
}

/** One delivery; locked for the change that follows if `isLocked`. */
export function findDelivery(
  tx: Executor,
  workspaceId: string,
  id: string,
  isLocked = false,
): Promise<DeliveryRow | undefined> {
  return first<DeliveryRow>(
    tx,
    sql`select ${COLUMNS} from tasks t
          left join session_webhooks h on h.workspace_id = t.workspace_id and h.id = t.subject_id
         where t.workspace_id = ${workspaceId} and t.id = ${id} and ${KINDS} ${isLocked ? sql`for update of t` : sql``}`,
  );
}

/** Place in the list of events: microseconds since 1970, as text, and the id of a delivery of that moment. */
export interface EventCursor {
  micros: string;
  id: string;
}

/** A delivery with its place in the list of events. */
export type EventRow = DeliveryRow & Pick<EventCursor, "micros">;

/**
 * Returns the moment before which no event can be stored any more, in microseconds since 1970: the start of the oldest
 * transaction, since events carry that of theirs. One that is open for more than ten seconds stores none.
 */
export async function findHorizon(db: Executor): Promise<string> {
  const row = await first<{ micros: string }>(
    db,
    sql`select (extract(epoch from greatest(now() - interval '10 s', least(now(), min(xact_start)))) * 1000000)
               ::bigint::text as micros
          from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return (row as { micros: string }).micros;
}

/** Returns deliveries after a place and before a horizon, oldest first. */
export function listEventsBetween(
  db: Executor,
  workspaceId: string,
  { kinds, from, horizon, limit }: { kinds: readonly string[]; from: EventCursor; horizon: string; limit: number },
): Promise<EventRow[]> {
  const at = (micros: string) => sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;
  return all(
    db,
    sql`select ${COLUMNS}, (extract(epoch from t.created_at) * 1000000)::bigint::text as micros
          from tasks t left join session_webhooks h on h.workspace_id = t.workspace_id and h.id = t.subject_id
         where t.workspace_id = ${workspaceId} and ${KINDS} and t.kind = any(${kinds}::text[])
           and (t.created_at, t.id) > (${at(from.micros)}, ${from.id}::uuid) and t.created_at < ${at(horizon)}
         order by t.created_at, t.id limit ${limit}`,
  );
}

/** Lists the attempts of a delivery, newest first. */
export function listAttempts(tx: Executor, workspaceId: string, id: string): Promise<AttemptRow[]> {
  return all<AttemptRow>(
    tx,
    sql`select * from webhook_attempts where workspace_id = ${workspaceId} and task_id = ${id} order by attempt desc`,
  );
}

/** Makes a delivery due now, even one that ended. Its attempts keep counting. */
export async function putDeliveryBack(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update tasks set status = 'PENDING', due_at = now(), finished_at = null
         where workspace_id = ${workspaceId} and id = ${id} and lease_owner is null`,
  );
}
