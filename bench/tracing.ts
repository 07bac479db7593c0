import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { addNumbers, runJob } from "./dispatch.ts";
import { type BenchServer, cpuSeconds, startServer } from "./server-process.ts";

const ROUNDS = 9;
const CALLS = 1_500;
const PORT = 18_100;
/** Calls a second for which the share of the machine is printed, and the goal for it in percent. */
const RATE = 300;
const GOAL = 2;

/** A way to run the server. */
interface Variant {
  name: string;
  env: Record<string, string>;
}

/** A started variant, and what its rounds cost. */
interface Contender {
  name: string;
  server: BenchServer;
  from: string[];
  /** Milliseconds of CPU of one call, by round. */
  cpuMs: number[];
  perSecond: number[];
}

/** CPU that traces add to a call: servers with and without them, in turn over the same calls. */
export async function benchTracing(print: (line: string) => void): Promise<void> {
  print(
    `Tracing: ${ROUNDS} rounds of ${CALLS} calls (people by hash, sandbox at instant speed, scripted model) on each of`,
  );
  print("three servers, in an order that turns with the round. CPU is that of the server's process, all its threads,");
  print("without the database and the collector, which takes every request. A first round is not counted.");
  const collector = createCollector();
  await new Promise<void>((resolve) => collector.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(collector.server.address() as AddressInfo).port}`;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const share = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" };
  const contenders: Contender[] = [];
  try {
    contenders.push(await open({ name: "without", env: {} }, PORT));
    contenders.push(await open({ name: "every call", env: traced }, PORT + 1));
    contenders.push(await open({ name: "one call of ten", env: { ...traced, ...share } }, PORT + 2));
    for (let round = 0; round <= ROUNDS; round++) {
      const turned = contenders.map((_, i) => contenders[(i + round) % contenders.length] as Contender);
      for (const one of turned) await runRound(one, round);
    }
    const [without, ...others] = contenders as [Contender, ...Contender[]];
    print(`  ${describe(without)}`);
    for (const one of others) print(`  ${describe(one)}, ${compare(one.cpuMs, without.cpuMs)}`);
  } finally {
    for (const { server } of contenders) await server.close();
    collector.server.close();
  }
  const calls = (ROUNDS + 1) * CALLS * 1.1;
  print(`  The collector got ${(collector.bytes() / calls / 1_024).toFixed(1)} KiB for each traced call.`);
}

/** Takes all requests, and counts their bytes. */
function createCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  return { server, bytes: () => bytes };
}

async function open({ name, env }: Variant, port: number): Promise<Contender> {
  const server = await startServer(port, [], env);
  return { name, server, from: await addNumbers(server), cpuMs: [], perSecond: [] };
}

async function runRound({ server, from, cpuMs, perSecond }: Contender, round: number): Promise<void> {
  const numbers = Array.from({ length: CALLS }, (_, i) => `+1415${2_000_000 + round * CALLS + i}`);
  const cpuBefore = cpuSeconds(server.pid);
  const startedAt = performance.now();
  await runJob(server, from, numbers);
  if (round === 0) return;
  perSecond.push((CALLS * 1_000) / (performance.now() - startedAt));
  cpuMs.push(((cpuSeconds(server.pid) - cpuBefore) * 1_000) / CALLS);
}

function describe({ name, cpuMs, perSecond }: Contender): string {
  return `${name}: ${median(cpuMs).toFixed(2)} ms of CPU a call, at ${median(perSecond).toFixed(0)} calls/s`;
}

/** Compares round with round: both saw the same calls, and about the same machine. */
function compare(own: number[], base: number[]): string {
  const percents = own.map((ms, i) => (ms / (base[i] as number) - 1) * 100).toSorted((a, b) => a - b);
  const show = (percent: number) => `${percent.toFixed(1)} %`;
  const [least = 0, most = 0] = [percents[0], percents.at(-1)];
  const addedMs = median(own.map((ms, i) => ms - (base[i] as number)));
  const share = (addedMs * RATE) / (10 * availableParallelism());
  const ofMachine = `${show(share)} of this machine's processors at ${RATE} calls/s (goal ${GOAL} %)`;
  return `${show(median(percents))} more (rounds: ${show(least)} to ${show(most)}), ${ofMachine}`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
