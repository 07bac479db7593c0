import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { fillWithCalls, fillWithOthers } from "#kit/filled-workspace.ts";
import { socketUrl } from "#kit/socket-url.ts";
import { startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { measureTree } from "./process-tree.ts";
import { type BenchServer, runProcess, startServer } from "./server-process.ts";

type Print = (line: string) => void;

const DEFAULT_CALLS = 1_000_000;
/** People, finished tasks and audit entries, for each call. */
const OTHERS = 0.2;
const SECRET = "the secret of a benchmark";
const ALONE_MS = 10_000;
const CALL_EVERY_MS = 50;
const SAMPLE_MS = 100;
const [SOURCE, TARGET, PEER] = ["parley_bench_source", "parley_bench_target", "parley_bench_peer"];

/**
 * Measures a backup of a million finished calls (`--rows=N`) with their transcripts, attempts, costs and events while
 * calls are placed, then a restore into another database of the same server, and compares the tables. Peers: pg_dump
 * and pg_restore, where this machine has those of the server's version. `DATABASE_URL` names a server of yours, whose
 * databases `parley_bench_…` are dropped; without it, the embedded one is used.
 */
export async function benchBackup(print: Print): Promise<void> {
  const calls = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_CALLS);
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-backup-"));
  const close = { server: async () => undefined, database: async () => undefined } as Record<
    "server" | "database",
    () => Promise<unknown>
  >;
  try {
    const url = process.env.DATABASE_URL ?? (await startDatabase(folder, (stop) => (close.database = stop)));
    for (const name of [SOURCE, TARGET, PEER]) {
      await onServer(url, `drop database if exists ${name} with (force)`);
      await onServer(url, `create database ${name}`);
    }
    const [{ server_version: version } = { server_version: "" }] = await onServer<{ server_version: string }>(
      url,
      "show server_version",
    );
    const server = await startServer(18_089, [], { DATABASE_URL: urlOf(url, SOURCE), PARLEY_SECRET: SECRET });
    close.server = () => server.close();
    print(
      `Backup: ${calls} finished calls in PostgreSQL ${version}, ${1_000 / CALL_EVERY_MS} calls a second meanwhile.`,
    );
    await fill(server, calls);
    await measureCreate(server, url, join(folder, "busy"), print);
    await server.close();
    close.server = async () => undefined;
    await measureRestore(url, folder, print);
    comparePeers(url, folder, Number.parseInt(version), print);
  } finally {
    await close.server();
    await close.database();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startDatabase(folder: string, onStop: (stop: () => Promise<void>) => void): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir: join(folder, "data"), log: createLog("error") });
  onStop(() => embedded.stop());
  return socketUrl(embedded.config);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<Row extends pg.QueryResultRow>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function fill(server: BenchServer, calls: number): Promise<void> {
  const client = new pg.Client(server.database);
  await client.connect();
  await fillWithCalls(client, server.workspaceId, calls);
  await fillWithOthers(client, server.workspaceId, Math.round(calls * OTHERS));
  await client.query("checkpoint");
  await client.end();
}

async function measureCreate(server: BenchServer, url: string, folder: string, print: Print): Promise<void> {
  const alone = new Caller(server);
  await new Promise((resolve) => setTimeout(resolve, ALONE_MS));
  print(`  POST /outbound/calls before: ${await alone.stop()}`);
  const meanwhile = new Caller(server);
  const created = await parley(url, SOURCE, ["create", folder]);
  print(`  meanwhile: ${await meanwhile.stop()}`);
  print(`  create under load: ${describe(created)}, ${megabytes(sizeOf(folder))} on disk`);
  print(`  verify: ${describe(await parley(url, SOURCE, ["verify", folder]))}`);
}

