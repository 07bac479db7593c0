import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { createDatabase, type TestDatabase } from "../tests/kit/database.ts";
import setUp from "../tests/kit/global-setup.ts";
import { ROOT } from "../tests/kit/repository.ts";
import { ServerProcess } from "../tests/kit/server-process.ts";
import { countOutcomes, findCutOff, PlacedCalls } from "./placed-calls.ts";

const DRAIN_SECONDS = 120;
/** Time that each mix of versions runs. */
const PHASE_MS = 10_000;

/**
 * Upgrades two servers of the version before to this one, one after the other, as a rolling upgrade does, and one of them
 * back in between, while calls are placed on all of them. The version before is the last commit without the newest
 * migration, or with `back` so many commits ago. Takes the `rate` of calls a second, the sandbox's `speed` and `phase`,
 * the milliseconds that each mix runs. Returns the faults: answers of 5xx, calls that were cut off, people rung twice, and
 * acknowledged calls that are lost or stuck.
 */
export async function soakVersions(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const commit = findFormer(options.get("back"));
  if (commit === null) {
    print("SKIPPED: the version before is read from git, and there is no history here.");
    return [];
  }
  print(`The version before is commit ${commit.slice(0, 8)}.`);
  const tearDown = await setUp();
  const folder = mkdtempSync(join(tmpdir(), "parley-versions-"));
  const former = checkOut(commit, folder);
  const ledgerPath = join(folder, "ledger.jsonl");
  const exchange = await serveSandboxExchange({ port: 0, ledgerPath });
  const database = await createDatabase("template0");
  const env = { DATABASE_URL: database.url, SANDBOX_CARRIER_URL: exchange.url, DRAIN_SECONDS: `${DRAIN_SECONDS}` };
  const servers: ServerProcess[] = [];
  try {
    for (let i = 0; i < 2; i++) servers.push(await start(env, former));
    const placing = { placeMs: 1_000 / (options.get("rate") ?? 10), sandboxSpeed: options.get("speed") ?? 20 };
    const calls = await PlacedCalls.begin(servers, ledgerPath, placing);
    const faults = await roll({ env, former, phaseMs: options.get("phase") ?? PHASE_MS, print, database }, servers);
    await calls.stop();
    const rows = await calls.readRows();
    print(`${calls.count} calls acknowledged: ${countOutcomes(rows)}.`);
    for (const [number, row] of rows) {
      if (row.outcome === "FLOW_MISSING")
        faults.push(`${number} had no flow, although none was deleted: ${JSON.stringify(row)}`);
    }
    return [...faults, ...findCutOff(rows), ...calls.serverFaults, ...calls.check(rows)];
  } finally {
    for (const server of servers) server.kill();
    await Promise.all(servers.map((server) => server.stop()));
    await exchange.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
    await tearDown();
  }
}

/**
 * Returns the last commit without the newest migration, or the one `back` commits ago; null without git's history. A
 * commit of a branch whose migrations got other numbers when it was merged is no version before this one.
 */
function findFormer(back: number | undefined): string | null {
  try {
    if (back !== undefined) return git("rev-parse", `HEAD~${back}`);
    const now = listMigrations("HEAD");
    const added = git("log", "-m", "--format=%H", "--diff-filter=A", "--", "migrations").split("\n");
    for (const commit of added) {
      const former = git("rev-parse", `${commit}^`);
      const then = listMigrations(former);
      if (then.length < now.length && then.every((file, i) => file === now[i])) return former;
    }
  } catch {
    // No git, or a history that was cut.
  }
  return null;
}

/** Returns the migrations of a commit in their order, each with the hash of its text. */
function listMigrations(commit: string): string[] {
  return git("ls-tree", "-r", commit, "migrations").split("\n");
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** Writes the sources of a commit into a folder, with the dependencies of this one; returns the main file. */
function checkOut(commit: string, folder: string): string {
  const archive = execFileSync("git", ["archive", commit, "package.json", "src", "migrations"], {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
  });
  execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return join(folder, "src/main.ts");
}

async function start(env: Record<string, string>, main?: string): Promise<ServerProcess> {
  const server = await ServerProcess.create(env, [], main === undefined ? {} : { main });
  await server.start();
  return server;
}

interface Rolling {
  env: Record<string, string>;
  /** Main file of the version before. */
  former: string;
  phaseMs: number;
  print: (line: string) => void;
  database: TestDatabase;
}

/** Replaces the servers, of which calls are placed on those that are in the list. Returns servers that did not end in order. */
async function roll({ env, former, phaseMs, print, database }: Rolling, servers: ServerProcess[]): Promise<string[]> {
  const faults: string[] = [];
  const phase = async (what: string) => {
    await new Promise((resolve) => setTimeout(resolve, phaseMs));
    const [{ step } = { step: 0 }] = await database.query<{ step: number }>(
      "select max(number)::int as step from schema_migrations",
    );
    print(`${what}, schema ${step}.`);
  };
  const replace = async (main?: string) => {
    servers.push(await start(env, main));
    const leaving = servers.shift() as ServerProcess;
    leaving.kill("SIGTERM");
    const code = await leaving.gone;
    if (code !== 0) faults.push(`A server ended with ${code}.`);
    await leaving.stop();
  };
  await phase("Two servers of the version before");
  await replace();
  await phase("One of each version");
  // Back again on the newer schema: the new server goes, one of the version before comes.
  servers.reverse();
  await replace(former);
  await phase("Two servers of the version before, on the newer schema");
  await replace();
  await replace();
  await phase("Two servers of this version");
  return faults;
}
