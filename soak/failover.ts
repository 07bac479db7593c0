import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { LocalCluster } from "../deploy/ha/local-cluster.ts";
import { findMissing } from "../deploy/ha/programs.ts";
import { type Member, MEMBERS } from "../deploy/ha/render.ts";
import { readLedger } from "../tests/kit/ledger-check.ts";
import { checkTruth } from "./failover/check-truth.ts";
import { type FailoverNode, startNode } from "./failover/failover-node.ts";
import { type Fault, listFaults, type Struck } from "./failover/faults.ts";
import { percentileOf } from "./percentile.ts";
import { countOutcomes, PlacedCalls } from "./placed-calls.ts";
import { createRandom } from "./random.ts";

/** Calls that the number may hold at once: twice as many as are under way at the usual rate. */
const SLOTS = 100;
const LONGEST_PAUSE_MS = 3_000;
const HEALTHY_MS = 180_000;

/** Measurements and faults of the rounds. */
interface Findings {
  faults: string[];
  /** Time until calls were dialled again, by the fault's name. */
  resumedMs: Map<string, number[]>;
  failovers: number;
}

/**
 * Strikes the primary and the nodes of an installation of three machines at random, while calls are placed through its
 * HAProxy. Takes `rounds`, `seed`, the `rate` of calls a second, the sandbox's `speed`, the `seconds` within which
 * dialling must have resumed, and `primary`: 1 strikes the primary alone. Returns the faults: dialling that did not
 * resume in time, people rung twice, calls that are lost or stuck or ended with an outcome that the carrier denies,
 * limits that were not kept, and dials after a lease. Where the packages are missing it says so and strikes nothing.
 */
export async function soakFailover(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const missing = findMissing();
  if (missing.length > 0) {
    print(`SKIPPED: not installed: ${missing.join(", ")}. docs/high-availability.md names the packages.`);
    return [];
  }
  const [rate, speed] = [options.get("rate") ?? 10, options.get("speed") ?? 20];
  const folder = mkdtempSync(join(tmpdir(), "parley-failover-"));
  chmodSync(folder, 0o711);
  // Where the tests' harness puts the bundled server.
  process.env.PARLEY_TEST_FOLDER = folder;
  const ledgerPath = join(folder, "ledger.jsonl");
  const startedAt = performance.now();
  await using cluster = await LocalCluster.start();
  print(`Three machines are up after ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  const exchange = await serveSandboxExchange({ host: cluster.machines.outside, port: 0, ledgerPath });
  const nodes: Partial<Record<Member, FailoverNode>> = {};
  try {
    for (const member of MEMBERS) nodes[member] = await startNode(cluster, member, exchange.url);
    const struck: Struck = {
      cluster,
      nodes: nodes as Record<Member, FailoverNode>,
      random: createRandom(options.get("seed") ?? 20_261_123),
    };
    const servers = MEMBERS.map((member) => {
      const operator = (command: string, body: object) => struck.nodes[member].server.operator(command, body);
      return { url: cluster.apiUrl(member), operator };
    });
    const placing = { placeMs: 1_000 / rate, sandboxSpeed: speed, slots: SLOTS };
    const calls = await PlacedCalls.begin(servers, ledgerPath, placing);
    const findings = await strikeAgain(options, struck, calls, print);
    await calls.stop();
    const rows = await calls.readRows();
    printFigures(findings, print);
    print(`${calls.placed} calls placed, ${calls.count} acknowledged: ${countOutcomes(rows)}.`);
    const refused = [...calls.refused].map(([status, count]) => `${status || "no answer"} ${count}`);
    print(`Not acknowledged: ${refused.join(", ") || "none"}.`);
    for (const status of calls.refused.keys())
      if (status < 502 && status !== 0) findings.faults.push(`${calls.refused.get(status)} requests got ${status}`);
    return [...findings.faults, ...calls.check(rows), ...checkTruth(readLedger(ledgerPath), rows, SLOTS)];
  } finally {
    for (const node of Object.values(nodes)) node.server.kill("SIGCONT");
    await Promise.all(Object.values(nodes).map(({ server }) => server.stop()));
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function strikeAgain(
  options: Map<string, number>,
  struck: Struck,
  calls: PlacedCalls,
  print: (line: string) => void,
): Promise<Findings> {
  const limitMs = (options.get("seconds") ?? 30) * 1_000;
  const findings: Findings = { faults: [], resumedMs: new Map(), failovers: 0 };
  const possible = listFaults(struck.cluster.machines, print);
  const faults = options.get("primary") === 1 ? possible.filter((fault) => fault.of === "PRIMARY") : possible;
  for (let round = 1; round <= (options.get("rounds") ?? 60); round++) {
    await struck.cluster.untilHealthy(HEALTHY_MS);
    await pause(struck.random() * LONGEST_PAUSE_MS);
    const fault = faults[Math.floor(struck.random() * faults.length)] as Fault;
    const tookMs = await strikeOnce(fault, struck, calls, { limitMs, findings });
    const said = tookMs === null ? "nothing is dialled" : `dialled again after ${Math.round(tookMs)} ms`;
    print(`${round}. ${fault.name}: ${said}`);
    findings.resumedMs.set(fault.name, [...(findings.resumedMs.get(fault.name) ?? []), tookMs ?? Infinity]);
    if (tookMs === null || tookMs > limitMs) findings.faults.push(`round ${round}: ${fault.name}: ${said}`);
    if (tookMs === null) break;
  }
  return findings;
}

async function strikeOnce(
  fault: Fault,
  struck: Struck,
  calls: PlacedCalls,
  { limitMs, findings }: { limitMs: number; findings: Findings },
): Promise<number | null> {
  const any = MEMBERS[Math.floor(struck.random() * MEMBERS.length)] as Member;
  const member = fault.of === "PRIMARY" ? await struck.cluster.findPrimary() : any;
  if (member === null) throw new Error("There was a primary, and now there is none.");
  const since = performance.now();
  fault.strike(struck, member);
  const tookMs = await calls.untilOneRings(since, 4 * limitMs);
  await pause(Math.max(0, fault.holdMs - (performance.now() - since)));
  if (fault.of === "PRIMARY") {
    const successor = await struck.cluster.findPrimary(member);
    if (successor !== null) findings.failovers++;
  }
  await fault.end(struck, member);
  return tookMs;
}

function printFigures({ resumedMs, failovers }: Findings, print: (line: string) => void): void {
  const line = (name: string, values: number[]) => {
    const at = (share: number) => Math.round(percentileOf(values, share));
    print(`${name}: ${values.length} times, dialled again after p50 ${at(0.5)} ms, at most ${at(1)} ms.`);
  };
  for (const [name, values] of resumedMs) line(name, values);
  line("All", [...resumedMs.values()].flat());
  print(`Another machine became the primary ${failovers} times.`);
}
