import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { createDatabase } from "../tests/kit/database.ts";
import setUp from "../tests/kit/global-setup.ts";
import { ServerProcess } from "../tests/kit/server-process.ts";
import { percentileOf } from "./percentile.ts";
import { countOutcomes, findCutOff, PlacedCalls } from "./placed-calls.ts";
import { createRandom } from "./random.ts";

const NODES = 3;
const LONGEST_PAUSE_MS = 2_000;
/** Far beyond the longest call. */
const DRAIN_SECONDS = 600;

/**
 * Stops one server of three after the other at random moments, as a rolling restart does, and starts it again, while
 * calls are placed on all of them. Takes `rounds`, `seed`, the `rate` of calls a second and the sandbox's `speed`.
 * Returns the faults: calls that were cut off, people rung twice, acknowledged calls that are lost or stuck, and servers
 * that did not end in order.
 */
export async function soakDrain(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const [rounds, rate, speed] = [options.get("rounds") ?? 100, options.get("rate") ?? 20, options.get("speed") ?? 20];
  const random = createRandom(options.get("seed") ?? 20_261_123);
  const tearDown = await setUp();
  const folder = mkdtempSync(join(tmpdir(), "parley-ledger-"));
  const ledgerPath = join(folder, "ledger.jsonl");
  const exchange = await serveSandboxExchange({ port: 0, ledgerPath });
  const database = await createDatabase();
  const servers: ServerProcess[] = [];
  try {
    const shared = { DATABASE_URL: database.url, SANDBOX_CARRIER_URL: exchange.url, DRAIN_SECONDS: `${DRAIN_SECONDS}` };
    for (let i = 0; i < NODES; i++) {
      const server = await ServerProcess.create(shared);
      servers.push(server);
      await server.start();
    }
    const calls = await PlacedCalls.begin(servers, ledgerPath, { placeMs: 1_000 / rate, sandboxSpeed: speed });
    const faults = await restartInTurn({ rounds, random, print }, servers);
    await calls.stop();
    const rows = await calls.readRows();
    print(`${calls.count} calls acknowledged: ${countOutcomes(rows)}.`);
    return [...faults, ...findCutOff(rows), ...calls.check(rows)];
  } finally {
    for (const server of servers) server.kill();
    await Promise.all(servers.map((server) => server.stop()));
    await exchange.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
    await tearDown();
  }
}

interface Restarts {
  rounds: number;
  random: () => number;
  print: (line: string) => void;
}

async function restartInTurn({ rounds, random, print }: Restarts, servers: ServerProcess[]): Promise<string[]> {
  const faults: string[] = [];
  const live: number[] = [];
  const tookMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_PAUSE_MS));
    const server = servers[round % NODES] as ServerProcess;
    const { liveCalls } = await server.operator("drain.status", {});
    live.push(Number(liveCalls));
    const since = performance.now();
    server.kill("SIGTERM");
    const code = await server.gone;
    tookMs.push(performance.now() - since);
    if (code !== 0) faults.push(`round ${round}: the server ended with ${code}`);
    if (round % 10 === 0) print(`${round}. ${live.at(-1)} live calls, gone after ${Math.round(tookMs.at(-1) ?? 0)} ms`);
    await server.start();
  }
  const at = (values: number[], share: number) => Math.round(percentileOf(values, share));
  print(`Stopped ${rounds} times, with p50 ${at(live, 0.5)} and at most ${at(live, 1)} live calls.`);
  print(`Gone after p50 ${at(tookMs, 0.5)} ms, at most ${at(tookMs, 1)} ms.`);
  return faults;
}
