import type pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { type Contribution, contributionOf } from "./contribution.ts";
import { addSums, addValues, type Change, loadCalls, saveFacts, takeChanges } from "./fold-store.ts";
import { Sums } from "./sums.ts";

/** Calls of one transaction. */
const BITE = 500;
/** Transactions of one run; the next run goes on. */
const MOST_BITES = 40;
/** Calls of earlier versions that are put on the list of changes at a time. */
const BACKFILL_BITE = 2_000;
const STATEMENT_TIMEOUT_MS = 15_000;

/** Name of the lock that one pass at a time holds, so that no two change the same sums. */
const LOCK = "results.fold";

/**
 * Adds up the calls that ended or changed since the last run, each by taking out what it added before. A change and the
 * sums that follow from it commit together, so a crash neither loses nor repeats one. Once nothing is left, it puts
 * calls of earlier versions on the list, in the order of their keys, until all were.
 */
export async function foldResults(pool: pg.Pool, signal?: AbortSignal): Promise<void> {
  for (let bites = 0; bites < MOST_BITES && !signal?.aborted; bites++) {
    const folded = await foldSome(pool);
    if (folded === null) return;
    if (folded < BITE && !(await backfillSome(pool))) return;
  }
}

/** Adds up the oldest changes; returns their number, or null while another process does so. */
async function foldSome(pool: pg.Pool): Promise<number | null> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    if (!(await takeLock(client))) return null;
    const { taken, changes } = await takeChanges(client, BITE);
    if (taken > 0) await applyChanges(client, changes);
    return taken;
  });
}

async function takeLock(client: pg.ClientBase): Promise<boolean> {
  const found = await client.query<{ held: boolean }>("select pg_try_advisory_xact_lock(hashtext($1)) as held", [LOCK]);
  return found.rows[0]?.held === true;
}

async function applyChanges(client: pg.ClientBase, changes: Change[]): Promise<void> {
  const loaded = await loadCalls(client, changes);
  const sums = new Sums();
  const fresh = new Map<string, Contribution>();
  for (const { workspace_id, row_id, call, fact } of loaded) {
    if (fact) sums.remove(workspace_id, fact);
    if (!call) continue;
    const contribution = contributionOf(call, fact);
    if (contribution.sums.length > 0) fresh.set(`${workspace_id}|${row_id}`, contribution);
  }
  await sums.add(client, fresh);
  await addSums(client, sums.sumRows);
  await addValues(client, sums.valueRows);
  await saveFacts(client, loaded, fresh);
}

/** Puts calls of earlier versions on the list; false when all have been. */
async function backfillSome(pool: pg.Pool): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const found = await client.query<{ left: boolean }>(BACKFILL, [BACKFILL_BITE]);
    if (found.rows[0]?.left === true) return true;
    return (await client.query(UNMEASURED, [BACKFILL_BITE])).rowCount !== 0;
  });
}

/** Puts calls on the list that a version without measures has added up. */
const UNMEASURED = `
insert into result_changes (workspace_id, row_id)
select workspace_id, row_id from call_facts where cost is null order by workspace_id, row_id limit $1`;

const BACKFILL = `
with place as materialized (
  select workspace_id, row_id from result_backfill where not is_done for update skip locked
),
found as materialized (
  select r.workspace_id, r.id, r.ended_at, r.attempts_made from place p cross join lateral (
    select r.workspace_id, r.id, r.ended_at, r.attempts_made from call_rows r
     where (r.workspace_id, r.id) > (p.workspace_id, p.row_id) order by r.workspace_id, r.id limit $1) r
),
noted as (
  insert into result_changes (workspace_id, row_id)
  select workspace_id, id from found where ended_at is not null or attempts_made > 0
),
moved as (
  update result_backfill b
     set workspace_id = coalesce(l.workspace_id, b.workspace_id), row_id = coalesce(l.id, b.row_id), is_done = l.id is null
    from place p left join lateral (select workspace_id, id from found order by workspace_id desc, id desc limit 1) l on true
  returning b.is_done
)
select not is_done as left from moved`;
