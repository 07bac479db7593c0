import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, MOST_COUNTED, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { timeOfUuid } from "#src/platform/kernel/id.ts";
import { livePendingSql } from "./credit.ts";
import { DEFAULT_CURRENCY, USAGE_KINDS, type UsageKind } from "./prices.ts";

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

/** True for entries that an index finds by their kinds and times; those of a subject are few. */
const isByTime = ({ from, to, kind, subjectId }: EntryFilter) => !subjectId && Boolean(from ?? to ?? kind);

function conditions(workspaceId: string, { from, to, kind, subjectId }: EntryFilter): RawBuilder<unknown> {
  const parts = [sql`workspace_id = ${workspaceId}`];
  if (from) parts.push(sql`created_at >= ${from}::timestamptz`);
  if (to) parts.push(sql`created_at < ${to}::timestamptz`);
  if (kind) parts.push(sql`kind = ${kind}`);
  if (subjectId) parts.push(sql`subject_id = ${subjectId}::uuid`);
  return sql.join(parts, sql` and `);
}

/** The entries e of each kind that match a filter without a subject, with `rest`. */
function ofKinds(workspaceId: string, { kind, ...times }: EntryFilter, rest: RawBuilder<unknown>) {
  return sql`unnest(${kind ? [kind] : USAGE_KINDS}::text[]) k(kind) cross join lateral (
    select id, created_at from usage_entries where ${conditions(workspaceId, times)} and kind = k.kind ${rest}) e`;
}

/** Condition of the entries that are older than the last of the page before, which may be past its retention. */
function isOlder(workspaceId: string, { after }: PageRequest) {
  if (after === undefined) return sql`true`;
  return sql`(created_at, id) < (coalesce(
    (select created_at from usage_entries where workspace_id = ${workspaceId} and id = ${after}),
    ${new Date(timeOfUuid(after))}), ${after}::uuid)`;
}

const found = (workspaceId: string, filter: EntryFilter, page: PageRequest) =>
  isByTime(filter)
    ? sql`select id from ${ofKinds(
        workspaceId,
        filter,
        sql`and ${isOlder(workspaceId, page)} order by created_at desc, id desc
              limit ${page.size + 1 + (page.after === undefined ? page.page * page.size : 0)}`,
      )} order by created_at desc, id desc ${limitTo(page)}`
    : sql`select id from usage_entries where ${conditions(workspaceId, filter)} and ${isBefore(page)}
           order by id desc ${limitTo(page)}`;

/** A page of entries with one more than asked for, newest first. */
export function listEntries(
  tx: Executor,
  workspaceId: string,
  filter: EntryFilter,
  page: PageRequest,
): Promise<EntryRow[]> {
  const newest = isByTime(filter) ? sql`u.created_at desc, u.id desc` : sql`u.id desc`;
  return all(
    tx,
    // The ids are found first, so that the index alone is read of entries that a far page skips.
    sql`select u.* from (${found(workspaceId, filter, page)}) found
        join usage_entries u on u.workspace_id = ${workspaceId} and u.id = found.id order by ${newest}`,
  );
}

/** Counts the entries that match a filter. */
export function countEntries(tx: Executor, workspaceId: string, filter: EntryFilter): Promise<number> {
  if (!isByTime(filter)) return countOf(tx, sql`usage_entries where ${conditions(workspaceId, filter)}`);
  // In the order of the index, which the planner would else leave for a look at all entries of the workspace.
  return countOf(tx, ofKinds(workspaceId, filter, sql`order by created_at desc limit ${MOST_COUNTED + 1}`));
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
