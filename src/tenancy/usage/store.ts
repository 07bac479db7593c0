import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";
import { livePendingSql } from "./credit.ts";
import { DEFAULT_CURRENCY, type UsageKind } from "./prices.ts";

/** An account with everything written so far; decimals are texts. */
export interface AccountRow {
  currency: string;
  credit_limit: string | null;
  low_balance_threshold: string | null;
  topped_up: string;
  billed: string;
  simulated: string;
  balance: string;
  available_credit: string | null;
  is_low: boolean;
  pending: string;
  as_of: Date;
}

/** Reads the account of a workspace in one statement, so that rolled-up and other amounts are of the same moment. */
export async function readAccount(tx: Executor, workspaceId: string): Promise<AccountRow> {
  const row = await first<AccountRow>(
    tx,
    sql`with account as (
          select coalesce(a.currency, ${DEFAULT_CURRENCY}) as currency, a.credit_limit, a.low_balance_threshold,
                 coalesce(a.topped_up, 0) as topped_up, coalesce(a.billed, 0) + d.billed as billed,
                 coalesce(a.simulated, 0) + d.simulated as simulated, ${sql.raw(livePendingSql("q.id"))} as pending
            from (select ${workspaceId}::uuid as id) q
           cross join (select coalesce(sum(amount) filter (where not simulated), 0) as billed,
                         coalesce(sum(amount) filter (where simulated), 0) as simulated
                    from usage_deltas where workspace_id = ${workspaceId}) d
            left join usage_accounts a on a.workspace_id = q.id
        )
        select *, topped_up - billed as balance, topped_up - billed + credit_limit - pending as available_credit,
               coalesce(topped_up - billed < low_balance_threshold, false) as is_low, now() as as_of
          from account`,
  );
  return row as AccountRow;
}

/** Locks the account's own row for the change that follows, and creates it if need be. */
export async function lockAccount(tx: Executor, workspaceId: string): Promise<{ currency: string }> {
  await all(tx, sql`insert into usage_accounts (workspace_id) values (${workspaceId}) on conflict do nothing`);
  const row = await first<{ currency: string }>(
    tx,
    sql`select currency from usage_accounts where workspace_id = ${workspaceId} for update`,
  );
  return row as { currency: string };
}

/** True when amounts were written in the account's currency. */
export async function hasAmounts(tx: Executor, workspaceId: string): Promise<boolean> {
  const row = await first<{ any: boolean }>(
    tx,
    sql`select exists (select 1 from usage_entries where workspace_id = ${workspaceId})
            or exists (select 1 from usage_days where workspace_id = ${workspaceId})
            or exists (select 1 from top_ups where workspace_id = ${workspaceId}) as any`,
  );
  return row?.any ?? false;
}

/** Writes settings of a locked account; undefined leaves a setting unchanged. */
export async function updateAccount(
  tx: Executor,
  workspaceId: string,
  change: {
    currency: string | undefined;
    creditLimit: string | null | undefined;
    lowBalanceThreshold: string | null | undefined;
  },
): Promise<void> {
  const { currency, creditLimit, lowBalanceThreshold } = change;
  await all(
    tx,
    sql`update usage_accounts set currency = coalesce(${currency ?? null}, currency),
          credit_limit = case when ${creditLimit !== undefined}::boolean then ${creditLimit ?? null}::numeric else credit_limit end,
          low_balance_threshold = case when ${lowBalanceThreshold !== undefined}::boolean
            then ${lowBalanceThreshold ?? null}::numeric else low_balance_threshold end,
          updated_at = now()
        where workspace_id = ${workspaceId}`,
  );
}

/** Adds a top-up to a locked account; false when its reference was used before. */
export async function insertTopUp(
  tx: Executor,
  workspaceId: string,
  topUp: { id: string; amount: string; note: string | null; reference: string | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`with added as (
          insert into top_ups (workspace_id, id, amount, note, reference)
          values (${workspaceId}, ${topUp.id}, ${topUp.amount}::numeric, ${topUp.note}, ${topUp.reference})
          on conflict (workspace_id, reference) where reference is not null do nothing returning amount
        )
        update usage_accounts a set topped_up = a.topped_up + added.amount, updated_at = now()
          from added where a.workspace_id = ${workspaceId} returning a.workspace_id`,
  );
  return rows.length > 0;
}

export interface TopUpRow {
  id: string;
  amount: string;
  note: string | null;
  reference: string | null;
  created_at: Date;
}

/** The latest top-ups, the newest first. */
export function listTopUps(tx: Executor, workspaceId: string, limit: number): Promise<TopUpRow[]> {
  return all<TopUpRow>(
    tx,
    sql`select * from top_ups where workspace_id = ${workspaceId} order by id desc limit ${limit}`,
  );
}

