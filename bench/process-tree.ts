import { readdirSync, readFileSync } from "node:fs";

/** Resource use of processes. */
export interface Usage {
  /** CPU seconds since each process began, with those of children that ended. */
  cpuSeconds: number;
  /** Memory in megabytes; shared memory counts once (PSS). */
  megabytes: number;
}

interface Entry {
  parent: number;
  cpuSeconds: number;
}

/**
 * Returns the sum over a process and all its descendants, without those of `except`, from /proc; zeros where it is
 * missing.
 */
export function measureTree(root: number, except = 0): Usage {
  const entries = new Map<number, Entry>();
  for (const name of list("/proc")) {
    const entry = /^\d+$/.test(name) ? readEntry(Number(name)) : null;
    if (entry) entries.set(Number(name), entry);
  }
  const usage: Usage = { cpuSeconds: 0, megabytes: 0 };
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    usage.cpuSeconds += entries.get(pid)?.cpuSeconds ?? 0;
    usage.megabytes += memoryOf(pid);
    for (const [child, { parent }] of entries) if (parent === pid && child !== except) open.push(child);
  }
  return usage;
}

/**
 * Returns the seconds that all processors of the machine were busy since it started; 0 where the system does not say.
 */
export function machineSeconds(): number {
  const fields = /^cpu +(.+)/.exec(read("/proc/stat"))?.[1]?.split(" ").map(Number) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softIrq + steal) / 100;
}

/** Returns the parent of a process. */
export function parentOf(pid: number): number {
  return readEntry(pid)?.parent ?? 0;
}

function readEntry(pid: number): Entry | null {
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ");
  if (!fields) return null;
  const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
  return { parent: Number(fields[1]), cpuSeconds: ticks / 100 };
}

function memoryOf(pid: number): number {
  const shared = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  const resident = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(shared ?? resident ?? 0) / 1_024;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
