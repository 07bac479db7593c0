import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#src/platform/config/config.ts";
import { forgetExpired } from "#src/platform/db/retention.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

const { retention } = readConfig({});
const never = new AbortController().signal;
const MIB = 1024 * 1024;
/** Runs, each with an artifact of two pieces, that are a day too young to go. */
const YOUNG = 60_000;

let database: TestDatabase;
let pool: pg.Pool;

/** Stores runs that ended so many days ago, as `completeRun` does, each with an artifact of pieces of so many bytes. */
async function makeRuns(runs: number, days: number, pieces: number, bytes: number): Promise<void> {
  await pool.query(
    `with made as (
       insert into automation_runs (workspace_id, id, automation_id, trigger, parameters, status, artifact_count,
                                    created_at, ended_at)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'MANUAL', '{}', 'COMPLETED', 1, t.at, t.at
         from generate_series(1, $1::int) n
        cross join lateral (select now() - make_interval(days => $2, secs => n) as at) t
       returning *),
     written as (
       insert into artifacts (workspace_id, id, automation_id, run_id, type, name, title, mime_type, size_bytes, metadata,
                              created_at)
       select workspace_id, gen_random_uuid(), automation_id, id, 'TEXT', 'a.txt', 'A', 'text/plain',
              $3::bigint * $4::int, '{}', ended_at
         from made
       returning *)
     insert into artifact_chunks (workspace_id, artifact_id, position, data)
     select workspace_id, id, n, decode(repeat('61', $4::int), 'hex') from written cross join generate_series(0, $3::int - 1) n`,
    [runs, days, pieces, bytes],
  );
}

async function count(from: string): Promise<number> {
  return Number((await database.query<{ n: string }>(`select count(*) as n from ${from}`))[0]?.n);
}

const forget = (days = retention.artifactDays) => forgetExpired(pool, { ...retention, artifactDays: days }, never);

/** Artifacts that somebody could open and would not get whole. */
const BROKEN = `artifacts a where size_bytes <> (
  select coalesce(sum(octet_length(data)), 0) from artifact_chunks c
   where c.workspace_id = a.workspace_id and c.artifact_id = a.id)`;
const ORPHANS = "artifact_chunks c where not exists (select 1 from artifacts a where a.id = c.artifact_id)";

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool({ max: 2, statement_timeout: 60_000 });
  await makeRuns(YOUNG, 399, 2, 100);
  await pool.query("vacuum analyze automation_runs, artifacts, artifact_chunks");
  // Rows that each statement deletes.
  await pool.query(`
    create table deletions (bytes bigint);
    create function note_deletion() returns trigger language plpgsql as $$ begin
      insert into deletions select sum(octet_length(data)) from gone having count(*) > 0; return null; end $$;
    create trigger note after delete on artifact_chunks referencing old table as gone
      for each statement execute function note_deletion()`);
}, 120_000);

afterAll(() => database.drop());

async function rowsRead(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const [found] = await database.query<{ read: string }>(
    `select sum(seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid)) as read
       from pg_stat_user_tables t where relname in ('automation_runs', 'artifacts', 'artifact_chunks')`,
  );
  return Number(found?.read);
}

test("runs and artifacts of more than 400 days go with all their pieces, and little else is read for it", async () => {
  await makeRuns(1_500, 401, 2, 100);
  const before = await rowsRead();
  await forget();
  expect((await rowsRead()) - before).toBeLessThan(1_500 * 12);
  expect(await count("automation_runs")).toBe(YOUNG);
  expect(await count("artifacts")).toBe(YOUNG);
  expect(await count("artifact_chunks")).toBe(2 * YOUNG);
  expect([await count("dropped_artifacts"), await count(BROKEN), await count(ORPHANS)]).toEqual([0, 0, 0]);
});

test("a run that has not ended stays, however long ago it was asked for", async () => {
  await pool.query(
    `insert into automation_runs (workspace_id, id, automation_id, trigger, parameters, status, created_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'MANUAL', '{}', status, now() - interval '500 days'
       from unnest(array['QUEUED', 'RUNNING']) status`,
  );
  await forget();
  expect(await count("automation_runs where ended_at is null")).toBe(2);
});

test("large artifacts go by bounded bytes, and nobody can open one that lacks pieces", async () => {
  await pool.query("truncate deletions");
  await makeRuns(2, 500, 50, MIB);
  // As a server that was killed between two statements left it.
  await pool.query(
    "insert into artifact_chunks select gen_random_uuid(), gen_random_uuid(), n, 'x' from generate_series(0, 2) n",
  );
  await pool.query(`insert into dropped_artifacts select distinct workspace_id, artifact_id from ${ORPHANS}`);
  await forget();
  const steps = await database.query<{ bytes: string }>("select bytes from deletions");
  expect(steps.length).toBeGreaterThan(3);
  for (const { bytes } of steps) expect(Number(bytes)).toBeLessThanOrEqual(33 * MIB);
  expect([await count("dropped_artifacts"), await count(BROKEN), await count(ORPHANS)]).toEqual([0, 0, 0]);
  expect(await count("artifacts")).toBe(YOUNG);
}, 60_000);

test("at every moment between two statements each artifact is whole or gone", async () => {
  await makeRuns(3, 500, 40, MIB);
  const broken: number[] = [];
  const watched = Object.assign(Object.create(pool) as pg.Pool, {
    async connect() {
      broken.push(await count(BROKEN + " and size_bytes > 1000"));
      return pool.connect();
    },
  });
  await forgetExpired(watched, retention, never);
  expect(broken.length).toBeGreaterThan(20);
  expect(broken.filter((n) => n > 0)).toEqual([]);
  expect(await count(ORPHANS)).toBe(0);
}, 60_000);

test("the operator's days are what counts", async () => {
  await forget(398);
  expect([await count("artifacts"), await count("automation_runs where ended_at is not null")]).toEqual([0, 0]);
  // The pieces follow, 20,000 a minute.
  for (let runs = 0; runs < 10 && (await count("dropped_artifacts")) > 0; runs++) await forget(398);
  expect([await count("dropped_artifacts"), await count("artifact_chunks")]).toEqual([0, 0]);
}, 120_000);
