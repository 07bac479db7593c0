import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { migrateWithin } from "#src/platform/db/migrate.ts";
import { Installation, readChecksums, readSchema, SECRET } from "../kit/backup-harness.ts";
import { createDatabase } from "../kit/database.ts";
import { ROOT } from "../kit/repository.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { programEnvironment } from "../kit/test-environment.ts";

/** Tables that a restore changes on purpose: it forgets the processes of the snapshot, and notes that it is held. */
const CHANGED = ["nodes", "settings"];

const folder = mkdtempSync(join(tmpdir(), "parley-backup-"));
let source: Installation;
/** A backup of the source, which nothing changes any more. */
const whole = join(folder, "whole");
/** Checksums of the source's tables at that time. */
let before: Record<string, string>;
let workspaceId: string;

beforeAll(async () => {
  source = new Installation(await createDatabase());
  const server = await ServerProcess.create({ DATABASE_URL: source.database.url });
  await server.start();
  const sample = (await server.operator("workspace.create", {
    name: "Backup",
    sample: true,
    sandboxSpeed: "instant",
  })) as { apiKey: string; workspaceId: string };
  ({ workspaceId } = sample);
  const rows = Array.from({ length: 30 }, (_, i) => ({
    customerNumber: `+1415${2_000_000 + i}`,
    contactName: `Zoë "\\t" O'Brien\t${i}\n\\.`,
    rowData: { note: "\\N \u0001 € 日本" },
  }));
  const reply = await fetch(`${server.url}/api/external/v1/call-jobs`, {
    method: "POST",
    headers: { "x-api-key": sample.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ rows }),
  });
  if (!reply.ok) throw new Error(await reply.text());
  const isOver = "select 1 from call_jobs where completed_at is not null";
  await vi.waitUntil(async () => (await source.database.query(isOver)).length === 1, { timeout: 60_000 });
  await server.stop();
  await addRecording("READY", Buffer.from("a finished recording"));
  await addRecording("ERASED", null);
  const made = await source.backup("create", whole);
  if (made.code !== 0) throw new Error(made.err);
  before = await readChecksums(source.database);
});
afterAll(async () => {
  await source[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Stores a recording and its file; returns the file's path. */
async function addRecording(state: string, content: Buffer | null): Promise<string> {
  const [row] = await source.database.query<{ path: string }>(
    `insert into call_recordings (workspace_id, attempt_id, row_id, path, sealed, state)
     select $1::uuid, id, gen_random_uuid(), $1 || '/2026-11/' || id || '.wav', false, $2
       from (select gen_random_uuid() as id) i returning path`,
    [workspaceId, state],
  );
  const path = join(source.recordings, row?.path ?? "");
  mkdirSync(dirname(path), { recursive: true });
  if (content) writeFileSync(path, content);
  return path;
}

async function empty(env: Record<string, string> = {}): Promise<Installation> {
  return new Installation(await createDatabase("template0"), env);
}

/** Returns all files below a folder, by their paths in it. */
function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .toSorted();
}

test("a role that only owns its database restores rows, schema and recordings as they were", async () => {
  await using target = await empty();
  const role = `parley_test_${randomBytes(4).toString("hex")}`;
  const url = new URL(target.database.url);
  await target.database.query(`create role ${role} login password 'p'`);
  await target.database.query(`alter database "${url.pathname.slice(1)}" owner to ${role}`);
  url.username = role;
  url.password = "p";
  target.system.env.DATABASE_URL = url.href;
  const restored = await target.backup("restore", whole);
  expect(restored.err).not.toContain("error");
  expect(restored.code).toBe(0);
  expect(before.call_rows).toMatch(/^30 rows/);
  expect(before.call_names).not.toMatch(/^0 rows/);
  // If most of the 87 tables were empty, this would compare nothing.
  expect(Object.values(before).filter((sum) => !sum.startsWith("0 rows")).length).toBeGreaterThan(30);
  const after = await readChecksums(target.database);
  for (const name of CHANGED) expect(after[name]).not.toBe(before[name]);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  const odd = Object.keys(before).filter((name) => after[name] !== before[name]);
  expect(odd).toEqual(CHANGED);
  expect(await readSchema(target.database)).toEqual(await readSchema(source.database));
  const [path] = filesOf(join(whole, "recordings"));
  expect(readFileSync(join(target.recordings, path as string), "utf8")).toBe("a finished recording");
  const owners = "select distinct tableowner as owner from pg_tables where schemaname = 'public'";
  expect(await target.database.query(owners)).toEqual([{ owner: role }]);
  await target.database.query(`reassign owned by ${role} to current_user`);
  await target.database.query(`alter database "${url.pathname.slice(1)}" owner to current_user`);
  await target.database.query(`drop owned by ${role}`);
  await target.database.query(`drop role ${role}`);
});

test("a backup is closed to others, and leaves out the secret", () => {
  const names = filesOf(whole);
  expect(names).toContain("manifest.json");
  for (const name of names) {
    expect(statSync(join(whole, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(dirname(join(whole, name))).mode & 0o777, name).toBe(0o700);
    expect(readFileSync(join(whole, name)).includes(SECRET), name).toBe(false);
  }
});

test("a database that can only be read, such as a replica, is backed up, and the command says what is not noted", async () => {
  const url = new URL(source.database.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  source.system.env.DATABASE_URL = url.href;
  const backup = join(folder, "read-only");
  const made = await source.backup("create", backup).finally(() => {
    source.system.env.DATABASE_URL = source.database.url;
  });
  expect({ code: made.code, out: made.out }).toEqual({ code: 0, out: expect.stringContaining(backup) as string });
  expect(made.err).toMatch(/upgrade check.*read-only transaction/);
  expect((await source.backup("verify", backup)).code).toBe(0);
});

test("a backup made while others write has one moment of all tables", async () => {
  const writer = new pg.Client({ connectionString: source.database.url });
  await writer.connect();
  let isStopping = false;
  // `audit_log` is copied first and `users` last: read at two moments they would differ.
  const write = async () => {
    for (let i = 0; !isStopping; i++) {
      await writer.query("begin");
      await writer.query(
        "insert into audit_log (workspace_id, id, actor_kind, actor, action) values ($1, gen_random_uuid(), 'USER', 'w', 'w')",
        [workspaceId],
      );
      await writer.query("insert into users (id, email, name, password_hash) values (gen_random_uuid(), $1, 'w', '')", [
        `w${i}@example.com`,
      ]);
      await writer.query("commit");
    }
  };
  const written = write();
  const backup = join(folder, "busy");
  const made = await source.backup("create", backup);
  isStopping = true;
  await written;
  expect(made.code, made.err).toBe(0);
  await using target = await empty();
  expect((await target.backup("restore", backup)).code).toBe(0);
  const counts = `select (select count(*)::int from audit_log where actor = 'w') as entries,
                         (select count(*)::int from users where name = 'w') as users`;
  const [found] = await target.database.query<{ entries: number; users: number }>(counts);
  expect(found?.entries).toBe(found?.users);
  const [now] = await writer.query(counts).then(({ rows }) => rows as { entries: number }[]);
  expect(now?.entries).toBeGreaterThan(found?.entries ?? Infinity);
  await writer.end();
});

test("another secret, or a database that is not empty, is refused before anything is written", async () => {
  await using other = await empty({ PARLEY_SECRET: "the secret of somebody else" });
  const refused = await other.backup("restore", whole);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("PARLEY_SECRET is not the one of this backup"),
  ]);
  await using bare = await empty({ PARLEY_SECRET: "" });
  expect((await bare.backup("restore", whole)).err).toContain("PARLEY_SECRET is not the one of this backup");
  expect(existsSync(join(bare.system.folder, "secret"))).toBe(false);
  for (const { database } of [other, bare]) expect(await readSchema(database)).toEqual([]);
  await using used = await empty();
  await used.database.query("create table kept (id integer)");
  const kept = await used.backup("restore", whole);
  expect([kept.code, kept.err]).toEqual([1, expect.stringContaining("The database is not empty: it has kept")]);
  expect(await readChecksums(used.database)).toEqual({ kept: expect.stringMatching(/^0 rows/) });
  for (const { recordings } of [other, bare, used]) expect(filesOf(recordings)).toEqual([]);
  source.system.env.PARLEY_SECRET = "the secret of somebody else";
  const unusable = await source.backup("create", join(folder, "unusable"));
  source.system.env.PARLEY_SECRET = SECRET;
  expect([unusable.code, unusable.err]).toEqual([
    1,
    expect.stringContaining("PARLEY_SECRET is not the one this database"),
  ]);
  expect(existsSync(join(folder, "unusable"))).toBe(false);
});

/** Changes one byte in the middle of a file. */
function flip(path: string): void {
  const content = readFileSync(path);
  const at = content.length >> 1;
  content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(path, content);
}

test.each<[string, (backup: string) => string]>([
  ["a changed table", (backup) => changed(join(backup, "tables/call_rows.zst"), flip)],
  ["a table that is cut off", (backup) => changed(join(backup, "tables/call_results.zst"), cutOff)],
  ["a table with something behind it", (backup) => changed(join(backup, "tables/call_rows.zst"), append)],
  ["a table that is missing", (backup) => changed(join(backup, "tables/events.zst"), rmSync)],
  ["the file of another table", (backup) => replaceTable(backup)],
  ["a changed recording", (backup) => changed(recordingOf(backup), flip)],
  ["a recording that is missing", (backup) => changed(recordingOf(backup), rmSync)],
  ["a changed list of recordings", (backup) => changed(join(backup, "recordings.zst"), cutOff)],
  ["a changed manifest", (backup) => changeManifest(backup)],
])("%s is found, and not restored", async (_, damage) => {
  const backup = join(mkdtempSync(join(folder, "damaged-")), "backup");
  cpSync(whole, backup, { recursive: true });
  const named = damage(backup);
  const verified = await source.backup("verify", backup);
  expect(verified.code).toBe(1);
  expect(verified.out).toContain(named);
  await using target = await empty();
  const refused = await target.backup("restore", backup);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(named)]);
  expect(await readSchema(target.database)).toEqual([]);
  expect(filesOf(target.recordings)).toEqual([]);
});

function changed(path: string, change: (path: string) => void): string {
  change(path);
  return path;
}

function cutOff(path: string): void {
  truncateSync(path, statSync(path).size - 3);
}

function append(path: string): void {
  appendFileSync(path, "more");
}

function replaceTable(backup: string): string {
  cpSync(join(backup, "tables/events.zst"), join(backup, "tables/call_rows.zst"));
  return join(backup, "tables/call_rows.zst");
}

function recordingOf(backup: string): string {
  return join(backup, "recordings", filesOf(join(backup, "recordings"))[0] as string);
}

function changeManifest(backup: string): string {
  const path = join(backup, "manifest.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(/"createdAt": "2/, '"createdAt": "1'));
  return "The manifest was changed";
}

