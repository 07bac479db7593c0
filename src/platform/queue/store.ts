import pg from "pg";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";

export interface TaskRow {
  id: string;
  workspace_id: string;
  kind: string;
  subject_id: string;
  payload: Record<string, unknown>;
  attempt: number;
  created_at: Date;
  /** Moment at which it was due, as PostgreSQL writes it: who frees a lease changes it, so it tells runs apart. */
  due: string;
}

/** Puts a task into the outbox, in the caller's transaction. */
export async function insertTask(
  tx: Executor,
  workspaceId: string,
  task: { id: string; kind: string; subjectId: string; payload: Record<string, unknown>; dueAt?: Date },
): Promise<void> {
  await all(
    tx,
    sql`insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
        values (${task.id}, ${workspaceId}, ${task.kind}, ${task.subjectId}, ${toStorableJson(task.payload)},
                coalesce(${task.dueAt ?? null}, now()))`,
  );
}

/** True when a task of a kind was added to a subject after the given one, with these members in its payload. */
export async function findYounger(
  db: Executor,
  workspaceId: string,
  { id, subjectId, kind, having }: { id: string; subjectId: string; kind: string; having: object },
): Promise<boolean> {
  const found = await first(
    db,
    sql`select 1 from tasks where workspace_id = ${workspaceId} and subject_id = ${subjectId} and kind = ${kind}
           and id > ${id} and payload::jsonb @> ${JSON.stringify(having)}::jsonb limit 1`,
  );
  return found !== undefined;
}

/** Makes waiting tasks due now. */
export async function hasten(tx: Executor, workspaceId: string, kind: string, subjectIds: string[]): Promise<void> {
  await all(
    tx,
    sql`update tasks set due_at = now()
        where workspace_id = ${workspaceId} and kind = ${kind} and subject_id = any(${subjectIds}::uuid[])
          and status = 'PENDING' and due_at > now()`,
  );
}

/**
 * The most tasks that one statement makes due, and the most statements of one call; the rest becomes due at its own
 * time.
 */
const HASTENED = 1_000;
const MOST_BITES = 20;

/** Makes tasks due now that were postponed with this error and have the kind and receiver of the given one. */
export async function hastenReceiver(db: Executor, workspaceId: string, id: string, error: string): Promise<void> {
  for (let bites = 0; bites < MOST_BITES; bites++) {
    const made = await all(
      db,
      sql`update tasks set due_at = now(), last_error = null where id in (
            select t.id from tasks t join tasks o on o.workspace_id = ${workspaceId} and o.id = ${id}
             where t.kind = o.kind and t.workspace_id = o.workspace_id and t.endpoint = o.endpoint
               and t.status = 'PENDING' and t.due_at > now() and t.last_error = ${error}
             order by t.due_at, t.id limit ${HASTENED} for update of t skip locked)
          returning id`,
    );
    if (made.length < HASTENED) return;
  }
}

/** The most tasks that a claim takes. */
export interface ClaimLimits {
  /** Tasks in all. */
  free: number;
  /** Tasks of one workspace, including those that this node runs already. */
  perWorkspace: number;
  /** Tasks to one receiver of a workspace, including those that this node runs already. */
  perEndpoint: number;
}

/**
 * The task of kind `k` that is due first. Its `order by` makes it a single index look-up. For a mere existence check,
 * PostgreSQL may join with the whole table instead, and does where a random page costs four times a sequential one, as
 * is usual.
 */
const ONE_DUE = `
select 1 from tasks t where t.kind = k.kind and t.status = 'PENDING' and t.due_at <= now() order by t.due_at limit 1`;

/**
 * CLAIM of tasks. `heads` walks the index from one pair of workspace and receiver to the next, so a workspace costs the
 * same whether one of its tasks waits or a million. The walk skips the other receivers of a workspace that has all its
 * slots. For each head the oldest due tasks are candidates, as many as its limits leave. Candidates are taken in turns,
 * the first of every workspace before the second of any, counting those that run here. When nothing of a kind is due, a
 * single look-up finds that out. The kinds stand in the text: of a parameter the planner expects ten, and would plan each
 * claim anew, which took longer than the claim. $1 node, $2 tasks in all, $3 of a workspace, $4 to a receiver.
 */
