import { join } from "node:path";
import type { RunTimes } from "./media/callers.ts";
import { openHarness, type Run } from "./media/harness.ts";

const SERVER = join(import.meta.dirname, "media", "session-server.ts");
const TIMES: RunTimes = { warmS: 8, measureS: 40 };
/** Callers speak again after 3 s, in the middle of the agent's 5.3 s. */
const OVER_THE_AGENT: RunTimes = { ...TIMES, quietMs: 3_000 };
/** Limits of the engine for such words and such callers. */
const END_OF_TURN_MS = 500;
const BARGE_IN_MS = 300;
const GOALS = [
  { calls: 100, addedMs: 25 },
  { calls: 400, addedMs: 40 },
];
const BARGE_GOAL_MS = 40;

/** Measures the delay that the service adds to a turn and to an interruption, as callers hear it. */
export async function benchTurns(print: (line: string) => void): Promise<void> {
  const harness = openHarness();
  if (typeof harness === "string") return print(`## Turns: not run, ${harness}.`);
  try {
    print("## Turns: what whole conversations add to the pause that ends a turn, and to the rule of interrupting");
    print("");
    print(
      `Callers speak over RTP as in the bench of media, and listen to the packets that come back. Recogniser, model and synthesiser answer at once. Added is what is heard beyond ${END_OF_TURN_MS} ms after the end of speech, and beyond ${BARGE_IN_MS} ms after its beginning over the agent. ${harness.isPinned ? "Server on core 0, callers on core 1." : "Not pinned to cores."}`,
    );
    print("");
    print("| calls | turns | added p50/p95/max ms | goal p95 | CPU | late p99 ms | load |");
    print("|---|---|---|---|---|---|---|");
    for (const { calls, addedMs } of GOALS) {
      const run = await harness.run([SERVER], calls, TIMES);
      const { turns, unanswered, turnP50Ms, turnP95Ms, turnMaxMs } = run.heard;
      const added = added3(turnP50Ms, turnP95Ms, turnMaxMs, END_OF_TURN_MS);
      print(`| ${calls} | ${turns}, ${unanswered} unanswered | ${added} | ${addedMs} | ${tail(run)}`);
    }
    print("");
    print("| calls | interruptions | added p50/p95/max ms | goal p95 | CPU | late p99 ms | load |");
    print("|---|---|---|---|---|---|---|");
    for (const { calls } of GOALS) {
      const run = await harness.run([SERVER], calls, OVER_THE_AGENT);
      const { barges, bargeP50Ms, bargeP95Ms, bargeMaxMs } = run.heard;
      const added = added3(bargeP50Ms, bargeP95Ms, bargeMaxMs, BARGE_IN_MS);
      print(`| ${calls} | ${barges} | ${added} | ${BARGE_GOAL_MS} | ${tail(run)}`);
    }
  } finally {
    harness.close();
  }
}

function added3(p50Ms: number, p95Ms: number, maxMs: number, ruleMs: number): string {
  return [p50Ms, p95Ms, maxMs].map((ms) => (ms - ruleMs).toFixed(0)).join(" / ");
}

function tail({ cpuShare, heard, loadAverage }: Run): string {
  return `${(cpuShare * 100).toFixed(0)} % | ${heard.lateP99Ms} | ${loadAverage.toFixed(1)} |`;
}
