import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { countWaiting } from "./store.ts";

/** Calls that are over, under the hour (UTC) of their last dial and their outcome; "" for those never dialled. */
export interface EndedCalls {
  hour: Date;
  outcome: string;
  calls: number;
  persons: number;
  machines: number;
}

/** Adds up the calls since an instant from the sums of the results; `waiting` counts those that are added in seconds. */
export async function sumEndedCalls(
  db: Executor,
  workspaceId: string,
  since: Date,
): Promise<{ rows: EndedCalls[]; waiting: number }> {
  // First: a call that is added in between is told as waiting, and never missing from both.
  const { waiting } = await countWaiting(db, workspaceId);
  const rows = await all<EndedCalls>(
    db,
    sql`select date_trunc('hour', bucket_at, 'UTC') as hour, outcome, sum(calls)::bigint as calls,
               sum(persons)::bigint as persons, sum(machines)::bigint as machines
          from result_sums where workspace_id = ${workspaceId} and bucket_at >= ${since} and calls > 0
         group by 1, 2 order by 1`,
  );
  return { rows, waiting };
}
