import { all, type Executor, sql } from "#src/db/database.ts";

/** Where an entry of the do-not-call ledger came from. STOP_KEYWORD: a stop word, which START takes back. */
type DoNotCallSource = "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";

/**
 * Writes numbers into a workspace's do-not-call ledger; effective on the very next claim, and on the next message.
 * Idempotent, but whatever else forbids a number outlasts the stop word that did before.
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
        on conflict (workspace_id, number) do update set source = excluded.source where d.source = 'STOP_KEYWORD'`,
  );
}

/** Whether a number is in a workspace's do-not-call ledger. */
export async function isOnDoNotCall(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(tx, sql`select 1 from do_not_call where workspace_id = ${workspaceId} and number = ${number}`);
  return rows.length > 0;
}

/** Writes down that a person sent a stop word; false when the number was in the ledger already. */
export async function noteStop(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into do_not_call (workspace_id, number, source) values (${workspaceId}, ${number}, 'STOP_KEYWORD')
        on conflict do nothing returning number`,
  );
  return rows.length > 0;
}

/** Takes back what a stop word wrote, and nothing that anybody else did; false when there is no such entry. */
export async function takeBackStop(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number} and source = 'STOP_KEYWORD'
        returning number`,
  );
  return rows.length > 0;
}
