import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { migrateWithin } from "#src/platform/db/migrate.ts";
import { readMigrations } from "#src/platform/db/migration-files.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import { findDoubtfulSettings } from "#src/surfaces/upgrade/settings.ts";
import { Installation } from "../kit/backup-harness.ts";
import { createDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { findSettingNames } from "../kit/setting-names.ts";

interface Found {
  isReady: boolean;
  findings: { name: string; level: string; message: string }[];
  migrations: { file: string; phase: string; locks: { table: string; rows: number | null }[] }[];
  nodes: { address: string; version: string | null }[];
}

let installation: Installation | undefined;
afterEach(async () => {
  await installation?.[Symbol.asyncDispose]();
  installation = undefined;
});

function install(made: Installation): Installation {
  return (installation = made);
}

async function check({
  system,
}: Installation): Promise<{ code: number; found: Found; levels: Record<string, string> }> {
  system.out = "";
  const code = await system.run("upgrade", "check", "--json");
  const found = JSON.parse(system.out) as Found;
  return { code, found, levels: Object.fromEntries(found.findings.map(({ name, level }) => [name, level])) };
}

const messageOf = ({ findings }: Found, name: string) => findings.find((one) => one.name === name)?.message ?? "";

/** Creates a database with the first so many steps. */
async function createOlder(steps: readonly number[]): Promise<Installation> {
  const made = install(new Installation(await createDatabase("template0")));
  const client = new pg.Client({ connectionString: made.database.url });
  await client.connect();
  await client.query("begin");
  await migrateWithin(client, steps);
  await client.query("commit");
  await client.end();
  return made;
}

test("a running installation of this version is ready: nothing to migrate, its node and version, no backup known", async () => {
  const one = install(new Installation(await createDatabase()));
  const server = await ServerProcess.create({ DATABASE_URL: one.database.url });
  await server.start();
  const { code, found, levels } = await check(one);
  expect([code, found.isReady, found.migrations]).toEqual([0, true, []]);
  expect(found.nodes).toEqual([{ address: server.url, version: readVersion() }]);
  const fine = ["postgresql", "migrations", "locks", "nodes", "secret", "disk", "settings"];
  expect(levels).toEqual({ ...Object.fromEntries(fine.map((name) => [name, "OK"])), backup: "WARNING" });
  expect((await one.backup("create", `${one.system.folder}/b`)).code).toBe(0);
  expect((await check(one)).levels.backup).toBe("OK");
  one.system.env.PARLEY_SECRET = "quite another secret";
  const other = await check(one);
  expect([other.code, other.levels.secret]).toEqual([1, "FAULT"]);
  await server.stop();
});

test("steps that are to run are named with the tables that they lock, and change nothing", async () => {
  const steps = readMigrations().map(({ number }) => number);
  const one = await createOlder(steps.filter((number) => number < 14));
  await one.database.query("analyze call_rows");
  await one.database.query(
    "insert into nodes (id, name, alive_until, address) values (gen_random_uuid(), 'x', now() + interval '1 minute', 'http://old:8080')",
  );
  const { code, found } = await check(one);
  expect(code).toBe(0);
  expect(found.migrations.map(({ file }) => Number(file.slice(0, 4)))).toEqual(steps.filter((number) => number >= 14));
  expect(found.migrations[0]?.locks.map(({ table }) => table)).toEqual(["call_jobs", "call_rows"]);
  expect(found.nodes).toEqual([{ address: "http://old:8080", version: null }]);
  expect(messageOf(found, "locks")).toContain("0014_names_of_imports.sql locks call_rows");
  const rows = await one.database.query("select max(number) as last from schema_migrations");
  expect(rows).toEqual([{ last: 13 }]);
});

test("a database from which a newer version removed something is a fault, one that it only added to is not", async () => {
  const one = install(new Installation(await createDatabase()));
  await one.database.query("insert into schema_migrations (number) values (9001)");
  const added = await check(one);
  expect([added.code, messageOf(added.found, "migrations")]).toEqual([0, expect.stringContaining("9001")]);
  await one.database.query("insert into settings (name, value) values ('contract_step 9001', '')");
  const removed = await check(one);
  expect([removed.code, removed.levels.migrations]).toEqual([1, "FAULT"]);
});

test("an empty database, and variables that this version does not know, are said", async () => {
  const one = install(new Installation(await createDatabase("template0"), { PARLEY_SECERT: "x", PARLEY_OLD: "1" }));
  const { code, found, levels } = await check(one);
  expect([code, levels.settings, found.migrations.length]).toEqual([0, "WARNING", readMigrations().length]);
  expect(messageOf(found, "settings")).toBe(
    "Not known to this version: PARLEY_SECERT, perhaps PARLEY_SECRET; PARLEY_OLD.",
  );
});

test("a checkout without a data folder, as of a server elsewhere, is checked all the same", async () => {
  const one = install(new Installation(await createDatabase(), { DATA_DIR: "/nowhere/at/all" }));
  const { code, found, levels } = await check(one);
  expect([code, levels.disk]).toEqual([0, "WARNING"]);
  expect(messageOf(found, "disk")).toContain("There is no DATA_DIR /nowhere/at/all");
});

test("every setting that the configuration reads is known, and variables of others are not doubted", () => {
  expect(findDoubtfulSettings(Object.fromEntries(findSettingNames().map((name) => [name, "x"])))).toEqual([]);
  const others = ["PATH", "HOME", "LANG", "PARLEY_SERVICE_HOST", "PARLEY_PORT_8080_TCP", "POSTGRES_PASSWORD"];
  expect(findDoubtfulSettings(Object.fromEntries(others.map((name) => [name, "x"])))).toEqual([]);
});
