import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { checkLedger, type CheckedRow, readLedger } from "../tests/kit/ledger-check.ts";
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
const SETTLE_MS = 120_000;
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
    const { user, host, port, database } = findEmbeddedPostgres(first.dataDir);
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    servers.push(await SupervisedServer.start({ ...shared, DATABASE_URL: url }));
    const calls = await Calls.begin(servers, ledgerPath);
    const faults = await strike({ rounds, seed, limitMs, print }, servers, calls);
    await calls.stop();
    return [...faults, ...(await calls.check())];
  } finally {
    for (const server of servers.toReversed()) await server.stop();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function strike(options: KillOptions, servers: SupervisedServer[], calls: Calls): Promise<string[]> {
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
  const sorted = resumed.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
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

/** Calls placed on both nodes all the time, each to a number of its own. */
class Calls {
  readonly #servers: SupervisedServer[];
  readonly #ledgerPath: string;
  readonly #apiKey: string;
  /** Time at which each number's call was requested. */
  readonly #askedAt = new Map<string, number>();
  /** Rows that were acknowledged, by number. */
  readonly #acknowledged = new Map<string, string>();
  readonly #flying = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(servers: SupervisedServer[], ledgerPath: string, apiKey: string) {
    this.#servers = servers;
    this.#ledgerPath = ledgerPath;
    this.#apiKey = apiKey;
  }

  static async begin(servers: SupervisedServer[], ledgerPath: string): Promise<Calls> {
    const made = await servers[0]?.operator("workspace.create", {
      name: "Kills",
      sample: true,
      sandboxSpeed: "instant",
      rateLimit: { capacity: 1e6, refill: 1e6, periodSeconds: 1 },
    });
    const calls = new Calls(servers, ledgerPath, String(made?.apiKey));
    calls.#timer = setInterval(() => calls.#place(), PLACE_MS);
    return calls;
  }

  get count(): number {
    return this.#acknowledged.size;
  }

  #place(): void {
    const n = this.#askedAt.size;
    const number = `+1415${2_000_000 + n}`;
    this.#askedAt.set(number, performance.now());
    const work = this.#ask(this.#servers[n % 2] as SupervisedServer, "POST", "/outbound/calls", {
      customerNumber: number,
    })
      .then((body) => void this.#acknowledged.set(number, String(body.rowId)))
      .catch(() => undefined)
      .finally(() => this.#flying.delete(work));
    this.#flying.add(work);
  }

  async #ask(server: SupervisedServer, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${server.url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": this.#apiKey, ...(body ? { "content-type": "application/json" } : {}) },
      signal: AbortSignal.timeout(10_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (reply.status !== 200) throw new Error(`${reply.status}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  /** Waits until a call requested after `sinceMs` rings; returns the milliseconds from `sinceMs` to then. */
  async untilOneRings(sinceMs: number, timeoutMs: number): Promise<number | null> {
    while (performance.now() - sinceMs < timeoutMs) {
      const rung = readLedger(this.#ledgerPath, true).findLast(({ event }) => event === "RING");
      if (rung && (this.#askedAt.get(rung.to) ?? 0) > sinceMs) return performance.now() - sinceMs;
      await pause(20);
    }
    return null;
  }

  /** Stops placing calls, and waits for the answers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#flying);
  }

  /** Returns the faults found once every acknowledged call has ended. */
  async check(): Promise<string[]> {
    const deadline = performance.now() + SETTLE_MS;
    const rows: CheckedRow[] = [];
    for (const [number, id] of this.#acknowledged) {
      let row: Record<string, unknown> = {};
      while (performance.now() < deadline) {
        row = await this.#ask(this.#servers[0] as SupervisedServer, "GET", `/call-rows/${id}`).catch(() => ({}));
        if (typeof row.endedAt === "string") break;
        await pause(100);
      }
      rows.push({ customerNumber: number, status: String(row.status), attempt: Number(row.attempt) });
    }
    return checkLedger(readLedger(this.#ledgerPath), rows, [...this.#acknowledged.keys()]);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Seeded random generator, so that the victims of a run can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
