import { all, type Executor, first, NOT_FLUSHED, sql } from "#src/platform/db/database.ts";

/** A host that receives webhooks of a workspace. */
export interface Receiver {
  workspaceId: string;
  /** Host and port. */
  endpoint: string;
}

/** Number of failures in a row, over LEAST_FAILING or longer, after which a receiver rests. */
const LEAST_FAILURES = 10;
const LEAST_FAILING = sql.lit("60 seconds");
/** Time between two attempts to find out whether a receiver is back. */
const REST = sql.lit("60 seconds");

/**
 * Returns true while a receiver rests. After the rest, the first caller is let through, and the rest begins again for
 * the others until the answer is known.
 */
export async function isResting(db: Executor, { workspaceId, endpoint }: Receiver): Promise<boolean> {
  const failing = sql`workspace_id = ${workspaceId} and endpoint = ${endpoint} and failures >= ${LEAST_FAILURES}
    and failing_since < now() - ${LEAST_FAILING}::interval`;
  const found = await first<{ rests: boolean }>(
    db,
    sql`with probe as (
          update webhook_receivers set rests_until = now() + ${REST}::interval where ${failing} and rests_until <= now()
          returning 1)
        select not exists (select 1 from probe)
               and exists (select 1 from webhook_receivers where ${failing}) as rests`,
  );
  return found?.rests ?? false;
}

/**
 * Records how a receiver answered. Any answer below 500 shows that it is up, and ends its rest; true when it may have
 * rested until now. A crash loses less than a second of counted failures.
 */
export async function noteAnswer(
  db: Executor,
  { workspaceId, endpoint }: Receiver,
  isThere: boolean,
): Promise<boolean> {
  const [row] = await all<{ failures: number }>(
    db,
    isThere
      ? sql`delete from webhook_receivers where workspace_id = ${workspaceId} and endpoint = ${endpoint}
             returning failures`
      : sql`with ${sql.raw(NOT_FLUSHED)}
            insert into webhook_receivers as r (workspace_id, endpoint, failures)
            select ${workspaceId}::uuid, ${endpoint}, 1 from not_flushed
            on conflict (workspace_id, endpoint) do update set failures = r.failures + 1 returning failures`,
  );
  return isThere && row !== undefined && row.failures >= LEAST_FAILURES;
}

/** Ends the rests of a workspace's receivers, because somebody asked for a delivery to be tried now. */
export async function endRests(tx: Executor, workspaceId: string): Promise<void> {
  await all(tx, sql`delete from webhook_receivers where workspace_id = ${workspaceId}`);
}
