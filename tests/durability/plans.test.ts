import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldResults } from "#src/interactions/results/fold.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import {
  fillWithCalls,
  fillWithOthers,
  insertCalls,
  insertOthers,
  RARE_FLOW,
  RARE_NUMBER,
} from "../kit/filled-workspace.ts";
import { World } from "../kit/world.ts";

/*
 * On a filled database nothing reads a large table from end to end: no list, no call, no loop and no housekeeping.
 * PostgreSQL itself counts the rows that sequential scans read, so a statement that is added later is tested as well.
 */

const CALLS = 100_000;
const LARGE = [
  "call_rows",
  "call_attempts",
  "call_results",
  "call_facts",
  "call_names",
  "result_calls",
  "call_numbers",
  "usage_entries",
  "events",
  "contacts",
  "tasks",
  "audit_log",
  "job_row_deltas",
];
/** The job of most of the filled calls. */
const JOB = "01900000-0000-7000-8000-000000000001";
/**
 * More rows than a sequential scan reads that ends early: one for the first match, or one that counts a list. A count
 * ends after 10,001 rows, and where most rows are of one workspace PostgreSQL may find those by a scan.
 */
const LEAST_SCAN = CALLS / 4;
/** A list counts 10,000 rows at most, and finds a page. */
const MOST_READ_A_LIST = 60_000;

let world: World;
let client: pg.Client;
let isEmbedded = false;
beforeAll(async () => {
  world = await World.start();
  client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  const { rows } = await client.query<{ cost: string }>("select current_setting('random_page_cost') as cost");
  isEmbedded = rows[0]?.cost === "1.1";
  if (!isEmbedded) return;
  const { workspaceId } = world.sample;
  await fillWithCalls(client, workspaceId, CALLS);
  await fillWithOthers(client, workspaceId, CALLS);
  await client.query(
    `insert into call_jobs (workspace_id, id, name, status, max_concurrency, phone_number_ids, retry_config, total_rows)
     values ($1, $2, 'Over', 'COMPLETED', 1, '{}', $3, 0)`,
    [workspaceId, JOB, JSON.stringify({ maxAttempts: 1, retryOn: [], delaysSeconds: [], jitterPercent: 0 })],
  );
  await foldAll();
  // As autovacuum does a minute after so many rows came; the facts are newer than the statistics of the filling.
  await client.query("analyze");
}, 600_000);
afterAll(async () => {
  await client.end();
  await world[Symbol.asyncDispose]();
});

/** Adds all calls to the results, which the loop would otherwise do beside what is measured. */
async function foldAll(): Promise<void> {
  const pool = world.database.pool({ max: 1 });
  const areLeft = async () => (await pool.query("select 1 from result_changes limit 1")).rowCount === 1;
  while (await areLeft()) await foldResults(pool, createLog("silent"));
  await pool.end();
}

interface Reads {
  bySeqScan: number;
  byIndex: number;
}

/** Time after which an idle connection has reported its reads: ten seconds (PGSTAT_IDLE_INTERVAL of PostgreSQL). */
const REPORTED_MS = 11_000;

/** Returns the rows that were read of each large table so far. */
async function readsSoFar(): Promise<Map<string, Reads>> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_MS));
  const { rows } = await client.query<{ name: string; seq: string; idx: string }>(
    `select relname as name, seq_tup_read as seq, coalesce(idx_tup_fetch, 0) as idx
       from pg_stat_user_tables where relname = any($1)`,
    [LARGE],
  );
  return new Map(rows.map(({ name, seq, idx }) => [name, { bySeqScan: Number(seq), byIndex: Number(idx) }]));
}

