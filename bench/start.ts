import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#kit/free-port.ts";
import { startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { measureTree } from "./process-tree.ts";
import { stop } from "./server-process.ts";

type Print = (line: string) => void;

const DEFAULT_ROUNDS = 9;
const POLL_MS = 5;
/** Time after which a server that nobody uses has done what a start leaves to do. */
const REST_MS = 6_000;
const START_MS = 120_000;

/** Milliseconds of a start. */
interface Taken {
  wall: number;
  cpu: number;
}

/**
 * Measures `npm start` until /ready answers, on an existing and on an empty data folder: time, CPU of the whole tree
 * with the database, and its memory at rest. Beside them stand what no start can go below: a Node that does nothing, npm
 * with one that does nothing, and a bare start of PostgreSQL on the same folder. The ways take turns, so that a busy
 * moment of the machine is shared by all (`--rounds=N`).
 */
export async function benchStart(print: Print): Promise<void> {
  const rounds = Number(/--rounds=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_ROUNDS);
  const base = mkdtempSync(join(tmpdir(), "parley-bench-start-"));
  // The embedded database of root runs as nobody.
  chmodSync(base, 0o711);
  const existing = join(base, "existing");
  const idle = join(base, "idle");
  mkdirSync(idle);
  writeFileSync(join(idle, "package.json"), JSON.stringify({ scripts: { start: "exec node -e 0" } }));
  try {
    // Builds what is missing, and fills the caches of the file system and of compiled code.
    await startService(existing);
    const memory = (await startService(existing, REST_MS)).megabytes;
    const ways: { title: string; run: (round: number) => Promise<Taken>; goal?: number; taken: Taken[] }[] = [
      { title: "npm start, existing folder", run: () => startService(existing), goal: 500, taken: [] },
      { title: "npm start, empty folder", run: (i) => startService(join(base, `new-${i}`)), goal: 1_500, taken: [] },
      { title: "node -e 0", run: () => runProgram(process.execPath, ["-e", "0"]), taken: [] },
      { title: "npm start of node -e 0", run: () => runProgram("npm", ["start", "--prefix", idle]), taken: [] },
      { title: "PostgreSQL alone, same folder", run: () => startPostgres(existing), taken: [] },
    ];
    print(`Start: ${rounds} starts each, in turn; median and best of time and CPU until /ready answers.`);
    for (let round = 0; round < rounds; round++) for (const { run, taken } of ways) taken.push(await run(round));
    for (const { title, goal, taken } of ways) {
      const wall = describe(taken.map((one) => one.wall));
      const cpu = describe(taken.map((one) => one.cpu));
      print(`  ${title.padEnd(32)} time ${wall}, CPU ${cpu}${goal ? ` (goal ${goal} ms)` : ""}`);
    }
    print(`  memory of the tree after ${REST_MS / 1_000} s at rest: ${memory.toFixed(0)} MB PSS (goal 250)`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function describe(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const show = (ms = 0) => `${ms.toFixed(0).padStart(5)} ms`;
  return `${show(sorted[Math.floor(sorted.length / 2)])} (best ${show(sorted[0])})`;
}

async function startService(dataDir: string, restMs = 0): Promise<Taken & { megabytes: number }> {
  const port = await freePort();
  const since = performance.now();
  const child = spawn("npm", ["start"], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DRAIN_SECONDS: "0", LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  try {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
      if (reply?.status === 200) break;
      if (child.exitCode !== null || performance.now() - since > START_MS)
        throw new Error("The service did not start.");
      await pause(POLL_MS);
    }
    const wall = performance.now() - since;
    const { cpuSeconds } = measureTree(child.pid ?? 0);
    await pause(restMs);
    return { wall, cpu: cpuSeconds * 1_000, megabytes: measureTree(child.pid ?? 0).megabytes };
  } finally {
    if (child.exitCode === null) await stop(child);
  }
}

async function startPostgres(dataDir: string): Promise<Taken> {
  const before = measureTree(process.pid).cpuSeconds;
  const since = performance.now();
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("error") });
  const taken = { wall: performance.now() - since, cpu: (measureTree(process.pid).cpuSeconds - before) * 1_000 };
  await postgres.stop();
  return taken;
}

async function runProgram(program: string, args: string[]): Promise<Taken> {
  const since = performance.now();
  const earlier = measureTree(process.pid).cpuSeconds;
  const child = spawn(program, args, { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return { wall: performance.now() - since, cpu: (measureTree(process.pid).cpuSeconds - earlier) * 1_000 };
}
