import { afterEach, beforeEach, expect, test } from "vitest";
import { type Migration, readIndexStatements, readMigrations, toMigration } from "#src/platform/db/migration-files.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { type Fault, findFaults } from "../kit/migration-locks.ts";

/** Number of the last file of the baseline, which runs on an empty database alone. */
const BASELINE = 12;

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase("template0");
});
afterEach(() => database.drop());

async function apply(steps: readonly Migration[]): Promise<void> {
  // Several statements in one query are a transaction, in which no index is built concurrently.
  for (const { text, isConcurrent } of steps)
    await database.query(isConcurrent ? text.replaceAll(/\bconcurrently\b/gi, "") : text);
}

const steps = readMigrations();
const later = steps.filter(({ number }) => number > BASELINE);

test("no migration after the baseline works through a table that is in use while it locks one", async () => {
  await apply(steps.filter(({ number }) => number <= BASELINE));
  const faults: Fault[] = [];
  for (const step of later) faults.push(...(await findFaults(database, step)));
  expect(faults).toEqual([]);
  // Seven tables are new since, or it would have looked at nothing.
  expect((await database.query("select to_regclass('call_backs') as made"))[0]?.made).not.toBeNull();
});

test.each([
  ["an index", "create index i on call_rows (customer_number)", "call_rows"],
  ["a primary key", "alter table call_names add constraint one unique (word, row_id, workspace_id)", "call_names"],
  ["a rewrite", "alter table call_rows alter column attempts_made type bigint", "call_rows"],
  ["a volatile default", "alter table events add column mark uuid default gen_random_uuid()", "events"],
  ["a not null", "alter table call_rows alter column contact_name set not null", "call_rows"],
  ["a check", "alter table call_rows add constraint positive check (attempts_made >= 0)", "call_rows"],
  [
    "a foreign key",
    "alter table call_results add constraint w foreign key (workspace_id) references workspaces",
    "call_results",
  ],
  ["a change of all rows", "update call_rows set contact_name = 'x'", "call_rows"],
  ["a deletion of all rows", "delete from events", "events"],
  [
    "a long work after a lock",
    "alter table call_jobs add column a int; create table c as select * from call_rows",
    "call_rows",
  ],
  [
    "a validation that keeps the lock of its constraint",
    "alter table call_rows add constraint p check (attempts_made >= 0) not valid; alter table call_rows validate constraint p",
    "call_rows",
  ],
])("%s is refused", async (_, text, table) => {
  await apply(steps);
  const faults = await findFaults(database, toMigration("9999_bad.sql", text));
  expect(faults.map((fault) => fault.table)).toContain(table);
});

test.each([
  ["a column", "alter table call_rows add column mark text"],
  ["a column with a constant", "alter table call_rows add column mark text not null default 'x'"],
  ["a constraint that is not validated", "alter table call_rows add constraint p check (attempts_made >= 0) not valid"],
  ["a table of its own", "create table fresh (a int); create index on fresh (a); insert into fresh select 1"],
  ["a copy that locks nothing", "create table copied as select customer_number from call_rows"],
  ["a small table", "update settings set value = value; create index i on nodes (name)"],
])("%s is allowed", async (_, text) => {
  await apply(steps);
  expect(await findFaults(database, toMigration("9999_good.sql", text))).toEqual([]);
});

test("a validation in a step of its own is allowed", async () => {
  await apply(steps);
  await database.query("alter table call_rows add constraint p check (attempts_made >= 0) not valid");
  const text = "alter table call_rows validate constraint p";
  expect(await findFaults(database, toMigration("9999_good.sql", text))).toEqual([]);
});

/** Changes that take away what servers of the version before use. */
const REMOVING =
  /\b(drop table|drop column|rename (?:column|to|constraint)|alter column \w+ (?:set not null|type)|drop function|drop view)\b/i;

test("a step that removes something says that it is a contract, and others do not", () => {
  const bare = (text: string) => text.replaceAll(/--.*$/gm, "").replaceAll(/\$\$[^]*?\$\$/g, "");
  const removing = later.filter(({ text }) => REMOVING.test(bare(text))).map(({ file }) => file);
  expect(later.filter(({ phase }) => phase === "CONTRACT").map(({ file }) => file)).toEqual(removing);
});

test("a step outside a transaction has statements of indexes alone", () => {
  for (const step of later.filter(({ isConcurrent }) => isConcurrent)) readIndexStatements(step);
  const file = "9999_x.sql";
  const text =
    "-- outside a transaction\n-- why\ncreate unique index concurrently a on b (c);\ndrop index concurrently if exists d;";
  expect(toMigration(file, text).isConcurrent).toBe(true);
  expect(readIndexStatements({ file, text }).map(({ action, index }) => `${action} ${index}`)).toEqual([
    "create a",
    "drop d",
  ]);
  expect(() => readIndexStatements({ file, text: "alter table a add column b int" })).toThrow(
    "may only create or drop",
  );
});