/** Returns the large tables that were scanned, and those of which more than `most` rows were read, meanwhile. */
async function costOf(run: () => Promise<unknown>, most: number): Promise<string[]> {
  const before = await readsSoFar();
  await run();
  const after = await readsSoFar();
  return LARGE.flatMap((name) => {
    const [then, now] = [before.get(name), after.get(name)];
    if (!then || !now) return [`${name} is not there`];
    const scanned = now.bySeqScan - then.bySeqScan;
    const fetched = now.byIndex - then.byIndex;
    return [
      ...(scanned > LEAST_SCAN ? [`${name}: ${scanned} rows read from end to end`] : []),
      ...(fetched > most ? [`${name}: ${fetched} rows read by index`] : []),
    ];
  });
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const DAY = `createdAfter=${daysAgo(15)}&createdBefore=${daysAgo(14)}`;

const LISTS = [
  "/call-history?size=50",
  "/call-history?size=50&page=100",
  "/call-history?size=50&status=COMPLETED",
  "/call-history?size=50&status=UNCONFIRMED",
  "/call-history?size=50&status=IN_PROGRESS",
  "/call-history?size=50&outcome=VOICEMAIL",
  `/call-history?size=50&flowApiId=${RARE_FLOW}`,
  "/call-history?size=50&flowApiId=flow-99",
  `/call-history?size=50&customerNumber=${encodeURIComponent(RARE_NUMBER)}`,
  "/call-history?size=50&customerNumberPrefix=%2B353",
  "/call-history?size=50&search=5550042",
  "/call-history?size=50&search=930",
  "/call-history?size=50&search=contact+7914",
  "/call-history?size=50&search=zebra",
  "/call-history?size=50&direction=INBOUND",
  "/call-history?size=50&humanRequested=true",
  `/call-history?size=50&${DAY}`,
  "/call-history?size=50&sort=createdAt",
  ...["durationSeconds", "latency", "cost"].flatMap((by) => [
    `/call-history?size=50&sort=-${by}`,
    `/call-history?size=50&sort=${by}&page=100`,
    `/call-history?size=50&sort=-${by}&status=COMPLETED`,
    `/call-history?size=50&sort=-${by}&flowApiId=${RARE_FLOW}`,
    `/call-history?size=50&sort=-${by}&outcome=ANSWERED&direction=OUTBOUND`,
  ]),
  "/call-history?size=50&sort=-cost&search=zebra",
  `/call-jobs/${JOB}/rows?size=50&sort=-cost`,
  `/call-jobs/${JOB}/summary`,
  "/contacts?size=50&sort=name",
  "/contacts?size=50&sort=-name&page=100",
  "/contacts?size=50&sort=-name&name=contact+79",
  "/call-jobs?size=50&sort=name",
  "/chat-sessions?size=50&sort=createdAt",
  "/contacts?size=50",
  "/contacts?size=50&name=contact+79",
  "/contacts?size=50&phone=%2B491500000042",
  "/call-jobs?size=50",
  "/chat-sessions?size=50",
  "/usage?size=50",
  `/usage?size=50&from=${daysAgo(15)}&to=${daysAgo(14)}`,
  "/usage/summary",
  "/results",
  `/results?jobId=${JOB}&goalField=day&goalValue=Monday`,
  "/results/calls?size=50&step=TALKED",
  "/results/calls?size=50&page=40&outcome=VOICEMAIL",
  "/results/calls?size=50&field=day&value=Monday",
  "/results/calls?size=50&weekday=1&hour=9",
  "/phone-numbers",
];

const OTHER_PLANS = "A PostgreSQL of one's own may have other costs, and choose other plans.";

async function read(path: string, key = world.sample.apiKey): Promise<void> {
  const { status, text } = await world.request("GET", path, { key });
  expect(status, `${path}: ${text}`).toBe(200);
}

/**
 * Returns the paths that cost too much, each with its cost. Halves the paths until they are found, because each
 * measurement takes half a minute. What a loop read meanwhile does not come again with either half.
 */
async function costlyOf(paths: string[]): Promise<string[]> {
  const readAll = async () => {
    for (const path of paths) await read(path);
  };
  const costs = await costOf(readAll, MOST_READ_A_LIST * paths.length);
  if (costs.length === 0) return [];
  if (paths.length === 1) return costs.map((cost) => `${paths[0]}: ${cost}`);
  const middle = paths.length >> 1;
  return [...(await costlyOf(paths.slice(0, middle))), ...(await costlyOf(paths.slice(middle)))];
}

describe("reads on a filled database", { timeout: 900_000 }, () => {
  test("of lists", async ({ skip }) => {
    skip(!isEmbedded, OTHER_PLANS);
    expect(await costlyOf(LISTS)).toEqual([]);
  });

  test("of a scrape of the metrics", async ({ skip }) => {
    skip(!isEmbedded, OTHER_PLANS);
    expect(await costOf(() => read("/metrics"), CALLS / 5)).toEqual([]);
  });

  test("of a job from its first call to its end, and of the loops beside it", async ({ skip }) => {
    skip(!isEmbedded, OTHER_PLANS);
    const rows = Array.from({ length: 100 }, (_, i) => ({ customerNumber: `+1415555${1000 + i}`, contactName: "Ada" }));
    const found = await costOf(async () => {
      const body = { rows, flowId: world.sample.flow.id, retryConfig: { maxAttempts: 1 } };
      const job = await world.request("POST", "/call-jobs", { body });
      expect(job.status, job.text).toBe(200);
      await world.until(`/call-jobs/${String(job.body.id)}`, ({ completedAt }) => completedAt !== null, 60_000);
    }, 200 * rows.length);
    expect(found).toEqual([]);
  });
});

/*
 * Autovacuum looks at a table again when a tenth of it is new, so a workspace that comes to a large installation may
 * have very many rows before the statistics know of it.
 */
describe("reads of a workspace that is not in the statistics", { timeout: 600_000 }, () => {
  const NEW_CALLS = 20_000;
  let key = "";
  let rowId = "";
  beforeAll(async () => {
    if (!isEmbedded) return;
    for (const table of LARGE) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const { workspaceId, apiKey } = await world.createWorkspace();
    key = apiKey;
    await insertCalls(client, workspaceId, NEW_CALLS);
    await insertOthers(client, workspaceId, NEW_CALLS);
    await foldAll();
    const { rows } = await client.query<{ id: string }>("select id from call_rows where workspace_id = $1 limit 1", [
      workspaceId,
    ]);
    rowId = rows[0]?.id ?? "";
  }, 300_000);

  test("of a call and of lists", async () => {
    if (!isEmbedded) return;
    const paths = [
      `/call-rows/${rowId}`,
      "/call-history?size=50",
      "/call-history?size=50&outcome=VOICEMAIL",
      "/call-history?size=50&search=contact+7914",
      "/call-history?size=50&sort=-durationSeconds",
      "/results/calls?size=50&step=TALKED",
    ];
    const readAll = async () => {
      for (const path of paths) await read(path, key);
    };
    // Each call may be looked at twice for a list; of each page, every row was looked for among all calls.
    expect(await costOf(readAll, 2 * NEW_CALLS * paths.length)).toEqual([]);
  });
});
