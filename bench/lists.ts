import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { fillWithCalls, fillWithOthers, RARE_FLOW, RARE_NUMBER } from "#kit/filled-workspace.ts";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { explainLists } from "./dashboard-plans.ts";
import { measureTree, parentOf } from "./process-tree.ts";
import { type BenchServer, startServer } from "./server-process.ts";

type Print = (line: string) => void;

const DEFAULT_CALLS = 1_000_000;
const WAITING = 1_000_000;
/** People, finished tasks and audit entries, each. */
const OTHERS = 200_000;
const ROUNDS = 20;
const GOAL_MS = 50;
const QUEUED_JOB = "01900000-0000-7000-8000-000000000002";
const FINISHED_JOB = "01900000-0000-7000-8000-000000000001";

/** A job whose rows wait until next month, and the job of a third of the calls. */
const JOBS = `
insert into call_jobs (workspace_id, id, name, status, max_concurrency, phone_number_ids, retry_config, total_rows, created_at)
select $1, j.id, j.name, 'PAUSED', 10, array[$2::uuid], '{}', j.rows, now()
  from (values ('${QUEUED_JOB}'::uuid, 'Waiting', ${WAITING}), ('${FINISHED_JOB}'::uuid, 'Over', 0)) as j(id, name, rows)`;

const WAITING_ROWS = `
insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
  phone_number_id, contact_name, flow_api_id, due_at, line)
select $1, uuidv7(), '${QUEUED_JOB}', gen_random_uuid(), 'QUEUED', '+4915' || lpad(g.i::text, 8, '0'), 'DE', 'MOBILE', $2,
  'Waiting ' || g.i, 'flow-01', now() + interval '30 days', g.i
from generate_series(1, ${WAITING}) g(i)`;

/** Returns the time of so many days before the filling. */
const daysBefore = (filledAt: string, days: number) => new Date(Date.parse(filledAt) - days * 86_400_000).toISOString();

/** Pages that people and programs ask for, by what they look for. */
function pagesOf(filledAt: string): [name: string, path: string][] {
  const daysAgo = (days: number) => daysBefore(filledAt, days);
  const history = (query: string) => `/call-history?size=50&${query}`;
  return [
    ["history", history("")],
    ["history, page 100", history("page=100")],
    ["status of most", history("status=COMPLETED")],
    ["status of few", history("status=UNCONFIRMED")],
    ["status of none", history("status=IN_PROGRESS")],
    ["status of those that wait", history("status=QUEUED")],
    ["status of most, page 200", history("status=COMPLETED&page=199")],
    ["outcome of some", history("outcome=VOICEMAIL")],
    ["outcome of some, page 200", history("outcome=VOICEMAIL&page=199")],
    ["flow of few", history(`flowApiId=${RARE_FLOW}`)],
    ["flow of none", history("flowApiId=flow-99")],
    ["flow of few, of some time", history(`flowApiId=${RARE_FLOW}&createdAfter=${daysAgo(30)}`)],
    ["flow of few, with an outcome", history(`flowApiId=${RARE_FLOW}&outcome=BUSY`)],
    ["one number", history(`customerNumber=${encodeURIComponent(RARE_NUMBER)}`)],
    ["a number's start", history("customerNumberPrefix=%2B353")],
    ["a part of the number", history("search=5550042")],
    ["a part of many numbers", history("search=930")],
    ["a name", history("search=contact+7914")],
    ["a name and many numbers", history("search=contact+300")],
    ["a word of most names", history("search=con")],
    ["a name of nobody", history("search=zebra")],
    ["an external id of nobody", history("externalId=none")],
    ["inbound", history("direction=INBOUND")],
    ["people who asked for a human", history("humanRequested=true")],
    ["one day", history(`createdAfter=${daysAgo(15)}&createdBefore=${daysAgo(14)}`)],
    ["one day, one outcome", history(`createdAfter=${daysAgo(15)}&createdBefore=${daysAgo(14)}&outcome=BUSY`)],
    ["rows of the waiting job", `/call-jobs/${QUEUED_JOB}/rows?size=50`],
    ["rows of the finished job", `/call-jobs/${FINISHED_JOB}/rows?size=50`],
    ["its failed rows", `/call-jobs/${FINISHED_JOB}/rows?size=50&status=FAILED`],
    ["its rows with a name", `/call-jobs/${FINISHED_JOB}/rows?size=50&search=contact+7914`],
    ["its rows that wait for a retry", `/call-jobs/${FINISHED_JOB}/rows?size=50&status=WAITING_FOR_RETRY`],
    ["its failed rows, page 200", `/call-jobs/${FINISHED_JOB}/rows?size=50&status=FAILED&page=199`],
    ["its unconfirmed rows", `/call-jobs/${FINISHED_JOB}/rows?size=50&status=UNCONFIRMED`],
    ["summary of the waiting job", `/call-jobs/${QUEUED_JOB}/summary`],
    ["summary of the finished job", `/call-jobs/${FINISHED_JOB}/summary`],
    ["jobs", "/call-jobs?size=50"],
    ["one job", `/call-jobs/${FINISHED_JOB}`],
    ["contacts", "/contacts?size=50"],
    ["contacts by name", "/contacts?size=50&name=contact+79"],
    ["a contact by number", "/contacts?phone=%2B491500000042"],
    ["chats", "/chat-sessions?size=50"],
    ["numbers not to call", "/do-not-call?size=50"],
    ["events of webhooks", "/webhook-events?after=1.00000000-0000-0000-0000-000000000000"],
    ["costs", "/usage?size=50"],
    ["costs of a day", `/usage?size=50&from=${daysAgo(15)}&to=${daysAgo(14)}`],
  ];
}

