import { randomUUID } from "node:crypto";
import type pg from "pg";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { type CallEnd, Finisher } from "#src/interactions/dispatch/finish.ts";
import { Node } from "#src/interactions/dispatch/node.ts";
import { LaneRest } from "#src/interactions/dispatch/rest-lanes.ts";
import { openDatabase } from "#src/platform/db/database.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { measureTree, parentOf } from "./process-tree.ts";
import { measureQueues } from "./queue-peers.ts";
import { cpuSeconds, startServer } from "./server-process.ts";

type Print = (line: string) => void;

const NUMBERS = 100;
const DEFAULT_WAITING = 1_000_000;
const SECONDS = 8;
const BATCHES = [200, 500, 1_000];
const JOB = "01900000-0000-7000-8000-000000000003";
const MORE_LANES = [1, 1_000, 50_000];

const WORLD = [
  `insert into phone_numbers (workspace_id, id, provider, number, status, max_concurrent_calls)
   select workspace_id, gen_random_uuid(), provider, '+44207950' || lpad(i::text, 4, '0'), 'ACTIVE', 1000
     from phone_numbers, generate_series(1, ${NUMBERS}) i where number = '+12025550190' and workspace_id = $1`,
  `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, total_rows)
   select $1, '${JOB}', 'Bench', 'RUNNING', array_agg(id), '{"maxAttempts":1}', 2000000000
     from phone_numbers where workspace_id = $1 and number like '+44207950%'`,
  `insert into lanes (workspace_id, phone_number_id, job_id)
   select workspace_id, id, '${JOB}' from phone_numbers where workspace_id = $1 and number like '+44207950%'`,
];

const ROWS = `
insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
  phone_number_id, contact_name, due_at, line)
select $1, uuidv7(), '${JOB}', gen_random_uuid(), 'QUEUED', '+4915' || lpad(i::text, 8, '0'), 'DE', 'MOBILE',
  n.ids[1 + i % ${NUMBERS}], 'Contact ' || i, now() - make_interval(secs => 3600 - i / 1000.0), i
from generate_series(1, $2::int) i,
     (select array_agg(id) as ids from phone_numbers where workspace_id = $1 and number like '+44207950%') n`;

/** Lanes of other jobs: of those that are over, or of those that run and wait for their next row. */
const LANES = `
insert into lanes (workspace_id, phone_number_id, job_id, is_open)
select p.workspace_id, p.id, j.id, $3
  from (select workspace_id, id from phone_numbers where workspace_id = $1 and number like '+44207950%') p,
       (select gen_random_uuid() as id from generate_series(1, ceil($2::int / ${NUMBERS}.0)::int)) j limit $2`;

/** A due row for each of these lanes. */
const DUE_ROWS = `
insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
  phone_number_id, due_at)
select workspace_id, uuidv7(), job_id, gen_random_uuid(), 'QUEUED', '+4916' || lpad((row_number() over ())::text, 8, '0'),
  'DE', 'MOBILE', phone_number_id, now()
  from lanes where is_open and job_id <> '${JOB}' and workspace_id = $1`;

const NOBODY: CallEnd = {
  status: "FAILED",
  retryMs: null,
  outcome: "NO_ANSWER",
  endReason: null,
  attemptState: "ENDED",
};

/**
 * Measures how many rows a second are claimed and ended when their calls take no time: a million waiting rows
 * (`--rows=N`) over 100 numbers, with the product's own claim and finish on one database, one claim after the other
 * while the ends of the batches before are stored; beside two job queues that hand out and end as many jobs. Then one
 * claim beside more and more lanes of jobs that are over, of jobs that wait, and of jobs with due rows.
 */