async function measureRestore(url: string, folder: string, print: Print): Promise<void> {
  const backup = join(folder, "quiet");
  const before = await checksums(urlOf(url, SOURCE));
  const [size] = await onServer<{ bytes: number }>(
    urlOf(url, SOURCE),
    "select pg_database_size(current_database())::float8 as bytes",
  );
  print(`  database: ${megabytes(size?.bytes ?? 0)}, with its indexes`);
  print(`  create at rest: ${describe(await parley(url, SOURCE, ["create", backup]))}, ${megabytes(sizeOf(backup))}`);
  print(`  restore: ${describe(await parley(url, TARGET, ["restore", backup, "--resume"]))}`);
  const after = await checksums(urlOf(url, TARGET));
  // A restore forgets the processes of the installation that was backed up.
  const odd = [...before.keys()].filter((name) => name !== "nodes" && before.get(name) !== after.get(name));
  if (odd.length > 0) throw new Error(`These tables differ after the restore: ${odd.join(", ")}.`);
  print(`  ${before.size - 1} tables are equal, by a checksum over all rows.`);
}

/** Returns a checksum of each table, whatever the order of its rows. */
async function checksums(url: string): Promise<Map<string, string>> {
  const tables = await onServer<{ name: string }>(
    url,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'",
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await onServer<{ sum: string }>(
      url,
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from "${name}" t`,
    );
    found.set(name, row?.sum ?? "");
  }
  return found;
}

interface Run {
  seconds: number;
  /** The most memory that its process had. */
  megabytes: number;
}

/** Runs `parley backup …` in a process of its own, with a data folder beside the backup. */
async function parley(url: string, database: string, args: [string, string, ...string[]]): Promise<Run> {
  const startedAt = performance.now();
  const env = {
    DATABASE_URL: urlOf(url, database),
    PARLEY_SECRET: SECRET,
    DATA_DIR: join(dirname(args[1]), "cli"),
  };
  const child = runProcess(["src/main.ts", "--quiet", "backup", ...args], env);
  let most = 0;
  const sampler = setInterval(() => (most = Math.max(most, measureTree(child.pid as number).megabytes)), SAMPLE_MS);
  const [code] = (await once(child, "exit")) as [number];
  clearInterval(sampler);
  if (code !== 0) throw new Error(`parley backup ${args.join(" ")} ended with ${code}.`);
  return { seconds: (performance.now() - startedAt) / 1_000, megabytes: most };
}

function describe({ seconds, megabytes: memory }: Run): string {
  return `${seconds.toFixed(1)} s, at most ${memory.toFixed(0)} MB of memory`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function comparePeers(url: string, folder: string, major: number, print: Print): void {
  const bin = findClients(major);
  if (bin === undefined) return print(`  Peer: no pg_dump of PostgreSQL ${major} on this machine.`);
  const path = join(folder, "peer");
  const time = (program: string, args: string[]) => {
    const startedAt = performance.now();
    execFileSync(join(bin, program), args, { stdio: ["ignore", "ignore", "inherit"] });
    return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  };
  const dumped = time("pg_dump", ["--format=custom", `--file=${path}`, urlOf(url, SOURCE)]);
  print(`  Peer, pg_dump in its own format at rest: ${dumped}, ${megabytes(statSync(path).size)}`);
  print(`  Peer, pg_restore: ${time("pg_restore", ["--no-owner", `--dbname=${urlOf(url, PEER)}`, path])}`);
}

/** Returns the folder of the client programs of a version of PostgreSQL, if this machine has them. */
function findClients(major: number): string | undefined {
  const folders = [`/usr/lib/postgresql/${major}/bin`, ...(process.env.PATH ?? "").split(":")];
  return folders.find((folder) => {
    if (!existsSync(join(folder, "pg_dump")) || !existsSync(join(folder, "pg_restore"))) return false;
    const text = execFileSync(join(folder, "pg_dump"), ["--version"], { encoding: "utf8" });
    return Number.parseInt(/(\d+)/.exec(text)?.[1] ?? "") === major;
  });
}

/** Places calls at a steady rate and notes how long each answer takes. */
class Caller {
  readonly #latencies: number[] = [];
  readonly #open = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: BenchServer) {
    this.#timer = setInterval(() => {
      const call = this.#call(server).finally(() => this.#open.delete(call));
      this.#open.add(call);
    }, CALL_EVERY_MS);
  }

  async stop(): Promise<string> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms (${sorted.length} requests)`;
  }

  async #call({ url, apiKey }: BenchServer): Promise<void> {
    const startedAt = performance.now();
    const reply = await fetch(`${url}/api/external/v1/outbound/calls`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ customerNumber: "+12025550100" }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
    this.#latencies.push(performance.now() - startedAt);
  }
}
