import type pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { backfillSome } from "./backfill.ts";
import { type Contribution, contributionOf } from "./contribution.ts";
import { addSums, addValues, type Change, loadCalls, saveFacts, takeChanges, takeLock } from "./fold-store.ts";
import { Sums } from "./sums.ts";

/** Calls of one transaction. */
const BITE = 500;
/** Transactions of one run; the next run goes on. */
const MOST_BITES = 40;
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * Adds up the calls that ended or changed since the last run, each by taking out what it added before. A change and the
 * sums that follow from it commit together, so a crash neither loses nor repeats one. Once nothing is left, it goes on
 * with what is to be counted anew.
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
