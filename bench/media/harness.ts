import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cpuSeconds, stop } from "../server-process.ts";
import { type CallerFiles, type Heard, type RunTimes, startCallers } from "./callers.ts";
import { canPin, SERVER_CORE, startPinned } from "./pinned.ts";
import { makeCallerSpeech } from "./sounds.ts";

const MEGABYTE = 1_024;
const SAMPLE_MS = 5_000;

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

/** Generator and process settings of this machine, ready to run servers against callers. */
export interface MediaHarness {
  isPinned: boolean;
  files: CallerFiles;
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
  const isPinned = canPin();
  const files = { generator, speech, isPinned };
  return {
    isPinned,
    files,
    run: (server, calls, times) => runOnce(files, server, calls, times),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runOnce(files: CallerFiles, command: string[], calls: number, times: RunTimes): Promise<Run> {
  const [script = "", ...args] = command;
  const callers = await startCallers(files, calls, times);
  const server = startPinned(SERVER_CORE, files.isPinned, [process.execPath, script, String(calls), ...args]);
  const pid = server.pid as number;
  try {
    const ports = JSON.parse(await readLine(server)) as number[];
    for (const [index, port] of ports.entries()) callers.dial(index, port);
    await callers.begin();
    const cpuBefore = cpuSeconds(pid);
    const memory = [readRss(pid)];
    const sampling = setInterval(() => memory.push(readRss(pid)), SAMPLE_MS);
    const heard = await callers.hear();
    clearInterval(sampling);
    const [cpuS, rssMb] = [cpuSeconds(pid) - cpuBefore, readRss(pid)];
    return {
      calls,
      heard,
      cpuShare: cpuS / times.measureS,
      cpuMsPerCallSecond: (cpuS * 1_000) / heard.callSeconds,
      rssMb,
      grownMb: growthOf([...memory, rssMb]),
      loadAverage: loadavg()[0] ?? 0,
    };
  } finally {
    await Promise.all([stop(server), callers.stop()]);
  }
}

function growthOf(memory: number[]): number {
  const quarter = Math.ceil(memory.length / 4);
  return Math.min(...memory.slice(-quarter)) - Math.min(...memory.slice(0, quarter));
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
