import pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { backfillSome } from "./backfill.ts";
import { type Contribution, contributionOf } from "./contribution.ts";
import {
  addSums,
  addValues,
  type Change,
  leaveMeasured,
  loadCalls,
  saveFacts,
  takeChanges,
  takeLock,
} from "./fold-store.ts";
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
export async function foldResults(pool: pg.Pool, log: Log, signal?: AbortSignal): Promise<void> {
  for (let bites = 0; bites < MOST_BITES && !signal?.aborted; bites++) {
    const folded = await foldSome(pool, log);
    if (folded === null) return;
    if (folded < BITE && !(await backfillSome(pool))) return;
  }
}

/** Adds up the oldest changes; returns their number, or null while another process does so. */
async function foldSome(pool: pg.Pool, log: Log): Promise<number | null> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    if (!(await takeLock(client))) return null;
    const { taken, changes } = await takeChanges(client, BITE);
    if (taken > 0) await applyAll(client, changes, log);
    return taken;
  });
}

/**
 * Applies changes. Where one of them cannot be, it applies each half for itself, so that all others are; the one is
 * left as it was counted before, and is looked at again once its call changes.
 */
async function applyAll(client: pg.ClientBase, changes: Change[], log: Log): Promise<void> {
  await client.query("savepoint fold");
  try {
    await applyChanges(client, changes, log);
    await client.query("release savepoint fold");
  } catch (error) {
    if (!isOfRow(error)) throw error;
    await client.query("rollback to savepoint fold");
    await client.query("release savepoint fold");
    if (changes.length > 1) {
      const half = Math.ceil(changes.length / 2);
      await applyAll(client, changes.slice(0, half), log);
      await applyAll(client, changes.slice(half), log);
    } else await leave(client, changes, error, log);
  }
}

async function leave(client: pg.ClientBase, changes: Change[], error: unknown, log: Log): Promise<void> {
  await leaveMeasured(client, changes);
  for (const { workspace_id: workspaceId, row_id: callId } of changes) {
    const message = "A call cannot be added to the results: it stays as it was counted, until it changes again.";
    log.error(message, { workspaceId, callId, error: toError(error).message });
  }
}

/** True for an error that lies in what is stored of a call: a fault of this code, or a value that PostgreSQL refuses. */
function isOfRow(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^2[23]/.test(error.code ?? "");
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Calls that a line of the log names. */
const MOST_NAMED = 20;

async function applyChanges(client: pg.ClientBase, changes: Change[], log: Log): Promise<void> {
  const loaded = (await loadCalls(client, changes)).map((one) => ({ ...one, ...readFact(one.fact) }));
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
  const damaged = loaded.filter(({ isDamaged }) => isDamaged).map(({ row_id: callId }) => callId);
  if (damaged.length === 0) return;
  const message =
    "Values that calls added to the results cannot be read: they stay in the sums, and were written anew.";
  log.warn(message, { calls: damaged.length, callIds: damaged.slice(0, MOST_NAMED) });
}

/** Returns a stored fact; without values, and as damaged, where these are not what this code writes. */
function readFact(fact: Contribution | null): { fact: Contribution | null; isDamaged: boolean } {
  if (fact === null || fact.values === null) return { fact, isDamaged: false };
  const { fields, under } = fact.values as { fields?: unknown; under?: unknown };
  if (Array.isArray(fields) && Array.isArray(under)) return { fact, isDamaged: false };
  return { fact: { ...fact, values: null }, isDamaged: true };
}
