import pg from "pg";
import { measureTree, parentOf } from "./process-tree.ts";
import { cpuSeconds, startServer, type BenchServer } from "./server-process.ts";

const NUMBERS = 8;
const CONCURRENCY = 100;
const DEFAULT_ROWS = 4_000;
const RUNS = 3;
const WARM_UP_ROWS = 1_000;
/** Time after which every connection has reported the rows that it wrote. */
const REPORTED_MS = 1_500;
const SHOWN_FROM = 0.05;

const WRITTEN = `
select relname as name, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_hot_upd::int as hot,
       n_tup_del::int as deleted
  from pg_stat_user_tables`;

const JOB_FIGURES = `
select count(*)::int as attempts, extract(epoch from max(a.ended_at) - min(a.submitted_at))::float8 as seconds,
       (count(*) filter (where a.answered_at is not null))::int as talked
  from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id where r.job_id = $1`;

/** Rows that were written to a table. */
interface Written {
  name: string;
  inserted: number;
  updated: number;
  hot: number;
  deleted: number;
}

/**
 * Measures whole calls in the sandbox at instant speed (`--rows=N` a job): calls per second from claim to stored end,
 * CPU of Node and of PostgreSQL, and rows written to each table. A first job and ANALYZE come before, because a server
 * has statistics a few seconds after its first job.
 */
export async function benchDispatch(print: (line: string) => void): Promise<void> {
  const rows = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_ROWS);
  print(
    `Dispatch: jobs of ${rows} people by hash (conversation, transcript, extraction, row, event) over ${NUMBERS} phone numbers of ${CONCURRENCY} calls each, sandbox in process, instant speed, scripted model.`,
  );
  print("Calls a second by the database: from the first attempt's intent to the last stored end. CPU by /proc.");
  const server = await startServer(18_082);
  const client = new pg.Client(server.database);
  try {
    await client.connect();
    const from = await addNumbers(server);
    await runJob(server, from, people(0, WARM_UP_ROWS));
    await client.query("analyze");
    for (let i = 0; i < RUNS; i++) {
      const before = await countWritten(client);
      await measure(server, client, from, people(WARM_UP_ROWS + i * rows, rows), print);
      if (i === RUNS - 1) printWritten(before, await countWritten(client), rows, print);
    }
  } finally {
    await client.end();
    await server.close();
  }
}

/** Adds the numbers to call from, and returns them. */
export async function addNumbers(server: BenchServer): Promise<string[]> {
  const numbers: string[] = [];
  for (let i = 0; i < NUMBERS; i++) {
    const phoneNumber = `+442079460${180 + i}`;
    await post(server, "/phone-numbers", { provider: "SANDBOX", phoneNumber, maxConcurrentCalls: CONCURRENCY });
    numbers.push(phoneNumber);
  }
  return numbers;
}

/** Runs a job of single attempts to its end; returns its id. */
export async function runJob(server: BenchServer, fromPhoneNumbers: string[], numbers: string[]): Promise<string> {
  const rows = numbers.map((customerNumber) => ({ customerNumber }));
  const job = await post(server, "/call-jobs", { rows, fromPhoneNumbers, retryConfig: { maxAttempts: 1 } });
  for (;;) {
    const reply = await fetch(`${server.url}/api/external/v1/call-jobs/${String(job.id)}`, {
      headers: { "x-api-key": server.apiKey },
    });
    if (((await reply.json()) as { completedAt: unknown }).completedAt !== null) return String(job.id);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns numbers of people whom the sandbox simulates by their hash. */
function people(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `+1415${2_000_000 + first + i}`);
}

async function measure(
  server: BenchServer,
  client: pg.Client,
  fromPhoneNumbers: string[],
  numbers: string[],
  print: (line: string) => void,
): Promise<void> {
  const backend = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(backend.rows[0]?.pid ?? 0);
  const before = { node: cpuSeconds(server.pid), postgres: measureTree(postmaster).cpuSeconds };
  const jobId = await runJob(server, fromPhoneNumbers, numbers);
  const node = cpuSeconds(server.pid) - before.node;
  const postgres = measureTree(postmaster).cpuSeconds - before.postgres;
  const { rows } = await client.query<{ attempts: number; seconds: number; talked: number }>(JOB_FIGURES, [jobId]);
  const { attempts = 0, seconds = 0, talked = 0 } = rows[0] ?? {};
  const perCall = (cpu: number) => `${((cpu / attempts) * 1000).toFixed(2)} ms`;
  print(
    `  ${attempts} calls (${talked} answered) in ${seconds.toFixed(1)} s: ${(attempts / seconds).toFixed(0)} calls/s (goal 1500); CPU a call: ${perCall(node)} Node, ${perCall(postgres)} PostgreSQL (goal 0.40 each)`,
  );
}

async function countWritten(client: pg.Client): Promise<Map<string, Written>> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_MS));
  const { rows } = await client.query<Written>(WRITTEN);
  return new Map(rows.map((row) => [row.name, row]));
}

function printWritten(
  before: ReadonlyMap<string, Written>,
  after: ReadonlyMap<string, Written>,
  calls: number,
  print: (line: string) => void,
): void {
  print("  Rows written a call in the last job, by table:");
  for (const [name, now] of after) {
    const perCall = (column: Exclude<keyof Written, "name">) =>
      (now[column] - (before.get(name)?.[column] ?? 0)) / calls;
    const [inserted, updated, deleted] = [perCall("inserted"), perCall("updated"), perCall("deleted")];
    if (Math.max(inserted, updated, deleted) < SHOWN_FROM) continue;
    print(
      `    ${name.padEnd(16)} ${inserted.toFixed(2)} inserted, ${updated.toFixed(2)} updated (${perCall("hot").toFixed(2)} HOT), ${deleted.toFixed(2)} deleted`,
    );
  }
}

async function post(server: BenchServer, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Record<string, unknown>;
}
