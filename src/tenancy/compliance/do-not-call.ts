import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Where an entry of the do-not-call ledger came from. STOP_KEYWORD: a stop word, which START takes back. */
type DoNotCallSource = "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";

/**
 * Writes numbers into a workspace's do-not-call ledger; effective on the very next claim, and on the next message.
 * Idempotent, but whatever else forbids a number outlasts the stop word that did before, and what the person said
 * outlasts what an operator wrote: an operator who adds to a stop word makes no entry of their own that they could take back.
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

/** Whether a number is in a workspace's do-not-call ledger. */
export async function isOnDoNotCall(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(tx, sql`select 1 from do_not_call where workspace_id = ${workspaceId} and number = ${number}`);
  return rows.length > 0;
}

/**
 * Writes down that a person sent a stop word; false when the number was in the ledger already. An operator can no longer
 * take back what they wrote before.
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

/** Takes back what a stop word wrote, and nothing that anybody else did; false when there is no such entry. */
export async function takeBackStop(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number} and source = 'STOP_KEYWORD'
        returning number`,
  );
  return rows.length > 0;
}

/** Takes back what an operator wrote, and nothing that the person said; false when there is no such entry. */
export async function takeBackOperator(tx: Executor, workspaceId: string, number: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number} and source = 'OPERATOR'
        returning number`,
  );
  return rows.length > 0;
}
