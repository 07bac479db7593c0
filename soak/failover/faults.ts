import { existsSync, writeFileSync } from "node:fs";
import type { LocalCluster } from "../../deploy/ha/local-cluster.ts";
import type { Machines } from "../../deploy/ha/machines.ts";
import type { Member } from "../../deploy/ha/render.ts";
import type { FailoverNode } from "./failover-node.ts";

/** Debian's libfaketime. */
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const SHIFTS_S = [3_600, -3_600];

/** Things that a fault strikes. */
export interface Struck {
  cluster: LocalCluster;
  nodes: Record<Member, FailoverNode>;
  random: () => number;
}

/** A fault of one machine. */
export interface Fault {
  name: string;
  /** PRIMARY: the machine with the primary is struck, and another one has to take over; NODE: a Parley node, any. */
  of: "PRIMARY" | "NODE";
  /** The least time from the fault to its end. */
  holdMs: number;
  strike(struck: Struck, member: Member): void;
  end(struck: Struck, member: Member): void | Promise<void>;
}

const FAULTS: Fault[] = [
  {
    name: "PRIMARY KILLED",
    of: "PRIMARY",
    holdMs: 0,
    strike: ({ cluster }, member) => cluster.strike(member, "SIGKILL"),
    end: ({ cluster }, member) => cluster.repair(member),
  },
  {
    name: "PRIMARY PAUSED",
    of: "PRIMARY",
    holdMs: 0,
    strike: ({ cluster }, member) => cluster.strike(member, "SIGSTOP"),
    end: ({ cluster }, member) => cluster.strike(member, "SIGCONT"),
  },
  {
    name: "MACHINE OF THE PRIMARY CUT OFF",
    of: "PRIMARY",
    // Long enough for the node on it to lose its lease of 10 s.
    holdMs: 15_000,
    strike: ({ cluster }, member) => cluster.machines.cut?.(member, true),
    end: ({ cluster }, member) => cluster.machines.cut?.(member, false),
  },
  {
    name: "NODE KILLED",
    of: "NODE",
    holdMs: 0,
    strike: ({ nodes }, member) => nodes[member].server.kill(),
    end: async ({ nodes }, member) => {
      await nodes[member].server.gone;
      await nodes[member].server.start();
    },
  },
  {
    name: "NODE PAUSED",
    of: "NODE",
    holdMs: 30_000,
    strike: ({ nodes }, member) => nodes[member].server.kill("SIGSTOP"),
    end: ({ nodes }, member) => nodes[member].server.kill("SIGCONT"),
  },
  {
    name: "CLOCK OF A NODE SHIFTED BY AN HOUR",
    of: "NODE",
    holdMs: 15_000,
    strike: ({ nodes, random }, member) =>
      shiftClock(nodes[member].clockPath, SHIFTS_S[Math.floor(random() * SHIFTS_S.length)] as number),
    end: ({ nodes }, member) => shiftClock(nodes[member].clockPath, 0),
  },
];

/** Returns the faults that can be made here, after it has said which cannot. */
export function listFaults({ cut }: Machines, print: (line: string) => void): Fault[] {
  const missing = new Map<string, string>();
  if (!cut) missing.set("MACHINE OF THE PRIMARY CUT OFF", "only root can divide the network");
  if (!existsSync(FAKETIME)) missing.set("CLOCK OF A NODE SHIFTED BY AN HOUR", "Debian's package faketime is missing");
  for (const [name, why] of missing) print(`SKIPPED: ${name}: ${why}.`);
  return FAULTS.filter(({ name }) => !missing.has(name));
}

/** Returns the environment of a process whose clock `shiftClock` moves by the file; empty without libfaketime. */
export function shiftableClock(path: string): Record<string, string> {
  if (!existsSync(FAKETIME)) return {};
  shiftClock(path, 0);
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_CACHE_DURATION: "1",
    // The monotonic clock of a machine does not jump when somebody sets its time.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
}

function shiftClock(path: string, seconds: number): void {
  writeFileSync(path, `${seconds < 0 ? "" : "+"}${seconds}\n`);
}