test("a backup is verified without a database and without the secret, as far as that goes", async () => {
  await using elsewhere = await empty({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", PARLEY_SECRET: "" });
  const verified = await elsewhere.backup("verify", whole);
  expect([verified.code, verified.err]).toEqual([0, expect.stringContaining("Its seal was not checked")]);
});

/** Does work while the copy of the table `users` waits; those before it are written. */
async function whileCopyWaits(begin: () => void, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: source.database.url });
  await holder.connect();
  try {
    await holder.query("begin; lock table users in access exclusive mode");
    begin();
    const waiting = `select 1 from pg_stat_activity where application_name = 'parley backup' and wait_event_type = 'Lock'
                        and datname = current_database()`;
    const isWaiting = async () => (await source.database.query(waiting)).length === 1;
    await vi.waitUntil(isWaiting, { timeout: 90_000 });
    await work();
  } finally {
    await holder.end();
  }
}

test("a create that is killed leaves nothing that verifies", async () => {
  const place = mkdtempSync(join(folder, "killed-"));
  const args = [join(ROOT, "src/main.ts"), "backup", "create", join(place, "backup")];
  const env = programEnvironment({ DATABASE_URL: source.database.url, PARLEY_SECRET: SECRET, DATA_DIR: place });
  let child: ChildProcess | undefined;
  await whileCopyWaits(
    () => (child = spawn(process.execPath, args, { env, stdio: "ignore" })),
    async () => {
      child?.kill("SIGKILL");
      if (child) await once(child, "exit");
    },
  );
  const [left = ""] = readdirSync(place);
  expect(left).toMatch(/^backup\.unfinished/);
  expect(filesOf(join(place, left))).toContain("tables/call_rows.zst");
  const verified = await source.backup("verify", join(place, left));
  expect([verified.code, verified.err]).toEqual([1, expect.stringContaining("is no whole backup")]);
});

