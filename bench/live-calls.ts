import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Heard, RunTimes } from "./media/callers.ts";
import { type MediaHarness, openHarness } from "./media/harness.ts";
import { CALLERS_CORE } from "./media/pinned.ts";
import { CALL_S, ENOUGH, runWholeCalls, type WholeCallsRun } from "./media/whole-calls.ts";

const GOAL_LATE_MS = 10;
const GOAL_CALLS = 500;
const GOAL_CPU_RATIO = 0.25;
const TURN_CALLS = 400;
const GOAL_TURN_MS = 40;
/** Pause after which such words count as a turn. */
const END_OF_TURN_MS = 500;
const TIMES: RunTimes = { warmS: 10, measureS: 30 };
/** The first 20 s of LiveKit are worse than the rest. */
const LIVEKIT_TIMES: RunTimes = { warmS: 25, measureS: 12 };
const LIVEKIT = join(import.meta.dirname, "peers", "livekit");
const COMPARED_CALLS = 60;
const FIRST_CALLS = 200;
const STEP_CALLS = 100;
/** Shared machines change speed by a third within minutes, so runs alternate and the median ratio counts. */
const PAIRS = 3;

type Print = (line: string) => void;

/**
 * Measures whole calls on one core: server, database and all that a call does, beside LiveKit Agents. `--calls=N` makes
 * one run of N calls alone.
 */
export async function benchLiveCalls(print: Print): Promise<void> {
  const harness = openHarness();
  if (typeof harness === "string") return print(`## Live calls: not run, ${harness}.`);
  const all = `0-${availableParallelism() - 1}`;
  try {
    if (harness.isPinned) pinThisProcess(CALLERS_CORE);
    explain(print, harness);
    const only = Number(/--calls=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 0);
    if (only > 0) await runAndPrint(print, harness, only);
    else await measureAll(print, harness);
  } finally {
    if (harness.isPinned) pinThisProcess(all);
    harness.close();
  }
}

async function measureAll(print: Print, harness: MediaHarness): Promise<void> {
  const ratio = await compare(print, harness);
  const most = await findMost(print, harness);
  const turns = await runAndPrint(print, harness, TURN_CALLS);
  print("");
  print(`Whole calls a core at p99 <= ${GOAL_LATE_MS} ms: ${most} (goal ${GOAL_CALLS}).`);
  if (ratio)
    print(`CPU a call with the database, against LiveKit Agents: ${ratio.toFixed(2)} (goal ${GOAL_CPU_RATIO}).`);
  print(
    `Added to a turn at ${TURN_CALLS} calls, p95: ${turns.heard.turnP95Ms - END_OF_TURN_MS} ms (goal ${GOAL_TURN_MS}).`,
  );
}

/** The stand-ins of trunk and vendors run in this process. */
function pinThisProcess(cores: string): void {
  execFileSync("taskset", ["-acp", cores, String(process.pid)], { stdio: "ignore" });
}

function explain(print: Print, { isPinned }: MediaHarness): void {
  print("## Live calls: whole calls on one core, with everything that a call does");
  print("");
  print(
    `A whole server with its PostgreSQL (all roles) dials the rows of a call job over a SIP trunk, and holds calls of ${CALL_S} s, each followed by the next row. RTP of G.711 both ways; STT and TTS by the Deepgram adapter and the model by the OpenAI adapter, over real connections to stand-ins that answer at once; conversation, two recorded channels, transcripts, rows, events and usage as in production.`,
  );
  print(
    `Callers as in the bench of media: they speak 3.6 s and are quiet for 8 s. ${isPinned ? "Server and database on core 0; callers, trunk and stand-ins on core 1" : "Not pinned to cores"}; ${TIMES.measureS} s after ${TIMES.warmS} s of warming. CPU a second of call: server + PostgreSQL. Added: heard later than ${END_OF_TURN_MS} ms after the end of speech.`,
  );
  print(
    "LiveKit Agents: as in the bench of media, with stand-ins in its own process; no signalling, no recording, no database, and no call ends.",
  );
  print("");
  print(
    "| server | calls | CPU | ms/call-s, Node + PostgreSQL | MB | late p50/p99/max ms | added p50/p95/max ms | lost | unanswered | checked over the API | load |",
  );
  print("|---|---|---|---|---|---|---|---|---|---|---|");
}

async function runAndPrint(print: Print, { files }: MediaHarness, calls: number): Promise<WholeCallsRun> {
  const run = await runWholeCalls({ files, calls, times: TIMES });
  const { heard, cpuShare, nodeMsPerCallSecond: node, postgresMsPerCallSecond: postgres } = run;
  const { ended, failed, recorded, personTurns, agentTurns, hasBothVoices } = run.checked;
  const checked = `${ended} ended, ${failed} failed, ${recorded} recorded${hasBothVoices ? "" : " (a voice is missing)"}, ${personTurns} + ${agentTurns} turns`;
  const cpu = `${(cpuShare * 100).toFixed(0)} % | ${(node + postgres).toFixed(2)} = ${node.toFixed(2)} + ${postgres.toFixed(2)}`;
  const shown = Math.round(heard.callSeconds / TIMES.measureS);
  print(
    `| Parley | ${shown} of ${calls} | ${cpu} | ${run.megabytes.toFixed(0)} | ${describe(heard)} | ${checked} | ${run.loadAverage.toFixed(1)} |`,
  );
  return run;
}

function describe(heard: Heard): string {
  const late = `${heard.lateP50Ms} / ${heard.lateP99Ms} / ${heard.lateMaxMs}`;
  const added = [heard.turnP50Ms, heard.turnP95Ms, heard.turnMaxMs].map((ms) => Math.round(ms - END_OF_TURN_MS));
  return `${late} | ${added.join(" / ")} | ${heard.lost} | ${heard.unanswered} of ${heard.turns}`;
}

/** Adds calls until packets are late twice; returns the largest number without late packets. */
async function findMost(print: Print, harness: MediaHarness): Promise<number> {
  let most = 0;
  for (let calls = FIRST_CALLS, tries = 0; tries < 2;) {
    const { heard } = await runAndPrint(print, harness, calls);
    const isFull = heard.callSeconds >= calls * TIMES.measureS * ENOUGH;
    if (isFull && heard.lateP99Ms <= GOAL_LATE_MS && heard.lost <= heard.packets / 10_000) {
      most = calls;
      calls += STEP_CALLS;
      tries = 0;
    } else tries++;
  }
  return most;
}

/** Returns the median ratio of the CPU of whole calls to that of LiveKit's sessions; null without LiveKit. */
async function compare(print: Print, harness: MediaHarness): Promise<number | null> {
  if (!existsSync(join(LIVEKIT, "node_modules"))) {
    print("| LiveKit Agents | not run: see bench/peers/livekit/README.md | | | | | | | | | |");
    return null;
  }
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const peer = await harness.run([join(LIVEKIT, "server.js")], COMPARED_CALLS, LIVEKIT_TIMES);
    const { cpuShare, cpuMsPerCallSecond, rssMb, heard, loadAverage } = peer;
    print(
      `| LiveKit Agents | ${COMPARED_CALLS} | ${(cpuShare * 100).toFixed(0)} % | ${cpuMsPerCallSecond.toFixed(2)} | ${rssMb.toFixed(0)} | ${describe(heard)} | | ${loadAverage.toFixed(1)} |`,
    );
    const ours = await runAndPrint(print, harness, COMPARED_CALLS);
    ratios.push((ours.nodeMsPerCallSecond + ours.postgresMsPerCallSecond) / cpuMsPerCallSecond);
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] as number;
}
