import type pg from "pg";
import { retryTransient } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { DEFAULT_CURRENCY, type UsageKind } from "./prices.ts";

const BITE = 20_000;

/** Batches of one run. The next run continues; every sum is exact meanwhile. */
const MOST_BITES = 20;

/**
 * Rolls up one batch of deltas. Several nodes may do so at once: each takes deltas that no other holds. Deltas are
 * deleted by their ctid, so the cost of a batch does not depend on how many wait. $1 deltas at most.
 */
const ROLL_UP = `
with taken as (
  delete from usage_deltas where ctid = any (array(
    select ctid from usage_deltas order by workspace_id, id limit $1 for update skip locked))
  returning workspace_id, day, kind, simulated, entries, quantity, amount
),
days as (
  insert into usage_days as u (workspace_id, day, kind, simulated, entries, quantity, amount)
  select workspace_id, day, kind, simulated, sum(entries), sum(quantity), sum(amount) from taken
   group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (workspace_id, day, kind, simulated) do update set entries = u.entries + excluded.entries,
    quantity = u.quantity + excluded.quantity, amount = u.amount + excluded.amount
),
accounts as (
  insert into usage_accounts as a (workspace_id, billed, simulated)
  select workspace_id, coalesce(sum(amount) filter (where not simulated), 0),
         coalesce(sum(amount) filter (where simulated), 0)
    from taken group by 1 order by 1
  on conflict (workspace_id) do update set billed = a.billed + excluded.billed,
    simulated = a.simulated + excluded.simulated, updated_at = now()
)
select t.kind, t.simulated, coalesce(a.currency, '${DEFAULT_CURRENCY}') as currency, count(*)::int as taken,
       sum(t.amount)::float8 as amount
  from taken t left join usage_accounts a on a.workspace_id = t.workspace_id group by 1, 2, 3`;

/** Sum of what a batch moved, over all workspaces. */
export interface RolledUp {
  kind: UsageKind;
  /** True for what the sandbox carried, which bills nothing. */
  simulated: boolean;
  currency: string;
  amount: number;
}

/**
 * Moves the sums of entries into the accounts and days, in statements that keep every sum exact throughout.
 * `onRolledUp` gets the sums of each batch after its commit.
 */
export async function rollUpUsage(
  pool: pg.Pool,
  signal?: AbortSignal,
  onRolledUp: (sums: RolledUp[]) => void = () => undefined,
): Promise<void> {
  for (let bites = 0; bites < MOST_BITES && !signal?.aborted; bites++) {
    const { rows } = await retryTransient(() => runBounded<RolledUp & { taken: number }>(pool, ROLL_UP, [BITE]));
    onRolledUp(rows);
    if (rows.reduce((sum, { taken }) => sum + taken, 0) < BITE) return;
  }
}