/** Prices that the operator set. */
export function listPrices(tx: Executor, workspaceId: string): Promise<{ kind: UsageKind; unit_price: string }[]> {
  return all(tx, sql`select kind, unit_price from prices where workspace_id = ${workspaceId}`);
}

/** Sets a price, or with null resets it to the default. */
export async function savePrice(
  tx: Executor,
  workspaceId: string,
  kind: UsageKind,
  price: string | null,
): Promise<void> {
  await all(
    tx,
    price === null
      ? sql`delete from prices where workspace_id = ${workspaceId} and kind = ${kind}`
      : sql`insert into prices (workspace_id, kind, unit_price) values (${workspaceId}, ${kind}, ${price}::numeric)
            on conflict (workspace_id, kind) do update set unit_price = excluded.unit_price`,
  );
}

export interface EntryRow {
  id: string;
  kind: UsageKind;
  quantity: string;
  unit_price: string;
  amount: string;
  simulated: boolean;
  subject_type: "CALL" | "CHAT" | "TRANSCRIPTION";
  subject_id: string;
  created_at: Date;
}

/** Filter of a list of entries. */
export interface EntryFilter {
  from?: string | undefined;
  to?: string | undefined;
  kind?: string | undefined;
  subjectId?: string | undefined;
}

/** An entry is numbered at the end of its call, and stored at once, or when an outage of the database is over. */
const GRACE_MS = 86_400_000;
const idNear = (moment: string, graceMs: number) => lowestIdAt(Date.parse(moment) + graceMs);

function conditions(workspaceId: string, filter: EntryFilter): RawBuilder<unknown> {
  const parts = [sql`workspace_id = ${workspaceId}`];
  // The ids bound the entries of the workspace, so that those of all workspaces of that time are not read besides.
  if (filter.from)
    parts.push(sql`created_at >= ${filter.from}::timestamptz and id >= ${idNear(filter.from, -GRACE_MS)}`);
  if (filter.to) parts.push(sql`created_at < ${filter.to}::timestamptz and id < ${idNear(filter.to, GRACE_MS)}`);
  if (filter.kind) parts.push(sql`kind = ${filter.kind}`);
  if (filter.subjectId) parts.push(sql`subject_id = ${filter.subjectId}::uuid`);
  return sql.join(parts, sql` and `);
}

/**
 * False for a kind that the sums of days have not. No index leads to the entries of a kind: those of calls are frequent,
 * and one that never occurs would be looked for among all.
 */
async function mayHave(tx: Executor, workspaceId: string, { kind, subjectId }: EntryFilter): Promise<boolean> {
  if (!kind || subjectId) return true;
  const row = await first(
    tx,
    sql`select from usage_days where workspace_id = ${workspaceId} and kind = ${kind}
        union all select from usage_deltas where workspace_id = ${workspaceId} and kind = ${kind} limit 1`,
  );
  return row !== undefined;
}

/** A page of entries with one more than asked for, newest first. */
export async function listEntries(
  tx: Executor,
  workspaceId: string,
  filter: EntryFilter,
  page: PageRequest,
): Promise<EntryRow[]> {
  if (!(await mayHave(tx, workspaceId, filter))) return [];
  return all(
    tx,
    // The ids are found first, so that the index alone is read of entries that a far page skips.
    sql`select u.* from (select id from usage_entries where ${conditions(workspaceId, filter)} and ${isBefore(page)}
        order by id desc ${limitTo(page)}) found
        join usage_entries u on u.workspace_id = ${workspaceId} and u.id = found.id order by u.id desc`,
  );
}

/** Counts the entries that match a filter. */
export async function countEntries(tx: Executor, workspaceId: string, filter: EntryFilter): Promise<number> {
  if (!(await mayHave(tx, workspaceId, filter))) return 0;
  return countOf(tx, sql`usage_entries where ${conditions(workspaceId, filter)}`);
}

export interface DayRow {
  day: string;
  kind: UsageKind;
  simulated: boolean;
  entries: number;
  quantity: string;
  amount: string;
  /** Total of all the days together, the same in each row. */
  total_billed: string;
  total_simulated: string;
}

/** Sums usage by day and kind, both days included. */
export function sumDays(tx: Executor, workspaceId: string, from: string, to: string): Promise<DayRow[]> {
  return all(
    tx,
    sql`select to_char(day, 'YYYY-MM-DD') as day, kind, simulated, sum(entries)::bigint as entries,
               sum(quantity) as quantity, sum(amount) as amount,
               coalesce(sum(sum(amount)) filter (where not simulated) over (), 0) as total_billed,
               coalesce(sum(sum(amount)) filter (where simulated) over (), 0) as total_simulated
          from (select workspace_id, day, kind, simulated, entries, quantity, amount from usage_days
                union all
                select workspace_id, day, kind, simulated, entries, quantity, amount from usage_deltas) u
         where workspace_id = ${workspaceId} and day between ${from}::date and ${to}::date
         group by day, kind, simulated order by day, kind, simulated`,
  );
}