test("a create that is interrupted leaves nothing at all", async () => {
  const place = mkdtempSync(join(folder, "interrupted-"));
  let made: ReturnType<Installation["backup"]> | undefined;
  await whileCopyWaits(
    () => (made = source.backup("create", join(place, "backup"))),
    async () => {
      source.system.interrupt();
      expect(await made).toMatchObject({
        code: 130,
        err: expect.stringContaining("The backup was not made.") as string,
      });
    },
  );
  expect(readdirSync(place)).toEqual([]);
});

test("a restore that is interrupted leaves the database empty", async () => {
  await using target = await empty();
  const { system } = target;
  system.writeErr = (text) => {
    system.err += text;
    if (text.startsWith("call_rows")) system.interrupt();
  };
  expect(await target.backup("restore", whole)).toMatchObject({ code: 130, out: "" });
  expect(system.err).toContain("call_rows: 30 rows\n");
  expect(await readSchema(target.database)).toEqual([]);
  expect(filesOf(target.recordings)).toEqual([]);
});

test("a recording that grows is copied as far as it is written, and one without its file is reported", async () => {
  const growing = await addRecording("RECORDING", randomBytes(4_000_000));
  await addRecording("READY", null);
  const timer = setInterval(() => appendFileSync(growing, randomBytes(64_000)), 1);
  const backup = join(folder, "growing");
  const made = await source.backup("create", backup).finally(() => clearInterval(timer));
  expect(made.code, made.err).toBe(0);
  expect(made.err).toContain("The files of 1 recordings were not there");
  const verified = await source.backup("verify", backup);
  expect([verified.code, verified.err]).toEqual([0, expect.stringContaining("1 recordings were not there")]);
  const copy = readFileSync(join(backup, growing.slice(source.recordings.length - "recordings".length)));
  expect(copy.length).toBeGreaterThanOrEqual(4_000_000);
  expect(readFileSync(growing).subarray(0, copy.length).equals(copy)).toBe(true);

  const bare = join(folder, "bare");
  expect((await source.backup("create", "--without-recordings", bare)).code).toBe(0);
  expect(existsSync(join(bare, "recordings"))).toBe(false);
  await using target = await empty();
  const restored = await target.backup("restore", bare);
  expect([restored.code, restored.err]).toEqual([
    0,
    expect.stringContaining("The files of 3 recordings were left out"),
  ]);
});

