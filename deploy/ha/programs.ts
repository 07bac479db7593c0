import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Programs of a machine, in the order in which they start, and their arguments with the folder of the files. */
const ARGUMENTS = {
  etcd: (folder: string) => ["etcd", "--config-file", join(folder, "etcd.yml")],
  patroni: (folder: string) => ["patroni", join(folder, "patroni.yml")],
  haproxy: (folder: string) => ["haproxy", "-db", "-f", join(folder, "haproxy.cfg")],
  pgbouncer: (folder: string) => ["pgbouncer", join(folder, "pgbouncer.ini")],
  kamailio: (folder: string) => ["kamailio", "-DD", "-E", "-m", "32", "-Y", folder, "-f", join(folder, "kamailio.cfg")],
} as const;

/** Name of a program on each machine. */
export type ProgramName = keyof typeof ARGUMENTS;

// Debian puts some of them where ordinary users do not look.
const PATH = `${process.env.PATH ?? ""}:/usr/sbin`;

/** Returns the command of a program. */
export function commandOf(name: ProgramName, folder: string): string[] {
  return ARGUMENTS[name](folder);
}

/** Returns the programs that are not installed. */
export function findMissing(): string[] {
  const names = [...Object.keys(ARGUMENTS), "/usr/lib/postgresql/15/bin/postgres"];
  return names.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env: { PATH }, stdio: "ignore" }).status !== 0,
  );
}

/** A program in a process of its own, which writes to a log file. */
export class Program {
  readonly #command: string[];
  readonly #logPath: string;
  #child: ChildProcess | undefined;

  constructor(command: string[], logPath: string) {
    this.#command = command;
    this.#logPath = logPath;
  }

  /** Starts it, unless it runs. */
  start(): void {
    if (this.isRunning) return;
    const log = openSync(this.#logPath, "a", 0o600);
    const [program = "", ...args] = this.#command;
    // In a group of its own: an interrupt at the keyboard is for the one who ends them in their order.
    this.#child = spawn(program, args, {
      env: { PATH, LANG: "C.UTF-8" },
      stdio: ["ignore", log, log],
      detached: true,
    });
    this.#child.on("error", () => undefined);
  }

  get isRunning(): boolean {
    return this.#child?.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Process id; null when it does not run. */
  get pid(): number | null {
    return this.isRunning ? (this.#child?.pid ?? null) : null;
  }

  /** The last lines that it wrote. */
  get log(): string {
    return readFileSync(this.#logPath, "utf8").slice(-3_000);
  }

  /** Ends it with a signal, and waits for its end. */
  async end(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await gone;
    clearTimeout(timer);
  }
}

/** Sends a signal to a process and to all that descend from it. */
export function signalTree(root: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    open.push(...(children.get(pid) ?? []).map((child) => child.pid));
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function listProcesses(): { pid: number; parent: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1];
      return [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return [];
    }
  });
}
