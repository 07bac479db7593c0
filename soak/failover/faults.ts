import type { LocalCluster } from "../../deploy/ha/local-cluster.ts";
import type { Machines } from "../../deploy/ha/machines.ts";
import type { Member } from "../../deploy/ha/render.ts";
import { canShiftClocks, shiftClock } from "../shifted-clock.ts";
import type { FailoverNode } from "./failover-node.ts";

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
  if (!canShiftClocks()) missing.set("CLOCK OF A NODE SHIFTED BY AN HOUR", "Debian's package faketime is missing");
  for (const [name, why] of missing) print(`SKIPPED: ${name}: ${why}.`);
  return FAULTS.filter(({ name }) => !missing.has(name));
}
