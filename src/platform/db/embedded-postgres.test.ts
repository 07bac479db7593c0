import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLog } from "#src/platform/kernel/log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { outputFault } from "./postgres-fault.ts";

const log = createLog("silent");
const isRoot = process.getuid?.() === 0;
let base: string;
let running: EmbeddedPostgres[];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "pg-test-"));
  if (isRoot) chmodSync(base, 0o711);
  running = [];
});

afterEach(async () => {
  // Stopped together: each of several that watch one server starts it again when another one stops it.
  await Promise.all(running.map((server) => server.stop()));
  rmSync(base, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  running.push(server);
  return server;
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client(server.config);
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}

test("keeps rows over a stop, is adopted while it runs, and closes its folders to others", async () => {
  const first = await start(base);
  expect(first.adopted).toBe(false);
  await ask(first, "create table kept as select 'Ö' as letter");

  const second = await start(base);
  expect(second.adopted).toBe(true);
  expect(await ask(second, "select lower(letter) from kept")).toBe("ö");
  expect(await ask(second, "show fsync")).toBe("on");
  expect(await ask(second, "show listen_addresses")).toBe("");
  expect(statSync(second.config.host).mode & 0o777).toBe(0o700);
  expect(statSync(join(base, "postgres")).mode & 0o777).toBe(0o700);

  await Promise.all([first.stop(), second.stop()]);
  await expect(ask(second, "select 1")).rejects.toThrow(/ENOENT/);
  const third = await start(base);
  expect(third.adopted).toBe(false);
  expect(await ask(third, "select count(*)::int from kept")).toBe(1);
});

test("says that initdb or the server works before it answers, so that others need not wait", async () => {
  for (const isMade of [false, true]) {
    const seen: boolean[][] = [];
    const there = (path: string): boolean => existsSync(join(base, "postgres", path));
    const onBegun = (): void => void seen.push([there("data"), there("run/.s.PGSQL.5432")]);
    const server = await startEmbeddedPostgres({ dataDir: base, log, onBegun });
    await server.stop();
    expect(seen[0]).toEqual([isMade, false]);
  }
});

test("two starts at once share one server", async () => {
  const servers = await Promise.all([start(base), start(base)]);
  expect(servers.filter((server) => server.adopted)).toHaveLength(1);
});

/** Starts the server on `base` in a separate program. */
async function startElsewhere(): Promise<ChildProcess> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "embedded-postgres.ts"))};
    const quiet = () => undefined;
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(base)}, log: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
    console.log("up");
    setInterval(quiet, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

test("a server left by a killed program is adopted with what it committed", async () => {
  const child = await startElsewhere();
  const pid = postmasterPid(base);
  child.kill("SIGKILL");
  await once(child, "exit");

  expect((await start(base)).adopted).toBe(true);
  expect(postmasterPid(base)).toBe(pid);
});

/** Asks until the server answers. */
async function askAgain(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  return vi.waitFor(() => ask(server, sql), { timeout: 60_000, interval: 50 });
}

test.each(["launched", "adopted"])(
  "a server that was %s and killed is started again, as often as that happens",
  async (how) => {
    const program = how === "adopted" ? await startElsewhere() : undefined;
    const server = await start(base);
    program?.kill("SIGKILL");
    await ask(server, "create table kept as select 7 as seven");
    for (let kill = 0; kill < 3; kill++) {
      process.kill(postmasterPid(base), "SIGKILL");
      expect(await askAgain(server, "select seven from kept")).toBe(7);
    }
  },
);

test("a server is started again although a statement of the killed one goes on and holds its memory", async () => {
  const server = await start(base);
  const busy = new pg.Client(server.config);
  busy.on("error", () => undefined);
  await busy.connect();
  const endless = busy.query("select count(*) from generate_series(1, 1000000000) g where sqrt(g) < 0");
  endless.catch(() => undefined);
  process.kill(postmasterPid(base), "SIGKILL");
  expect(await askAgain(server, "select 1")).toBe(1);
  await expect(endless).rejects.toThrow();
  await busy.end().catch(() => undefined);
});

test("a killed backend leaves the server where it is", async () => {
  const server = await start(base);
  const pid = postmasterPid(base);
  const backend = Number(await ask(server, "select pid from pg_stat_activity where backend_type = 'checkpointer'"));
  process.kill(backend, "SIGKILL");
  expect(await askAgain(server, "select 1")).toBe(1);
  expect(postmasterPid(base)).toBe(pid);
});

test("a server whose socket was swept away is replaced", async () => {
  const server = await start(base);
  const pid = postmasterPid(base);
  rmSync(join(server.config.host, ".s.PGSQL.5432"));
  await vi.waitFor(() => expect(postmasterPid(base)).not.toBe(pid), { timeout: 100_000, interval: 200 });
  expect(await askAgain(server, "select 1")).toBe(1);
});

test("after failures in a row the reason is told once, and nothing is tried any more", async () => {
  const reported: Error[] = [];
  const server = await startEmbeddedPostgres({ dataDir: base, log, onHopeless: (reason) => reported.push(reason) });
  running.push(server);
  renameSync(join(base, "postgres/data/global"), join(base, "postgres/data/global.away"));
  process.kill(postmasterPid(base), "SIGKILL");
  await vi.waitFor(() => expect(reported).toHaveLength(1), { timeout: 60_000, interval: 100 });
  expect(reported[0]?.message).toMatch(/did not start.*postgres said/s);
  await server.stop();
});

test("a lock file that names another program does not keep it from starting", async () => {
  await (await start(base)).stop();
  const file = join(base, "postgres/data/postmaster.pid");
  writeFileSync(file, `${process.pid}\n${join(base, "postgres/data")}\n1\n5432\n${base}\n\n  1 1\nready\n`, {
    mode: 0o644,
  });
  const server = await start(base);
  expect(server.adopted).toBe(false);
  expect(await ask(server, "select 1")).toBe(1);
});

test("a start that died in the middle is cleaned up", async () => {
  const draft = join(base, "postgres/init-1");
  mkdirSync(join(draft, "base"), { recursive: true });
  writeFileSync(join(base, "postgres/start.lock"), "2147483646");
  const server = await start(base);
  expect(await ask(server, "select 1")).toBe(1);
  expect(existsSync(draft)).toBe(false);
});

test("a path too long for a socket moves the socket to a closed temporary folder", async () => {
  const dataDir = join(base, "x".repeat(130));
  const server = await start(dataDir);
  try {
    expect(server.config.host).not.toContain(base);
    expect(statSync(server.config.host).mode & 0o777).toBe(0o700);
    expect(await ask(server, "select 1")).toBe(1);
  } finally {
    await server.stop();
    rmSync(server.config.host, { recursive: true, force: true });
  }
});

test("files of another major version are refused with a way out", async () => {
  await (await start(base)).stop();
  writeFileSync(join(base, "postgres/data/PG_VERSION"), "12\n");
  await expect(start(base)).rejects.toThrow(/written by PostgreSQL 12.*DATABASE_URL/s);
});

test("a full disk is named as such, whichever program reports it", () => {
  const initdb = 'FATAL:  could not extend file "base/1/2691": No space left on device';
  expect(outputFault("initdb", "/d", initdb).code).toBe("DISK_FULL");
  expect(outputFault("postgres", "/d", "FATAL:  could not load library").code).toBe("START_FAILED");
});

// Only root can switch to another account, which must be able to read the checkout.
test.skipIf(!isRoot || !canNobodyRead(import.meta.filename))(
  "root: PostgreSQL runs as nobody where others can pass",
  async () => {
    await start(base);
    expect(statSync(join(base, "postgres/data")).uid).toBe(65_534);
  },
);

/** False for a checkout below a 0700 home. */
function canNobodyRead(path: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", 'test -r "$1"', "sh", path], { uid: 65_534, gid: 65_534, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Only root can map itself, and a container may forbid it.
test.skipIf(!isRoot || !canMakeNamespaces())("root: the files stay root's below a 0700 folder", async () => {
  const closed = join(base, "closed");
  mkdirSync(closed, { mode: 0o700 });
  await start(closed);
  expect(statSync(join(closed, "postgres/data")).uid).toBe(0);
});

function canMakeNamespaces(): boolean {
  try {
    execFileSync("unshare", ["--user", "--map-user=1000", "--map-group=1000", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Root may write anywhere, so only an ordinary user can be refused.
test.skipIf(isRoot)("a folder that cannot be written to is named", async () => {
  const closed = join(base, "closed");
  mkdirSync(closed, { mode: 0o500 });
  await expect(start(closed)).rejects.toThrow(/cannot write to .*closed.*DATABASE_URL/s);
});
