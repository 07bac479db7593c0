import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { migrate } from "#src/platform/db/migrate.ts";
import { readMigrations, toMigration } from "#src/platform/db/migration-files.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);
const FILES = readdirSync(FOLDER).sort();
const STEPS = FILES.map((file) => Number(file.slice(0, 4)));
/** Number of the last file of the baseline. */
const BASELINE = 12;
/** Holes between the numbers of the files that the baseline replaced, whose last one was 102. */
const HOLES = new Set([17, 27, 29, 34, 42, ...range(45, 49), ...range(51, 59), ...range(63, 69), ...range(72, 74)]);
for (const hole of [...range(76, 79), ...range(81, 84), ...range(86, 89), ...range(91, 94), 96, 97]) HOLES.add(hole);
const FORMER = range(1, 102).filter((number) => !HOLES.has(number));

/** A database of a current installation, on which the others are made. */
let template: TestDatabase;
let name: string;
let pool: pg.Pool;
beforeAll(async () => {
  template = await createDatabase();
});
afterAll(() => template.drop());
beforeEach(async () => {
  name = `parley_test_${randomBytes(6).toString("hex")}`;
  await template.query(`create database ${name}`);
  pool = connect(name);
});
afterEach(async () => {
  await pool.end();
  await template.query(`drop database ${name} with (force)`);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Opens a pool that does not mind when its database is dropped. */
function connect(database: string): pg.Pool {
  const url = new URL(template.url);
  url.pathname = `/${database}`;
  const made = new pg.Pool({ connectionString: url.href, max: 4 });
  made.on("error", () => undefined);
  return made;
}

async function recorded(): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>("select number from schema_migrations order by number");
  return rows.map((row) => row.number);
}

/** Returns everything in the schema but the records of migrations, with the ids that a repeated step would change. */
async function schema(): Promise<{ relname: string }[]> {
  const { rows } = await pool.query<{ relname: string }>(
    `select c.oid, c.relname, c.relkind, c.reloptions, a.attnum, a.attname, a.atttypid, a.attnotnull
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relname !~ 'migrations' order by c.oid, a.attnum`,
  );
  return rows;
}

/** Gives the database the schema of the baseline and the record that the former files left. */
async function makeFormer(numbers: number[]): Promise<void> {
  for (const file of FILES.slice(0, BASELINE)) await pool.query(readFileSync(new URL(file, FOLDER), "utf8"));
  await pool.query(
    "create table migrations (number integer primary key, applied_at timestamptz not null default now())",
  );
  await pool.query("insert into migrations (number) select unnest($1::int[])", [numbers]);
}

test("an empty database gets every step once, whichever of several nodes comes first", async () => {
  expect(await Promise.all([migrate(pool), migrate(pool), migrate(pool)])).toEqual(
    Array.from({ length: 3 }, () => STEPS.at(-1)),
  );
  expect(await recorded()).toEqual(STEPS);
  const { rows } = await pool.query("select to_regclass('migrations') as former, to_regclass('call_rows') as rows");
  expect(rows).toEqual([{ former: null, rows: "call_rows" }]);
});

test("an installation without calls has none of earlier versions to add up", async () => {
  await migrate(pool);
  const { rows } = await pool.query(
    `select (select is_done from result_backfill) as calls, (select is_done from result_listing) as places,
            (select is_done from result_filling) as totals`,
  );
  expect(rows).toEqual([{ calls: true, places: true, totals: true }]);
});

test("a database with all former steps continues after the baseline, with nothing of it applied", async () => {
  await makeFormer(FORMER);
  await pool.query("insert into settings (name, value) values ('kept', 'x')");
  const before = await schema();
  await Promise.all([migrate(pool), migrate(pool), migrate(pool)]);
  expect(await recorded()).toEqual(STEPS);
  const dropped = FILES.slice(BASELINE).flatMap((file) =>
    [...readFileSync(new URL(file, FOLDER), "utf8").matchAll(/^drop index concurrently if exists (\w+);/gm)].map(
      ([, name]) => name,
    ),
  );
  const after = new Set((await schema()).map((column) => JSON.stringify(column)));
  const gone = before.filter((column) => !after.has(JSON.stringify(column)));
  expect(gone.filter(({ relname }) => !dropped.includes(relname))).toEqual([]);
  const { rows } = await pool.query("select name, to_regclass('migrations') as former from settings");
  expect(rows).toEqual([{ name: "kept", former: null }]);
});

test.each([
  ["stopped in between", FORMER.filter((number) => number < 60), "it has 40 of the 55 migration steps", "is 60)"],
  ["as short as the baseline", range(1, BASELINE), "it has 12 of the 55 migration steps", "is 13)"],
  ["with a gap", FORMER.filter((number) => number !== 99), "it has 54 of the 55 migration steps", "is 99)"],
])("a former database %s is refused and left as it was", async (_, numbers, count, missing) => {
  await makeFormer(numbers);
  const before = await schema();
  const failed = migrate(pool);
  await expect(failed).rejects.toThrow(count);
  await expect(failed).rejects.toThrow(missing);
  await expect(failed).rejects.toThrow("Start commit a7229d3 of Parley on it once");
  expect(await schema()).toEqual(before);
  const { rows } = await pool.query(
    "select count(*)::int as steps, to_regclass('schema_migrations') as current from migrations",
  );
  expect(rows).toEqual([{ steps: numbers.length, current: null }]);
});

test("a database that a newer version migrated is refused once a step removed what this version uses", async () => {
  await makeFormer([...FORMER, 103]);
  await expect(migrate(pool)).rejects.toThrow("step 103 is not known to this one");
  await pool.query("delete from migrations where number = 103");
  await migrate(pool);
  await pool.query("insert into schema_migrations (number) values (9998), (9999)");
  await migrate(pool);
  await pool.query("insert into settings (name, value) values ('contract_step 9999', '')");
  await expect(migrate(pool)).rejects.toThrow("step 9999 is not known to this one");
});

/** Returns the steps of this version with further ones. */
function withSteps(...texts: string[]) {
  return [...readMigrations(), ...texts.map((text, i) => toMigration(`${9_001 + i}_more.sql`, text))];
}

test("a step that gets no lock lets others write, and tries again until it does", async () => {
  await migrate(pool);
  const reader = await pool.connect();
  await reader.query("begin; select 1 from call_rows");
  const migrating = migrate(pool, undefined, withSteps("alter table call_rows add column mark text"));
  const isWaiting = "select 1 from pg_locks where relation = 'call_rows'::regclass and not granted";
  // Waits, gives up, and waits again: whoever writes meanwhile is let in between.
  for (let tries = 0; tries < 2; tries++) {
    await vi.waitUntil(async () => (await pool.query(isWaiting)).rowCount === 1, { interval: 5, timeout: 10_000 });
    await pool.query("update call_rows set contact_name = contact_name");
  }
  await reader.query("rollback");
  reader.release();
  await migrating;
  expect((await recorded()).at(-1)).toBe(9_001);
});

test("an index is built while others write, whichever of several nodes comes first", async () => {
  await migrate(pool);
  const steps = withSteps("-- outside a transaction\ncreate index concurrently made on call_rows (customer_number);");
  await Promise.all([migrate(pool, undefined, steps), migrate(pool, undefined, steps)]);
  expect((await recorded()).filter((number) => number === 9_001)).toHaveLength(1);
  const { rows } = await pool.query("select indisvalid from pg_index where indexrelid = 'made'::regclass");
  expect(rows).toEqual([{ indisvalid: true }]);
});

test("a limit of idle transactions, as PgBouncer's, does not end the lock of a node while it builds an index", async () => {
  await migrate(pool);
  await pool.query("create table slow (a int); insert into slow values (1)");
  await pool.query(
    `create function slowly(a int) returns int immutable language plpgsql as
       'begin if a = 1 then perform pg_sleep(2); end if; return a; end'`,
  );
  const limit = "idle_in_transaction_session_timeout = '1500ms'";
  await pool.query(`alter database ${name} set ${limit}`);
  await pool.end();
  pool = connect(name);
  await migrate(
    pool,
    undefined,
    withSteps("-- outside a transaction\ncreate index concurrently made on slow (slowly(a));"),
  );
  expect((await recorded()).at(-1)).toBe(9_001);
});

test("an index that a crash left half-built is made anew, and one that is whole stays", async () => {
  await migrate(pool);
  await pool.query("create table twice (a int)");
  await pool.query("insert into twice values (1), (1)");
  // A unique index over rows that are not leaves an invalid one, as a crash does.
  await expect(pool.query("create unique index concurrently made on twice (a)")).rejects.toThrow("could not create");
  await pool.query("delete from twice");
  await pool.query("create index whole on twice (a)");
  const [before] = (await pool.query("select 'whole'::regclass::oid as id")).rows;
  const text = "create unique index concurrently made on twice (a); create index concurrently whole on twice (a);";
  await migrate(pool, undefined, withSteps(`-- outside a transaction\n${text}`));
  const { rows } = await pool.query(
    "select relname, indisvalid, oid as id from pg_index join pg_class on oid = indexrelid where indrelid = 'twice'::regclass order by 1",
  );
  expect(rows).toMatchObject([
    { relname: "made", indisvalid: true },
    { relname: "whole", indisvalid: true, id: before?.id },
  ]);
});

test("a contract is recorded, so that the version before it is refused from then on", async () => {
  await migrate(pool, undefined, withSteps("alter table nodes add column later text"));
  await migrate(pool);
  await migrate(
    pool,
    undefined,
    withSteps("alter table nodes add column later text", "-- contract\nalter table nodes drop column later"),
  );
  await expect(migrate(pool)).rejects.toThrow("step 9002 is not known to this one");
});