const claimSql = (kinds: string) => `
with recursive kinds as materialized (
  select k.kind from unnest(${kinds}) as k(kind) cross join lateral (${ONE_DUE}) d
   where exists (select 1 from nodes where id = $1 and alive_until > now())
),
running as materialized (
  select workspace_id, endpoint, count(*)::int as n from tasks where lease_owner = $1 and kind = any (${kinds}) group by 1, 2
),
full_ones as materialized (select workspace_id from running group by 1 having sum(n) >= $3::int),
heads as (
  select k.kind, h.workspace_id, h.endpoint
    from kinds k cross join lateral (
      select t.workspace_id, t.endpoint from tasks t where t.kind = k.kind and t.status = 'PENDING'
       order by t.workspace_id, t.endpoint limit 1) h
  union all
  select p.kind, h.workspace_id, h.endpoint
    from heads p cross join lateral (
      (select t.workspace_id, t.endpoint from tasks t
        where t.kind = p.kind and t.status = 'PENDING' and t.workspace_id = p.workspace_id and t.endpoint > p.endpoint
          and p.workspace_id not in (select workspace_id from full_ones)
        order by t.endpoint limit 1)
      union all
      (select t.workspace_id, t.endpoint from tasks t
        where t.kind = p.kind and t.status = 'PENDING' and t.workspace_id > p.workspace_id
        order by t.workspace_id, t.endpoint limit 1)
      limit 1) h
),
candidates as materialized (
  select c.id, c.due_at, h.workspace_id, c.turn
    from heads h
    left join running r on r.workspace_id = h.workspace_id and r.endpoint = h.endpoint
   cross join lateral (
      select t.id, t.due_at, row_number() over (order by t.due_at, t.id) as turn from tasks t
       where t.kind = h.kind and t.workspace_id = h.workspace_id and t.endpoint = h.endpoint
         and t.status = 'PENDING' and t.due_at <= now()
       order by t.due_at, t.id
       limit greatest(0, least($2::int, case when h.endpoint = '' then $3::int else $4::int - coalesce(r.n, 0) end))) c
),
picked as materialized (
  select id from (
    select c.id, c.due_at,
           row_number() over (partition by c.workspace_id order by c.turn, c.due_at, c.id)
             + coalesce((select sum(r.n) from running r where r.workspace_id = c.workspace_id), 0) as turn
      from candidates c) ranked
   where turn <= $3::int order by turn, due_at, id limit $2::int
)
update tasks set status = 'RUNNING', lease_owner = $1, attempt = attempt + 1
 where id in (select t.id from tasks t where t.id = any (array(select id from picked)) and t.status = 'PENDING'
                 for update skip locked)
returning id, workspace_id, kind, subject_id, payload, attempt, created_at, due_at::text as due`;

/** Statement that claims tasks of some kinds. */
export interface ClaimStatement {
  name: string;
  text: string;
}

/** Returns the statement that claims tasks of these kinds; no other list begins with the same one. */
export function claimStatement(kinds: readonly string[]): ClaimStatement {
  const listed = kinds.map((kind) => pg.escapeLiteral(kind)).join(", ");
  return { name: `claim-tasks ${kinds[0]}`, text: claimSql(`array[${listed}]::text[]`) };
}

/** Kinds that have a due task, and the milliseconds until the first task of any other kind is due, if there is one. */
export interface DueTasks {
  kinds: ReadonlySet<string>;
  nextMs: number | null;
}

/** Returns what is due of these kinds, and when the next task of them will be. */
export async function findDue(pool: pg.Pool, kinds: readonly string[]): Promise<DueTasks> {
  const found = await pool.query<{ kind: string; in_ms: number }>({
    name: "due-tasks",
    text: `select k.kind, (extract(epoch from d.due_at - now()) * 1000)::float8 as in_ms
             from unnest($1::text[]) as k(kind)
             cross join lateral (select t.due_at from tasks t where t.kind = k.kind and t.status = 'PENDING'
                                  order by t.due_at limit 1) d`,
    values: [kinds],
  });
  const later = found.rows.filter((row) => row.in_ms > 0).map((row) => row.in_ms);
  return {
    kinds: new Set(found.rows.filter((row) => row.in_ms <= 0).map(({ kind }) => kind)),
    nextMs: later.length > 0 ? Math.min(...later) : null,
  };
}

/** Leases due tasks of the statement's kinds to a node that is alive, taking turns by workspace. */
export async function claimTasks(
  pool: Pick<pg.Pool, "query">,
  nodeId: string,
  statement: ClaimStatement,
  { free, perWorkspace, perEndpoint }: ClaimLimits,
): Promise<TaskRow[]> {
  const found = await pool.query<TaskRow>({ ...statement, values: [nodeId, free, perWorkspace, perEndpoint] });
  return found.rows;
}

/**
 * Ends a run of a task, or puts the task back for later. Changes nothing when the run was taken over, or when its end is
 * stored already.
 */
export async function endTask(
  db: Executor,
  { id, due }: Pick<TaskRow, "id" | "due">,
  end: { status: "DONE" | "DEAD" | "PENDING"; retryMs: number; error: string | null; isCounted: boolean },
): Promise<void> {
  await all(
    db,
    sql`update tasks set status = ${end.status}, lease_owner = null, last_error = ${end.error},
          due_at = now() + make_interval(secs => ${end.retryMs / 1000}),
          attempt = attempt - ${end.isCounted ? 0 : 1}::integer,
          finished_at = case when ${end.status} = 'PENDING' then null else now() end
        where id = ${id} and status = 'RUNNING' and due_at = ${due}::timestamptz`,
  );
}

/**
 * Frees tasks of these kinds that a node has leased and does not run: the answer to their claim was lost. `held` are the
 * ids of those that it does run. No claim of these kinds may be under way.
 */
export async function freeLost(pool: pg.Pool, nodeId: string, kinds: string[], held: string[]): Promise<void> {
  await pool.query({
    name: "free-lost-tasks",
    text: `update tasks set status = 'PENDING', lease_owner = null, due_at = now()
            where id in (select id from tasks where lease_owner = $1 and kind = any ($2) and id <> all ($3::uuid[])
                          limit 500 for update skip locked)`,
    values: [nodeId, kinds, held],
  });
}

/** Frees the tasks of nodes whose heartbeat stopped. In the order of the index of leased ones, so that it is read on any plan. */
export async function reapTasks(db: Executor): Promise<number> {
  const rows = await all(
    db,
    sql`update tasks set status = 'PENDING', lease_owner = null, due_at = now()
        where id in (select t.id from tasks t left join nodes n on n.id = t.lease_owner
                     where t.lease_owner is not null and coalesce(n.alive_until, '-infinity') < now()
                     order by t.lease_owner limit 500 for update of t skip locked)
        returning id`,
  );
  return rows.length;
}
