/**
 * SQL expression: true when the workspace in this column has a credit limit and nothing left to spend. A workspace
 * without a limit costs one look-up by key.
 */
export function creditUsedUpSql(workspaceId: string): string {
  return `exists (
    select 1 from usage_accounts a
     where a.workspace_id = ${workspaceId} and a.credit_limit is not null
       and a.topped_up + a.credit_limit <= a.billed + coalesce((
             select sum(d.amount) from usage_deltas d where d.workspace_id = a.workspace_id and not d.simulated), 0))`;
}
