import { type Executor, first, sql } from "#src/platform/db/database.ts";

/** A number to dial from, with its account if it has one. */
export interface PacedNumber {
  workspaceId: string;
  phoneNumberId: string;
  carrierAccountId: string | null;
}

/**
 * Result of a reservation: the call may be dialled after `waitMs`, or its row should be put off. `perSecond` is the
 * pace of the account, or that of a number without one; null: not paced.
 */
export type DialSlot = { waitMs: number; perSecond: number | null } | { putOffMs: number };

/**
 * Milliseconds by which a number that is slower than its account may run ahead of it. With more, the account's other
 * numbers would wait for unused slots.
 */
const GAP_MS = 250;
/** Shortest span, in milliseconds, over which postponed rows return. */
const SPREAD_MS = 1_000;

/**
 * Reserves the next slot of a number and of its account in one statement. Both rows are locked meanwhile and the
 * database's clock decides, so all nodes together keep the pace exactly. A slot more than `maxWaitMs` away is not
 * taken. The row is then put off by a random time, so that the rows do not all return at once.
 */
export async function reserveDial(
  { db }: { db: Executor },
  { workspaceId, phoneNumberId, carrierAccountId }: PacedNumber,
  maxWaitMs: number,
): Promise<DialSlot> {
  const slot = await first<{ wait_ms: number; is_taken: boolean; per_second: number }>(
    db,
    sql`with account as materialized (
          select id, calls_per_second as pace, next_dial_at from carrier_accounts
           where workspace_id = ${workspaceId} and id = ${carrierAccountId}::uuid for no key update
        ),
        number as materialized (
          select p.id, p.calls_per_second as pace, p.next_dial_at
            from phone_numbers p left join account on true
           where p.workspace_id = ${workspaceId} and p.id = ${phoneNumberId}::uuid
             and (p.calls_per_second is not null or account.id is not null) for no key update of p
        ),
        free as materialized (
          select n.id, a.id as account_id, n.pace, a.pace as account_pace, t.now,
                 greatest(t.now, n.next_dial_at) as number_at,
                 greatest(t.now, coalesce(a.next_dial_at, n.next_dial_at)) as account_at
            from number n left join account a on true
                 cross join lateral (select n.id, clock_timestamp() as now) t
        ),
        slot as materialized (
          select *, greatest(number_at, account_at) as at,
                 extract(epoch from greatest(number_at, account_at) - now)::float8 * 1000 as wait_ms,
                 greatest(number_at, account_at) <= now + ${maxWaitMs} * interval '1 ms'
                   and (account_id is null or number_at <= account_at + ${GAP_MS} * interval '1 ms') as is_taken
            from free
        ),
        of_account as (
          update carrier_accounts a set next_dial_at = s.at + interval '1 second' / s.account_pace::float8
            from slot s where a.workspace_id = ${workspaceId} and a.id = s.account_id and s.is_taken
        ),
        of_number as (
          update phone_numbers p
             set next_dial_at = s.at + interval '1 second' / coalesce(s.pace, s.account_pace)::float8
            from slot s where p.workspace_id = ${workspaceId} and p.id = s.id and s.is_taken
        )
        select wait_ms, is_taken, coalesce(account_pace, pace)::float8 as per_second from slot`,
  );
  if (!slot) return { waitMs: 0, perSecond: null };
  if (slot.is_taken) return { waitMs: Math.ceil(Math.max(0, slot.wait_ms)), perSecond: slot.per_second };
  return { putOffMs: Math.ceil(slot.wait_ms + Math.random() * Math.max(SPREAD_MS, slot.wait_ms)) };
}