export async function benchStarts(print: Print): Promise<void> {
  const waiting = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_WAITING);
  print(
    `Starts: ${waiting} waiting rows over ${NUMBERS} numbers, claimed and ended at once; ${SECONDS} s a batch size; CPU by /proc.`,
  );
  const server = await startServer(18_088, ["--role", "api"]);
  const database = openDatabase(server.database, { max: 8 }, () => undefined);
  const node = new Node(
    database,
    { id: randomUUID(), place: "bench", renew: () => undefined },
    createLog("error", () => undefined),
  );
  try {
    for (const statement of WORLD) await database.pool.query(statement, [server.workspaceId]);
    await database.pool.query(ROWS, [server.workspaceId, waiting]);
    await database.pool.query("vacuum analyze");
    await node.join();
    const found = await database.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
    const postmaster = parentOf(found.rows[0]?.pid ?? 0);
    const work = { jobs: waiting, queues: NUMBERS, batch: BATCHES[0] as number, seconds: SECONDS };
    await measureQueues(server.database, postmaster, work, print);
    for (const batch of BATCHES) await measureBatch(database.pool, node, batch, postmaster, print);
    const measure = (beside: string) => measureClaim(database.pool, node, beside, print);
    for (const lanes of MORE_LANES) {
      await database.pool.query(LANES, [server.workspaceId, lanes, false]);
      await measure(`${lanes} lanes of jobs that are over`);
    }
    for (const lanes of MORE_LANES) {
      await database.pool.query(LANES, [server.workspaceId, lanes, true]);
      const rest = new LaneRest(database.pool);
      for (let looked = 0; looked <= 2 * lanes + NUMBERS; looked += 1_000) await rest.run();
      // As autovacuum does within a minute.
      await database.pool.query("vacuum lanes");
      await measure(`${lanes} lanes of jobs that wait`);
    }
    await database.pool.query(DUE_ROWS, [server.workspaceId]);
    await database.pool.query("update lanes set next_look_at = now()");
    await measure("as many with a due row each");
    await measureIdle(database.pool, node, print);
  } finally {
    await node.leave();
    await database.close();
    await server.close();
  }
}

async function measureBatch(pool: pg.Pool, node: Node, batch: number, postmaster: number, print: Print): Promise<void> {
  const finisher = new Finisher(pool, node, () => undefined);
  const before = { node: cpuSeconds(process.pid), postgres: measureTree(postmaster).cpuSeconds };
  const startedAt = performance.now();
  const until = startedAt + SECONDS * 1_000;
  let ended = 0;
  let ending: Promise<unknown> = Promise.resolve();
  while (performance.now() < until) {
    const rows = await claimRows(pool, node.id, Math.ceil(batch / 4), batch);
    await ending;
    ending = Promise.all(rows.map((row) => finisher.finish(row, NOBODY, true)));
    ended += rows.length;
    if (rows.length === 0) throw new Error("Nothing was due.");
  }
  await ending;
  const seconds = (performance.now() - startedAt) / 1_000;
  const perStart = (cpu: number) => `${((cpu / ended) * 1e6).toFixed(0)} us`;
  const nodeCpu = perStart(cpuSeconds(process.pid) - before.node);
  const postgresCpu = perStart(measureTree(postmaster).cpuSeconds - before.postgres);
  print(
    `  batches of ${String(batch).padStart(4)}: ${(ended / seconds).toFixed(0).padStart(6)} starts/s (goal 12000); CPU a start: ${nodeCpu} Node, ${postgresCpu} PostgreSQL`,
  );
}

/** Measures a claim that finds nothing, as several a second do all night, while all jobs wait for the morning. */
async function measureIdle(pool: pg.Pool, node: Node, print: Print): Promise<void> {
  await pool.query("update call_rows set due_at = now() + interval '1 day' where status = 'QUEUED'");
  await pool.query("vacuum analyze call_rows");
  const rest = new LaneRest(pool);
  for (let looked = 0; looked <= 3 * Math.max(...MORE_LANES); looked += 1_000) await rest.run();
  await pool.query("vacuum lanes");
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const startedAt = performance.now();
    if ((await claimRows(pool, node.id, 50, 200)).length > 0) throw new Error("Something was due.");
    times.push(performance.now() - startedAt);
  }
  print(
    `  a claim that finds nothing, while all of these wait: p50 ${(times.toSorted((a, b) => a - b)[7] ?? 0).toFixed(1)} ms`,
  );
}

async function measureClaim(pool: pg.Pool, node: Node, beside: string, print: Print): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const startedAt = performance.now();
    const rows = await claimRows(pool, node.id, 50, 200);
    times.push(performance.now() - startedAt);
    const finisher = new Finisher(pool, node, () => undefined);
    await Promise.all(rows.map((row) => finisher.finish(row, NOBODY, true)));
  }
  const sorted = times.toSorted((a, b) => a - b);
  print(
    `  a claim of 200 beside ${beside}: p50 ${(sorted[7] ?? 0).toFixed(1)} ms, best ${(sorted[0] ?? 0).toFixed(1)} ms (goal 5)`,
  );
}
