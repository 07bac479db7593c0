import pg from "pg";
import { fillWithCalls } from "#kit/filled-workspace.ts";
import { type BenchServer, startServer } from "./server-process.ts";

type Print = (line: string) => void;

const DEFAULT_CALLS = 150_000;
const ROUNDS = 20;
const GOAL_MS = 300;
const LONGEST_FOLD_MS = 1_800_000;
/** The job of two thirds of the calls. */
const JOB = "01900000-0000-7000-8000-000000000001";

/** The same funnel, hours and field, added up from the calls themselves: what a service without kept sums would do. */
const NAIVE = [
  `select r.outcome, r.flow_api_id, r.flow_version, r.phone_number_id, r.error ->> 'code', count(*),
     count(*) filter (where exists (select 1 from json_array_elements(s.transcript) t where t ->> 'role' = 'USER'))
   from call_rows r left join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
   where r.workspace_id = $1 and r.job_id = $2 and r.ended_at is not null group by 1, 2, 3, 4, 5`,
  `select extract(isodow from a.submitted_at at time zone 'Europe/Berlin'),
     extract(hour from a.submitted_at at time zone 'Europe/Berlin'), a.outcome, count(*)
   from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id
   where r.workspace_id = $1 and r.job_id = $2 group by 1, 2, 3`,
  `select f.key, f.value::text, count(*) from call_rows r
     join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
     cross join lateral json_each(s.extracted_fields) f
   where r.workspace_id = $1 and r.job_id = $2 group by 1, 2`,
];

/**
 * Measures the results of a job of 100,000 calls (two thirds of `--rows=N`) over 30 days, over HTTP, beside the same
 * figures added up from the calls in SQL; and how fast calls are added to the sums. The goal is 300 ms at p95.
 */
export async function benchResults(print: Print): Promise<void> {
  const calls = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_CALLS);
  print(`Results: a job with two thirds of ${calls} calls, spread over 30 days; ${ROUNDS} reads, one after the other.`);
  const server = await startServer(18_089);
  const client = new pg.Client(server.database);
  try {
    await client.connect();
    await fillWithCalls(client, server.workspaceId, calls);
    await untilAdded(server, calls, print);
    await client.query("vacuum analyze result_sums, result_values");
    const { rows } = await client.query<{ sums: number }>("select count(*)::int as sums from result_sums");
    print(`  ${rows[0]?.sums} rows of sums`);
    const kept = await measure(() => read(server, `/results?jobId=${JOB}&timeZone=Europe/Berlin`));
    print(`  GET /results of the job         ${describe(kept)}; goal ${GOAL_MS} ms at p95`);
    const naive = await measure(async () => {
      for (const statement of NAIVE) await client.query(statement, [server.workspaceId, JOB]);
    }, 3);
    print(`  the calls added up in SQL       ${describe(naive)}`);
  } finally {
    await client.end();
    await server.close();
  }
}

async function untilAdded(server: BenchServer, calls: number, print: Print): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const { waiting, isFilling } = (await read(server, "/results")) as { waiting: number; isFilling: boolean };
    if (waiting === 0 && !isFilling) break;
    if (performance.now() - startedMs > LONGEST_FOLD_MS) throw new Error(`${waiting} calls were not added in time.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  print(
    `  ${calls} calls were added in ${seconds.toFixed(0)} s, ${(calls / seconds).toFixed(0)} a second, pauses included`,
  );
}

async function read(server: BenchServer, path: string): Promise<unknown> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, { headers: { "x-api-key": server.apiKey } });
  const body = (await reply.json()) as unknown;
  if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

async function measure(run: () => Promise<unknown>, rounds = ROUNDS): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const startedMs = performance.now();
    await run();
    times.push(performance.now() - startedMs);
  }
  return times.toSorted((a, b) => a - b);
}

function describe(sorted: number[]): string {
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0).padStart(5);
  return `p50 ${at(0.5)}, p95 ${at(0.95)} ms`;
}
