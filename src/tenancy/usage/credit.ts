import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { DEFAULT_PRICES } from "./prices.ts";

/** Reason for which something that would bill is not done. */
export const CREDIT_USED_UP = "The workspace's credit is used up.";

/**
 * SQL expression: true when the workspace in this column has a credit limit and nothing left to spend, counting what its
 * calls on the line have come to. A workspace without a limit costs one look-up by key.
 */
export function creditUsedUpSql(workspaceId: string): string {
  return `exists (
    select 1 from usage_accounts a
     where a.workspace_id = ${workspaceId} and a.credit_limit is not null
       and a.topped_up + a.credit_limit <= a.billed + coalesce((
             select sum(d.amount) from usage_deltas d where d.workspace_id = a.workspace_id and not d.simulated), 0)
           + ${livePendingSql("a.workspace_id")})`;
}

/** True when a workspace has a credit limit and nothing left to spend. */
export async function isCreditUsedUp(tx: Executor, workspaceId: string): Promise<boolean> {
  const row = await first<{ used_up: boolean }>(
    tx,
    sql`select ${sql.raw(creditUsedUpSql("w.id"))} as used_up from workspaces w where w.id = ${workspaceId}`,
  );
  return row?.used_up ?? false;
}

/** SQL expression: the telephony cost so far of the calls of this workspace that bill it and are still on the line. */
export function livePendingSql(workspaceId: string): string {
  return `(
    select coalesce(sum(ceil(extract(epoch from now() - live.answered_at))), 0)
           * coalesce((select price.unit_price from prices price where price.workspace_id = ${workspaceId}
                        and price.kind = 'TELEPHONY_SECOND'), ${DEFAULT_PRICES.TELEPHONY_SECOND}::numeric)
      from call_attempts live join workspaces payer on payer.id = live.workspace_id
     where live.workspace_id = ${workspaceId} and live.ended_at is null and live.answered_at <= now()
       and payer.mode <> 'SANDBOX' and live.provider not in ('SANDBOX', 'WEB') and live.customer_number !~ '${FICTIONAL_PATTERN}')`;
}
