import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { Latencies, type Span } from "../latencies.ts";
import { percentileOf } from "../percentile.ts";

/** The first order says where to send requests; each one asks for the measurements since the last. */
export type QuietOrder = { url: string; apiKeys: string[]; perSecond: number } | { take: true };
/** The measurements since the order before. */
export interface QuietAnswer extends Span {
  unsent: number;
  /**
   * Milliseconds by which 99 of 100 timers of this process were late at most: so long it waited for a processor, and a
   * latency of this size says nothing about the server.
   */
  lateP99: number;
}

/** Most open requests; one beyond them is not sent, but counted. */
const MOST_OPEN = 500;
/** Paths that are read; every fifth request writes. */
const READS = ["/flows", "/tools", "/phone-numbers", "/call-history?size=20", "/agents?size=20"];

const agent = new Agent({ connections: MOST_OPEN, pipelining: 1 });
const latencies = new Latencies();
let lateMs: number[] = [];
let open = 0;
let unsent = 0;

try {
  // In production the requests come from another machine: their sender does not wait for a processor of this one.
  execFileSync("chrt", ["--rr", "--pid", "1", String(process.pid)], { stdio: "ignore" });
} catch {
  // Without the right to, it waits as the server does; how long is measured.
}

// The parent process may be killed.
process.on("disconnect", () => process.exit());
process.on("message", (order: QuietOrder) => {
  if ("url" in order) void askSteadily(order);
  const answer: QuietAnswer = { ...latencies.take(), unsent, lateP99: percentileOf(lateMs, 0.99) };
  lateMs = [];
  process.send?.(answer);
});

/** Sends requests at a steady rate, whatever their latency, for each workspace in turn. */
async function askSteadily({ url, apiKeys, perSecond }: Exclude<QuietOrder, { take: true }>): Promise<void> {
  const startedAt = performance.now();
  for (let tick = 0; ; tick++) {
    const dueAt = startedAt + (tick * 1_000) / perSecond;
    await pause(Math.max(0, dueAt - performance.now()));
    lateMs.push(Math.max(0, performance.now() - dueAt));
    const turn = Math.floor(tick / apiKeys.length) + tick;
    const path = READS[turn % READS.length] as string;
    const apiKey = apiKeys[tick % apiKeys.length] as string;
    if (open >= MOST_OPEN) unsent++;
    else void askOne(url, apiKey, path, turn % READS.length === 0 ? { name: `Agent ${tick}` } : undefined);
  }
}

async function askOne(url: string, apiKey: string, readPath: string, body: object | undefined): Promise<void> {
  const path = body ? "/agents" : readPath;
  const method = body ? "POST" : "GET";
  const startedAt = performance.now();
  let status = 0;
  open++;
  try {
    const reply = await request(`${url}/api/external/v1${path}`, {
      method,
      dispatcher: agent,
      headers: { "x-api-key": apiKey, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    await reply.body.dump();
    status = reply.statusCode;
  } catch {
    // Counted as one that got no answer.
  }
  open--;
  latencies.note(`${method} ${path} ${status}`, status, performance.now() - startedAt);
}
