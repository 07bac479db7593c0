import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunTimes } from "./media/callers.ts";
import { type MediaHarness, openHarness, type Run } from "./media/harness.ts";

const GOAL_LATE_MS = 10;
const GOAL_CALLS = 500;
const GOAL_CPU_RATIO = 0.25;
const GOAL_MB_PER_CALL = 0.5;
/** A generator that itself sends later than this would measure itself. */
const MOST_OWN_MS = 5;
const OURS = join(import.meta.dirname, "media", "parley-server.ts");
const BARE = join(import.meta.dirname, "peers", "bare-media.ts");
const LIVEKIT = join(import.meta.dirname, "peers", "livekit", "server.js");
const TIMES: RunTimes = { warmS: 5, measureS: 12 };
/** The first 20 s of LiveKit are worse than the rest. */
const LIVEKIT_TIMES: RunTimes = { warmS: 25, measureS: 12 };
const BLOCKED_CALLS = 100;
const COMPARED_CALLS = 60;
/**
 * Pairs of runs that are compared. Shared machines change speed by a third within minutes, so runs alternate and the
 * median ratio counts.
 */
const PAIRS = 3;
const LONG_CALLS = 200;

type Print = (line: string) => void;

/** Measures the calls that one core carries, beside a bare loop and LiveKit Agents. `--minutes=N` adds a long run. */
export async function benchMedia(print: Print): Promise<void> {
  const harness = openHarness();
  if (typeof harness === "string") {
    print(`## Media: not run, ${harness}.`);
    return;
  }
  try {
    explain(print, harness);
    const ours = await findMost(print, harness, { name: "Parley", server: [OURS], from: 200, step: 100, times: TIMES });
    await findMost(print, harness, { name: "bare loop", server: [BARE], from: 400, step: 200, times: TIMES });
    const peer = await compare(print, harness);
    await measureBlocked(print, harness);
    const perCallMb = await measureMemory(print, harness);
    await runLong(print, harness);
    print("");
    print(`Calls a core at p99 <= ${GOAL_LATE_MS} ms: ${ours} (goal ${GOAL_CALLS}).`);
    if (peer) print(`CPU a call, against LiveKit Agents: ${peer.toFixed(2)} (goal ${GOAL_CPU_RATIO}).`);
    print(`Memory a call: ${perCallMb.toFixed(2)} MB (goal ${GOAL_MB_PER_CALL}).`);
  } finally {
    harness.close();
  }
}

function explain(print: Print, { isPinned }: MediaHarness): void {
  print("## Media: live calls on one core, G.711 over RTP on the loopback");
  print("");
  print(
    "Callers (a C program) speak 3.6 s, are quiet for 8 s, and again; the agent answers each turn for 5.3 s. Packets are timed by the kernel where the caller hears them, against an ideal clock of 20 ms that the quickest packet sets.",
  );
  print(
    `${isPinned ? "Server on core 0, callers on core 1" : "Not pinned to cores"}; ${TIMES.measureS} s after ${TIMES.warmS} s of warming (LiveKit, and Parley beside it, ${LIVEKIT_TIMES.warmS} s). CPU is of the whole server process.`,
  );
  print(
    "Parley: API thread and media thread; jitter buffer, VAD, turns, search for machines, news to the API thread, two channels recorded to disk. A turn ends 500 ms after the speech, plus what the jitter buffer holds.",
  );
  print(
    "Bare loop: decodes, sends, counts quiet frames; no jitter buffer, no recording, one thread. LiveKit Agents: AgentSession with stand-ins for recogniser, model and voice, and our VAD, behind the bare loop's sockets; no jitter buffer, no recording.",
  );
  print("");
  print(
    "| server | calls | CPU | ms/call-s | RSS MB | late p50/p99/max ms | turn p50/p95/max ms | lost | unanswered | load |",
  );
  print("|---|---|---|---|---|---|---|---|---|---|");
}

