import { all, type Executor, sql } from "#src/db/database.ts";

/** Where an entry of the do-not-call ledger came from. */
export type DoNotCallSource = "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";

/** Writes numbers into a workspace's do-not-call ledger; effective on the very next claim. Idempotent. */
export async function addToDoNotCall(
  tx: Executor,
  workspaceId: string,
  numbers: string[],
  source: DoNotCallSource,
): Promise<void> {
  await all(
    tx,
    sql`insert into do_not_call (workspace_id, number, source)
        select ${workspaceId}, number, ${source} from unnest(${numbers}::text[]) as number
        on conflict do nothing`,
  );
}
