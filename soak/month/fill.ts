import type pg from "pg";
import { fillWithCalls, fillWithOthers } from "#kit/filled-workspace.ts";

const JOBS = 1_000;
const NUMBERS = 100;
/** People, finished tasks and audit entries, each. */
const OTHERS = 200_000;

/** Finished jobs, and the lanes that each had over all numbers. */
const FINISHED_JOBS = [
  `insert into phone_numbers (workspace_id, id, provider, number, status, max_concurrent_calls)
   select $1, gen_random_uuid(), 'SANDBOX', '+44207950' || lpad(i::text, 4, '0'), 'ACTIVE', 10
     from generate_series(1, ${NUMBERS}) i`,
  `insert into call_jobs (workspace_id, id, name, status, max_concurrency, phone_number_ids, retry_config, total_rows,
     processed_rows, created_at, completed_at)
   select $1, uuidv7(), 'Over ' || i, 'COMPLETED', 10, n.ids, '{"maxAttempts":1}', 0, 0,
     now() - make_interval(hours => i), now() - make_interval(hours => i)
     from generate_series(1, ${JOBS}) i,
          (select array_agg(id) as ids from phone_numbers where workspace_id = $1 and number like '+44207950%') n`,
  `insert into lanes (workspace_id, phone_number_id, job_id, is_open)
   select $1, n.id, j.id, false from call_jobs j, unnest(j.phone_number_ids) as n(id)
    where j.workspace_id = $1 and j.name like 'Over %'`,
];

/** Logged requests, evenly over all workspaces and the last days. */
const REQUESTS = `
insert into request_log (workspace_id, id, method, path, status, duration_ms, credential_id, caller_kind, address,
  request_id, created_at)
select w.ids[1 + i % cardinality(w.ids)], uuidv7(make_interval(secs => -i / 5.0)), 'GET', '/api/external/v1/flows', 200, 3,
  gen_random_uuid(), 'KEY', '127.0.0.1', i::text, now() - make_interval(secs => i / 5.0)
from generate_series(1, $1::int) i, (select array_agg(id) as ids from workspaces) w`;

/** Fills one workspace with calls, finished jobs and people, and all with logged requests. */
export async function fillInstallation(
  client: pg.Client,
  workspaceId: string,
  { calls, requests }: { calls: number; requests: number },
): Promise<void> {
  await fillWithCalls(client, workspaceId, calls);
  await fillWithOthers(client, workspaceId, OTHERS);
  for (const statement of FINISHED_JOBS) await client.query(statement, [workspaceId]);
  await client.query(REQUESTS, [requests]);
  await client.query("vacuum analyze");
}
