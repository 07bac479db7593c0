import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketUrl } from "#kit/socket-url.ts";
import { findEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { percentileOf } from "./percentile.ts";
import { PlacedCalls } from "./placed-calls.ts";
import { createRandom } from "./random.ts";
import { SupervisedServer } from "./supervised-server.ts";

interface KillOptions {
  rounds: number;
  seed: number;
  /** Time after a kill within which dialling must have resumed. */
  limitMs: number;
  print: (line: string) => void;
}

/** Processes that are killed, in random order. The first server's database serves both. */
const VICTIMS = ["FIRST SERVER", "SECOND SERVER", "DATABASE"] as const;
type Victim = (typeof VICTIMS)[number];

/** Interval at which calls are placed, whatever becomes of them. */
const PLACE_MS = 200;
const PAUSE_MS = 3_000;
const SECRET = "a secret that all nodes share";

/**
 * Kills the processes of a two-node installation one after the other at random moments while calls are placed, and
 * repairs nothing. Takes `rounds`, `seed` and the `seconds` within which dialling must have resumed. Returns the
 * faults: dialling that did not resume in time, people rung twice, acknowledged calls that are lost or stuck.
 */
export async function soakKills(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const rounds = options.get("rounds") ?? 100;
  const seed = options.get("seed") ?? 20_261_122;
  const limitMs = (options.get("seconds") ?? 10) * 1_000;
  const folder = mkdtempSync(join(tmpdir(), "parley-ledger-"));
  const ledgerPath = join(folder, "ledger.jsonl");
  const exchange = await serveSandboxExchange({ port: 0, ledgerPath });
  const shared = { SANDBOX_CARRIER_URL: exchange.url, PARLEY_SECRET: SECRET, LOG_LEVEL: "error" };
  const servers: SupervisedServer[] = [];
  try {
    const first = await SupervisedServer.start(shared);
    servers.push(first);
    const url = socketUrl(findEmbeddedPostgres(first.dataDir));
    servers.push(await SupervisedServer.start({ ...shared, DATABASE_URL: url }));
    const calls = await PlacedCalls.begin(servers, ledgerPath, { placeMs: PLACE_MS, sandboxSpeed: "instant" });
    const faults = await strike({ rounds, seed, limitMs, print }, servers, calls);
    await calls.stop();
    return [...faults, ...calls.check(await calls.readRows())];
  } finally {
    for (const server of servers.toReversed()) await server.stop();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function strike(options: KillOptions, servers: SupervisedServer[], calls: PlacedCalls): Promise<string[]> {
  const { rounds, limitMs, print } = options;
  const random = createRandom(options.seed);
  const faults: string[] = [];
  const resumed: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await pause(random() * PAUSE_MS);
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] as Victim;
    const killedAt = performance.now();
    kill(victim, servers);
    const tookMs = await calls.untilOneRings(killedAt, 6 * limitMs);
    resumed.push(tookMs ?? Number.POSITIVE_INFINITY);
    print(
      `${round}. ${victim}: ${tookMs === null ? "nothing is dialled" : `dialled again after ${Math.round(tookMs)} ms`}`,
    );
    if (tookMs === null || tookMs > limitMs) faults.push(`round ${round}: ${victim} killed, ${tookMs ?? "no"} ms`);
    if (tookMs === null) {
      for (const { url, output } of servers) print(`${url} said last:\n${output.slice(-3_000)}`);
      break;
    }
  }
  const at = (share: number) => Math.round(percentileOf(resumed, share));
  print(`Dialled again after p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms; ${calls.count} acknowledged.`);
  return faults;
}

/** Kills a process. A process that is being restarted cannot be killed; then the round does nothing. */
function kill(victim: Victim, [first, second]: SupervisedServer[]): void {
  try {
    const server = victim === "SECOND SERVER" ? second : first;
    const pid = victim === "DATABASE" ? server?.postmasterPid : server?.serverPid;
    if (pid) process.kill(pid, "SIGKILL");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "ESRCH" && code !== "ENOENT") throw error;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