/**
 * Measures every list of calls, jobs, people and costs in a workspace with a million finished calls (`--rows=N`) and a
 * million rows that wait, over HTTP, one request after the other; then prints how the database finds the calls. There
 * is no peer: the goal is 50 ms at p95, however many calls there are. With `--folder=PATH` the filled database stays
 * there, and the next run measures it again without filling it; ten million calls take half an hour and 31 GB.
 */
export async function benchLists(print: Print): Promise<void> {
  const calls = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_CALLS);
  print(
    `Lists: a workspace with ${calls} calls of 30 days, ${WAITING} rows that wait, and ${OTHERS} each of contacts, finished tasks and audit entries; each page ${ROUNDS} times, one after the other; CPU of PostgreSQL by /proc.`,
  );
  const folder = /--folder=(\S+)/.exec(process.argv.join(" "))?.[1];
  // No housekeeping: it would add up the results of all calls, which come one by one elsewhere, while pages are measured.
  const server = await startServer(18_087, ["--role", "api"], folder === undefined ? {} : { DATA_DIR: folder });
  const client = new pg.Client(server.database);
  try {
    await client.connect();
    const filled = readFilled(folder) ?? (await fill(client, server, { calls, folder }, print));
    const { rows } = await client.query<{ size: string }>(
      "select pg_size_pretty(pg_database_size('postgres')) as size",
    );
    print(`  ${filled.calls} calls, ${rows[0]?.size}`);
    const found = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await measurePages({ ...filled, url: server.url }, parentOf(found.rows[0]?.pid ?? 0), print);
    if (process.argv.includes("--plans")) await explainLists(server.database, filled.workspaceId, filled.calls, print);
  } finally {
    await client.end();
    await server.close();
  }
}

/** The filled workspace, as the folder of its database notes it. */
interface Filled extends Pick<BenchServer, "workspaceId" | "apiKey"> {
  calls: number;
  /** Its calls are of the thirty days before. */
  filledAt: string;
}

const NOTE = "filled.json";

function readFilled(folder: string | undefined): Filled | undefined {
  const path = folder === undefined ? undefined : join(folder, NOTE);
  return path && existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Filled) : undefined;
}

async function fill(
  client: pg.Client,
  { workspaceId, apiKey, database }: BenchServer,
  { calls, folder }: { calls: number; folder: string | undefined },
  print: Print,
): Promise<Filled> {
  const startedMs = performance.now();
  await fillWorkspace(client, workspaceId, calls);
  await rollUpAll(client, database);
  print(`  filled in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  const filled = { workspaceId, apiKey, calls, filledAt: new Date().toISOString() };
  if (folder !== undefined) writeFileSync(join(folder, NOTE), JSON.stringify(filled), { mode: 0o600 });
  return filled;
}

/** Rolls up the counts of the filled rows, as housekeeping does while rows end. */
async function rollUpAll(client: pg.Client, database: pg.PoolConfig): Promise<void> {
  const pool = new pg.Pool({ ...database, max: 1 });
  do await rollUpRows(pool);
  while ((await client.query("select from job_row_deltas limit 1")).rowCount === 1);
  await pool.end();
}

async function fillWorkspace(client: pg.Client, workspaceId: string, calls: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>("select id from phone_numbers where workspace_id = $1 limit 1", [
    workspaceId,
  ]);
  const values = [workspaceId, rows[0]?.id];
  await client.query(JOBS, values);
  await client.query(WAITING_ROWS, values);
  await fillWithCalls(client, workspaceId, calls);
  await client.query(
    `update call_jobs j set total_rows = (select count(*) from call_rows where workspace_id = $1 and job_id = j.id)
      where workspace_id = $1 and id = '${FINISHED_JOB}'`,
    [workspaceId],
  );
  await fillWithOthers(client, workspaceId, OTHERS);
  await client.query("vacuum analyze call_jobs");
}

async function measurePages(server: Filled & { url: string }, postmaster: number, print: Print): Promise<void> {
  const worst: number[] = [];
  for (const [name, path] of pagesOf(server.filledAt)) {
    const times: number[] = [];
    const before = measureTree(postmaster).cpuSeconds;
    let total = "";
    for (let i = 0; i < ROUNDS; i++) {
      const startedMs = performance.now();
      const reply = await fetch(`${server.url}/api/external/v1${path}`, { headers: { "x-api-key": server.apiKey } });
      const body = (await reply.json()) as { totalElements?: number };
      times.push(performance.now() - startedMs);
      if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
      if (body.totalElements !== undefined) total = `, ${body.totalElements} counted`;
    }
    const cpuMs = ((measureTree(postmaster).cpuSeconds - before) * 1_000) / ROUNDS;
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    worst.push(at(0.95));
    const figures = `p50 ${at(0.5).toFixed(0).padStart(5)}, p95 ${at(0.95).toFixed(0).padStart(5)} ms, PostgreSQL ${cpuMs.toFixed(0).padStart(5)} ms`;
    print(`  ${name.padEnd(32)} ${figures}${total}`);
  }
  const slow = worst.filter((ms) => ms > GOAL_MS).length;
  print(
    `  ${slow} of ${worst.length} pages above the goal of ${GOAL_MS} ms at p95; worst ${Math.max(...worst).toFixed(0)} ms`,
  );
}
