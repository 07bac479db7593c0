import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { addNumbers, runJob } from "./dispatch.ts";
import { type BenchServer, cpuSeconds, startServer } from "./server-process.ts";

/** Times that the servers are started anew: two processes with the same settings differ by more than a round does. */
const STARTS = 5;
const ROUNDS = 6;
const CALLS = 1_500;
const PORT = 18_150;
/** Calls a second that are asked for, in jobs so far apart, and the goal for their share of the machine in percent. */
const RATE = 300;
const JOB_EVERY_MS = 500;
const GOAL = 2;

/** A way to run the server. */
interface Variant {
  name: string;
  env: Record<string, string>;
}

/** Costs of the calls of a variant. */
interface Cost {
  name: string;
  /** Milliseconds of CPU of a call, by round of all starts. */
  cpuMs: number[];
}

/** A started variant. */
interface Contender {
  cost: Cost;
  server: BenchServer;
  from: string[];
  /** CPU seconds of the server when its last round was over. */
  cpuBefore: number;
}

/** CPU that traces add to a call: servers with and without them, in turn over the same calls. */
export async function benchTracing(print: (line: string) => void): Promise<void> {
  print(
    `Tracing: ${ROUNDS} rounds of ${CALLS} calls, ${RATE} a second (people by hash, sandbox at instant speed, scripted model) on each of`,
  );
  print(
    `four servers, in an order that turns with the round, on ${STARTS} starts of all four. The first two do not trace:`,
  );
  print(
    "what differs between them is noise. CPU is that of the server's process, all its threads, without the database",
  );
  print(
    "and the collector, which takes every request; it counts from the end of a round to that of the next, so it has",
  );
  print("what is sent later too. A first round of each start is not counted.");
  const collector = createCollector();
  await new Promise<void>((resolve) => collector.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(collector.server.address() as AddressInfo).port}`;
  const variants: Variant[] = [
    { name: "without", env: {} },
    { name: "without, once more", env: {} },
    { name: "traced as by default", env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/default` } },
    {
      name: "every call traced",
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/every`, OTEL_TRACES_SAMPLER: "parentbased_always_on" },
    },
  ];
  const costs = variants.map(({ name }): Cost => ({ name, cpuMs: [] }));
  try {
    for (let start = 0; start < STARTS; start++) await runStart(variants, costs);
  } finally {
    collector.server.close();
  }
  const [without, ...others] = costs as [Cost, ...Cost[]];
  print(`  ${describe(without)}`);
  for (const one of others) print(`  ${describe(one)}, ${compare(one.cpuMs, without.cpuMs)}`);
  const calls = STARTS * (ROUNDS + 1) * CALLS;
  const [byDefault, every] = ["default", "every"].map(collector.received) as [Received, Received];
  print(
    `  Of ${calls} calls ${byDefault.calls} were traced by default and ${every.calls} of every one, of ${(every.bytes / every.calls / 1_024).toFixed(1)} KiB each.`,
  );
}

async function runStart(variants: Variant[], costs: Cost[]): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for (const [i, { env }] of variants.entries()) {
      const server = await startServer(PORT + i, [], env);
      const from = await addNumbers(server);
      contenders.push({ cost: costs[i] as Cost, server, from, cpuBefore: 0 });
    }
    for (let round = 0; round <= ROUNDS; round++) {
      const turned = contenders.map((_, i) => contenders[(i + round) % contenders.length] as Contender);
      for (const one of turned) await runRound(one, round);
    }
  } finally {
    for (const { server } of contenders) await server.close();
  }
}

/** The traced calls and bytes that a collector got from a variant. */
interface Received {
  calls: number;
  bytes: number;
}

/** Takes all requests, and counts by the first folder of the address. */
function createCollector() {
  const all = new Map<string, Received>();
  const received = (folder: string): Received => {
    const one = all.get(folder) ?? { calls: 0, bytes: 0 };
    all.set(folder, one);
    return one;
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const one = received(request.url?.split("/")[1] ?? "");
    one.bytes += body.length;
    one.calls += body.toString().split('"name":"call"').length - 1;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  return { server, received };
}

async function runRound(one: Contender, round: number): Promise<void> {
  const numbers = Array.from({ length: CALLS }, (_, i) => `+1415${2_000_000 + round * CALLS + i}`);
  const jobs: Promise<string>[] = [];
  const ofJob = (RATE * JOB_EVERY_MS) / 1_000;
  for (let first = 0; first < CALLS; first += ofJob) {
    jobs.push(runJob(one.server, one.from, numbers.slice(first, first + ofJob)));
    await new Promise((resolve) => setTimeout(resolve, JOB_EVERY_MS));
  }
  await Promise.all(jobs);
  const cpuAfter = cpuSeconds(one.server.pid);
  if (round > 0) one.cost.cpuMs.push(((cpuAfter - one.cpuBefore) * 1_000) / CALLS);
  one.cpuBefore = cpuAfter;
}

function describe({ name, cpuMs }: Cost): string {
  return `${name}: ${mean(cpuMs).toFixed(3)} ms of CPU a call`;
}

/** Compares round with round, which had the same calls and about the same machine; ± is two standard errors. */
function compare(own: number[], base: number[]): string {
  const added = own.map((ms, i) => ms - (base[i] as number));
  const addedMs = mean(added);
  const deviations = added.map((ms) => (ms - addedMs) ** 2);
  const errorMs = 2 * Math.sqrt(mean(deviations) / (added.length - 1));
  const ofMachine = (ms: number) => ((ms * RATE) / (10 * availableParallelism())).toFixed(2);
  const share = `${ofMachine(addedMs)} % of this machine's processors at ${RATE} calls/s, ± ${ofMachine(errorMs)} (goal ${GOAL} %)`;
  return `${addedMs.toFixed(3)} ms more (${((addedMs / mean(base)) * 100).toFixed(1)} %): ${share}`;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
