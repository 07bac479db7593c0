import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { SuccessCondition } from "./success-condition.ts";

/**
 * Stores the success condition of a flow and has its calls counted anew, from the first. SQL here, since results/
 * imports flows/.
 */
export async function saveSuccess(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  conditions: SuccessCondition[] | null,
): Promise<void> {
  await all(
    tx,
    sql`with f as (
          update flows set success = ${conditions && JSON.stringify(conditions)}
           where workspace_id = ${workspaceId} and id = ${flowId} returning workspace_id, id)
        insert into result_recounts (workspace_id, flow_id) select workspace_id, id from f
        on conflict (workspace_id, flow_id) do update set row_id = excluded.row_id`,
  );
}
