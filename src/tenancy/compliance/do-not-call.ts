import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Source of an entry in the do-not-call ledger. STOP_KEYWORD: a stop word, which START takes back. */
type DoNotCallSource = "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";

/**
 * Writes numbers into a workspace's do-not-call ledger, effective on the very next claim and message. Idempotent, with
 * two exceptions: any other source replaces a stop word, and a refusal replaces an operator's entry. An operator who
 * adds a number with a stop word makes it a refusal, and so no entry that an operator could take back.
 */
export async function addToDoNotCall(
  tx: Executor,
  workspaceId: string,
  numbers: string[],
  source: Exclude<DoNotCallSource, "STOP_KEYWORD">,
): Promise<void> {
  await all(
    tx,
    sql`insert into do_not_call as d (workspace_id, number, source)
        select ${workspaceId}, number, ${source} from unnest(${numbers}::text[]) as number
        on conflict (workspace_id, number) do update
          set source = case when excluded.source = 'OPERATOR' then 'SPOKEN_REFUSAL' else excluded.source end
          where d.source = 'STOP_KEYWORD' or (d.source = 'OPERATOR' and excluded.source = 'SPOKEN_REFUSAL')`,
  );
}

/** True when a number is in a workspace's do-not-call ledger. */
export async function isOnDoNotCall(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(tx, sql`select 1 from do_not_call where workspace_id = ${workspaceId} and number = ${number}`);
  return rows.length > 0;
}

/**
 * Records that a person sent a stop word; false when the number was in the ledger already. An operator's entry becomes
 * a refusal, which the operator can no longer take back.
 */
export async function noteStop(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all<{ is_new: boolean }>(
    tx,
    sql`insert into do_not_call as d (workspace_id, number, source) values (${workspaceId}, ${number}, 'STOP_KEYWORD')
        on conflict (workspace_id, number) do update set source = 'SPOKEN_REFUSAL' where d.source = 'OPERATOR'
        returning xmax = 0 as is_new`,
  );
  return rows[0]?.is_new === true;
}

/** Removes an entry of a stop word, and no other; false when there is no such entry. */
export async function takeBackStop(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number} and source = 'STOP_KEYWORD'
        returning number`,
  );
  return rows.length > 0;
}

/** Removes an operator's entry, and none of the person's own; false when there is no such entry. */
export async function takeBackOperator(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number} and source = 'OPERATOR'
        returning number`,
  );
  return rows.length > 0;
}