test("recordings that are still in their folder are kept, and another file is never replaced", async () => {
  await using target = await empty();
  const [path = ""] = filesOf(join(whole, "recordings"));
  const place = join(target.recordings, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, "something else");
  const refused = await target.backup("restore", whole);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is another file than that of the backup")]);
  // No transaction waits for files: limits of idle transactions, as PgBouncer's, would end it.
  expect(refused.err).not.toContain("call_rows");
  expect(await readSchema(target.database)).toEqual([]);
  expect(readFileSync(place, "utf8")).toBe("something else");
  cpSync(join(whole, "recordings"), target.recordings, { recursive: true });
  chmodSync(place, 0o400);
  expect((await target.backup("restore", whole)).code).toBe(0);
  expect(filesOf(target.recordings)).toEqual([path]);
});

test("a backup of an older version is migrated, and one of a newer version is refused", async () => {
  await using older = await empty();
  const client = new pg.Client({ connectionString: older.database.url });
  await client.connect();
  await client.query("begin");
  await migrateWithin(
    client,
    Array.from({ length: 13 }, (_, i) => i + 1),
  );
  await client.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, contact_name) select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
       'COMPLETED', '+14155550123', 'US', 'MOBILE', gen_random_uuid(), 'Ada'`,
  );
  await client.query("commit");
  const backup = join(folder, "older");
  const made = await older.backup("create", backup);
  expect(made.code, made.err).toBe(0);
  await using target = await empty();
  const restored = await target.backup("restore", backup);
  expect(restored.code, restored.err).toBe(0);
  expect(await readSchema(target.database)).toEqual(await readSchema(source.database));
  // Step 16 fills this table from the rows that the backup brought.
  expect(await target.database.query("select number from call_numbers")).toEqual([{ number: "+14155550123" }]);
  expect(await target.database.query("select word from call_names")).toEqual([{ word: "ada" }]);

  await client.query("insert into schema_migrations (number) values (9999)");
  const newer = join(folder, "newer");
  expect((await older.backup("create", newer)).code).toBe(0);
  await client.end();
  await using refusing = await empty();
  const refused = await refusing.backup("restore", newer);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("step 9999 is not known")]);
  expect(await readSchema(refusing.database)).toEqual([]);
});
