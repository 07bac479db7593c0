import type pg from "pg";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";

/** Requests that are kept of each workspace. */
const KEPT = 10_000;

/** Days for which those are kept. */
export const KEPT_DAYS = 7;

export interface RequestRow {
  id: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  credential_id: string;
  credential_name: string | null;
  caller_kind: "API_KEY" | "OAUTH_CLIENT";
  address: string;
  request_id: string;
  skipped: number;
  created_at: Date;
}

/** Filter of a list of requests. */
export interface RequestFilter {
  status?: "OK" | "CLIENT_ERROR" | "SERVER_ERROR" | undefined;
  method?: string | undefined;
  credentialId?: string | undefined;
}

/** Returns a page of requests, newest first, with one more than asked for, and the way to their number. */
export async function listRequests(
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  { status, method, credentialId }: RequestFilter,
): Promise<{ rows: RequestRow[]; count: () => Promise<number> }> {
  const least = { OK: 0, CLIENT_ERROR: 400, SERVER_ERROR: 500 }[status ?? "OK"];
  const below = { OK: 400, CLIENT_ERROR: 500, SERVER_ERROR: 1000 }[status ?? "SERVER_ERROR"];
  const fits = sql`l.workspace_id = ${workspaceId} and l.status >= ${least} and l.status < ${below}
    and (${method ?? null}::text is null or l.method = ${method ?? null})
    and (${credentialId ?? null}::uuid is null or l.credential_id = ${credentialId ?? null})`;
  const rows = await all<RequestRow>(
    tx,
    sql`select l.*, c.name as credential_name
          from request_log l left join credentials c on c.workspace_id = l.workspace_id and c.id = l.credential_id
         where ${fits} and ${isBefore(page, "l.id")}
         order by l.id desc ${limitTo(page)}`,
  );
  return { rows, count: () => countOf(tx, sql`request_log l where ${fits}`) };
}

/** Workspaces per statement: finding the newest requests of each reads 10,000 entries of the key. */
const LOOKED_AT = 25;
/** Requests that one statement deletes. */
const BITE = 5_000;
/** Statements of one run that delete a full batch, and those that move on to further workspaces. */
const MOST_BITES = 20;
const MOST_LOOKS = 4;

/**
 * TRIM: takes the next workspaces in the order of their ids, and finds for each, once and by the key alone, the id of
 * the newest request that is not kept; then deletes the oldest requests up to it by their ctid. `materialized` keeps
 * the planner from finding that id anew for every request. Request ids follow time, so the id that a request of a week
 * ago would have bounds their age. $1 the last workspace of the statement before, $2 workspaces at most, $3 kept, $4
 * deleted at most.
 */
export const TRIM = `
with looked_at as materialized (
  select id from workspaces where id > $1 order by id limit $2
),
edges as materialized (
  select w.id, greatest(
      (select r.id from request_log r where r.workspace_id = w.id order by r.id desc offset $3 limit 1),
      (lpad(to_hex((extract(epoch from now() - interval '${KEPT_DAYS} days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid) as last
    from looked_at w
),
gone as (
  delete from request_log where ctid = any (array(
    select r.ctid from edges e cross join lateral (
      select r.ctid from request_log r where r.workspace_id = e.id and r.id <= e.last order by r.id limit $4) r
     limit $4))
  returning 1
)
select (select count(*)::int from gone) as deleted, (select id from looked_at order by id desc limit 1) as last`;

/**
 * Makes the task that deletes all but the newest requests of each workspace, and those older than a week, and returns
 * their number. A run continues where the one before ended, and reaches every workspace in turn: at most a hundred thousand requests, or a
 * hundred workspaces, a run.
 */
export function createRequestTrimmer(pool: pg.Pool): (signal: AbortSignal) => Promise<number> {
  let last = NIL_UUID;
  return async (signal) => {
    let trimmed = 0;
    for (let looks = 0, bites = 0; looks < MOST_LOOKS && bites < MOST_BITES && !signal.aborted;) {
      const found = await runBounded<{ deleted: number; last: string | null }>(pool, TRIM, [
        last,
        LOOKED_AT,
        KEPT,
        BITE,
      ]);
      const [row] = found.rows;
      trimmed += row?.deleted ?? 0;
      if (row?.deleted === BITE) {
        bites++;
        continue;
      }
      looks++;
      last = row?.last ?? NIL_UUID;
      if (last === NIL_UUID) break;
    }
    return trimmed;
  };
}