function printRun(print: Print, name: string, run: Run): void {
  const { heard, calls, cpuShare, cpuMsPerCallSecond, rssMb, loadAverage } = run;
  const late = `${heard.lateP50Ms} / ${heard.lateP99Ms} / ${heard.lateMaxMs}`;
  const turn = `${heard.turnP50Ms} / ${heard.turnP95Ms} / ${heard.turnMaxMs}`;
  const own = heard.ownP99Ms > MOST_OWN_MS ? ` (generator ${heard.ownP99Ms} ms late)` : "";
  print(
    `| ${name} | ${calls} | ${(cpuShare * 100).toFixed(0)} % | ${cpuMsPerCallSecond.toFixed(2)} | ${rssMb.toFixed(0)} | ${late}${own} | ${turn} | ${heard.lost} | ${heard.unanswered} | ${loadAverage.toFixed(1)} |`,
  );
}

interface Search {
  name: string;
  server: string[];
  from: number;
  step: number;
  times: RunTimes;
}

function isGood({ heard }: Run): boolean {
  return heard.lateP99Ms <= GOAL_LATE_MS && heard.lost <= heard.packets / 10_000;
}

/**
 * Steps up until packets are late twice at the same number of calls; returns the largest number without late packets.
 */
async function findMost(print: Print, harness: MediaHarness, search: Search): Promise<number> {
  let most = 0;
  for (let calls = search.from, tries = 0; tries < 2;) {
    const run = await harness.run(search.server, calls, search.times);
    printRun(print, search.name, run);
    if (isGood(run)) {
      most = calls;
      calls += search.step;
      tries = 0;
    } else {
      tries++;
    }
  }
  return most;
}

/** Runs the same number of calls on both; returns the median ratio of CPU, or null without the peer. */
async function compare(print: Print, harness: MediaHarness): Promise<number | null> {
  if (!existsSync(join(import.meta.dirname, "peers", "livekit", "node_modules"))) {
    print("| LiveKit Agents | not run: see bench/peers/livekit/README.md | | | | | | | | |");
    return null;
  }
  const search = { name: "LiveKit Agents", server: [LIVEKIT], times: LIVEKIT_TIMES };
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const peer = await harness.run(search.server, COMPARED_CALLS, search.times);
    printRun(print, search.name, peer);
    const ours = await harness.run([OURS], COMPARED_CALLS, search.times);
    printRun(print, "Parley", ours);
    ratios.push(ours.cpuMsPerCallSecond / peer.cpuMsPerCallSecond);
  }
  await findMost(print, harness, { ...search, from: 20, step: 20 });
  return ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] as number;
}

/** Measures with the API thread blocked for 200 ms of every second. */
async function measureBlocked(print: Print, harness: MediaHarness): Promise<void> {
  const run = await harness.run([OURS, "200"], BLOCKED_CALLS, TIMES);
  printRun(print, "Parley, API thread blocked", run);
}

/** Returns the memory that one more call adds. */
async function measureMemory(print: Print, harness: MediaHarness): Promise<number> {
  const few = await harness.run([OURS], 20, TIMES);
  const many = await harness.run([OURS], 220, TIMES);
  printRun(print, "Parley", few);
  printRun(print, "Parley", many);
  return (many.rssMb - few.rssMb) / (many.calls - few.calls);
}

async function runLong(print: Print, harness: MediaHarness): Promise<void> {
  const minutes = Number(/--minutes[= ](\d+)/.exec(process.argv.join(" "))?.[1] ?? 0);
  if (minutes === 0) return;
  const run = await harness.run([OURS], LONG_CALLS, { warmS: 60, measureS: minutes * 60 });
  printRun(print, `Parley, ${minutes} min`, run);
  print("");
  print(`Memory grew by ${run.grownMb.toFixed(1)} MB in ${minutes} minutes of ${LONG_CALLS} calls.`);
}
