import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cpuSeconds, stop } from "../server-process.ts";
import { makeCallerSpeech, QUIET_MS } from "./sounds.ts";

const SERVER_CORE = "0";
const CALLERS_CORE = "1";
const MEGABYTE = 1_024;
const SAMPLE_MS = 5_000;

/** Measurements of the callers, in milliseconds; `own` is how late the generator itself sent. */
interface Heard {
  packets: number;
  lost: number;
  turns: number;
  unanswered: number;
  lateP50Ms: number;
  lateP99Ms: number;
  lateMaxMs: number;
  turnP50Ms: number;
  turnP95Ms: number;
  turnMaxMs: number;
  /**
   * Interruptions. Their times run from a caller's first frame over the agent's speech to the last frame heard of the
   * agent.
   */
  barges: number;
  bargeP50Ms: number;
  bargeP95Ms: number;
  bargeMaxMs: number;
  ownP99Ms: number;
}

/** Result of one run: one server with a fixed number of calls. */
export interface Run {
  calls: number;
  heard: Heard;
  /** CPU of the whole server process, as a share of one core. */
  cpuShare: number;
  cpuMsPerCallSecond: number;
  rssMb: number;
  /**
   * Least memory in the last quarter of the run minus the least in its first, because the collector lets memory rise
   * and fall.
   */
  grownMb: number;
  loadAverage: number;
}

/** Durations of a run. */
export interface RunTimes {
  warmS: number;
  measureS: number;
  /** Milliseconds that callers are quiet after they spoke; 8 s by default, in which the agent answers. */
  quietMs?: number;
}

/** Generator and process settings of this machine, ready to run servers against callers. */
export interface MediaHarness {
  isPinned: boolean;
  run(server: string[], calls: number, times: RunTimes): Promise<Run>;
  close(): void;
}

/** Builds the generator; returns a text when something is missing. */
export function openHarness(): MediaHarness | string {
  if (process.platform !== "linux") return "the generator needs Linux";
  const folder = mkdtempSync(join(tmpdir(), "parley-callers-"));
  const generator = join(folder, "callers");
  const speech = join(folder, "speech.ul");
  try {
    execFileSync("cc", ["-O2", "-o", generator, join(import.meta.dirname, "callers.c")], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return "there is no C compiler (cc) to build the generator with";
  }
  writeFileSync(speech, makeCallerSpeech());
  const isPinned = availableParallelism() > 1 && hasTaskset();
  return {
    isPinned,
    run: (server, calls, times) => runOnce({ server, calls, ...times, generator, speech, isPinned }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Runnable extends RunTimes {
  server: string[];
  calls: number;
  generator: string;
  speech: string;
  isPinned: boolean;
}

async function runOnce(one: Runnable): Promise<Run> {
  const { calls, measureS, warmS, quietMs = QUIET_MS } = one;
  const [script = "", ...args] = one.server;
  const server = start(one, SERVER_CORE, [process.execPath, script, String(calls), ...args]);
  const pid = server.pid as number;
  try {
    const ports = JSON.parse(await readLine(server)) as number[];
    const callers = start(one, CALLERS_CORE, [one.generator, one.speech, ...[quietMs, warmS, measureS].map(String)]);
    callers.stdin?.end(`${ports.join("\n")}\n`);
    const lines = createInterface({ input: callers.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    await lines.next();
    const cpuBefore = cpuSeconds(pid);
    const memory = [readRss(pid)];
    const sampling = setInterval(() => memory.push(readRss(pid)), SAMPLE_MS);
    const { value } = (await lines.next()) as { value: string };
    clearInterval(sampling);
    const [cpuS, rssMb] = [cpuSeconds(pid) - cpuBefore, readRss(pid)];
    return {
      calls,
      heard: JSON.parse(value) as Heard,
      cpuShare: cpuS / measureS,
      cpuMsPerCallSecond: (cpuS * 1_000) / measureS / calls,
      rssMb,
      grownMb: growthOf([...memory, rssMb]),
      loadAverage: loadavg()[0] ?? 0,
    };
  } finally {
    await stop(server);
  }
}

function growthOf(memory: number[]): number {
  const quarter = Math.ceil(memory.length / 4);
  return Math.min(...memory.slice(-quarter)) - Math.min(...memory.slice(0, quarter));
}

/** Starts a process on its core, as a session leader and with raised priority, as far as the machine allows it. */
function start({ isPinned }: Runnable, core: string, command: string[]): ChildProcess {
  const [file = "", ...args] = isPinned ? ["taskset", "-c", core, ...command] : command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  try {
    writeFileSync(`/proc/${child.pid}/autogroup`, "-15");
  } catch {
    // Only root may, and only where sessions are scheduled as groups.
  }
  return child;
}

async function readLine(server: ChildProcess): Promise<string> {
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  const ended = once(server, "exit").then(() => {
    throw new Error("The server ended before it was ready.");
  });
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  lines.close();
  return line;
}

function readRss(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / MEGABYTE;
}
