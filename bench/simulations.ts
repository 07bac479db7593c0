import { setTimeout as sleep } from "node:timers/promises";
import { runSession } from "#src/conversation/session.ts";
import type { Heard, Line } from "#src/media/line.ts";
import { createScriptedModel } from "#src/models/scripted/scripted-model.ts";
import type { PreparedFlow } from "#src/simulations/prepared-flow.ts";
import { readSuite } from "#src/simulations/read-suite.ts";
import type { ConversationReport, SuiteReport } from "#src/simulations/report.ts";
import { runSuite } from "#src/simulations/run-suite.ts";
import type { Suite } from "#src/simulations/suite.ts";
import { trialFlow, trialSuite } from "#src/simulations/trial-flow.ts";
import { validateAgainst } from "#src/structured-outputs/schema-check.ts";

const ROUNDS = 3;
const REPEAT = 100;
/** People who neither interrupt nor hang up in mid-sentence, so that their words alone are the whole script. */
const PEOPLE = "agrees declines asks-back bad-data chatty sceptic foreign opts-out elderly call-later".split(" ");
const EXPECT = {
  outcome: ["COMPLETED", "OPTED_OUT"],
  says: ["Green Street Clinic"],
  neverSays: ["undefined", { matches: "(?i)error" }],
  turns: { atMost: 12 },
  longestSilenceMs: { atMost: 12_000 },
  cost: { atMost: "0.05" },
};

/** One way to hold the conversations, and what it took at best. */
interface Figures {
  wallMs: number;
  cpuMs: number;
  peakMb: number;
}

/** A line on which somebody says what was recorded, then hangs up; nothing else of a call is there. */
function createBareLine(words: string[]): Line {
  let next = 0;
  let ms = 0;
  const spend = (text: string): { startMs: number; endMs: number } => {
    const startMs = ms;
    ms += Math.round((text.length / 15) * 1_000);
    return { startMs, endMs: ms };
  };
  return {
    say: async (heard) => ({ heard, ...spend(heard), interrupted: false, hungUp: false }),
    async listen(): Promise<Heard> {
      const text = words[next++];
      return text === undefined ? { kind: "HUNG_UP", endMs: ms } : { kind: "SPEECH", text, ...spend(text) };
    },
    sendDigits: async () => undefined,
    hangUp: async () => undefined,
    elapsedMs: () => ms,
  };
}

/** The same conversations one after the other by the engine alone: nobody is judged, nothing is kept. */
async function holdBare(suite: Suite, flow: PreparedFlow, script: SuiteReport): Promise<void> {
  const signal = new AbortController().signal;
  for (const [i, { contact, variables, contextData, channel }] of suite.scenarios.entries()) {
    const plan = flow.toPlan({ sessionId: "bench", contact, variables, contextData, channel });
    for (const recorded of script.scenarios[i]?.conversations ?? []) {
      const { turns } = await runSession(
        plan,
        {
          line: createBareLine(wordsOf(recorded)),
          model: createScriptedModel(),
          now: () => new Date(suite.now),
          validate: validateAgainst,
          answeredBy: "HUMAN",
          onTurn: () => undefined,
          addToDoNotCall: async () => undefined,
        },
        signal,
      );
      const spoken = turns.filter(({ role }) => role === "ASSISTANT").length;
      if (spoken !== recorded.turns) throw new Error(`A bare session took ${spoken} turns, not ${recorded.turns}.`);
    }
  }
}

function wordsOf({ transcript }: ConversationReport): string[] {
  return transcript.filter(({ role }) => role === "USER").map(({ content }) => content);
}

async function measure(hold: () => Promise<unknown>): Promise<Figures> {
  globalThis.gc?.();
  await sleep(100);
  const floor = process.memoryUsage.rss();
  let peak = floor;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await hold();
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedAt;
  clearInterval(timer);
  return { wallMs, cpuMs: (user + system) / 1_000, peakMb: Math.max(peak, process.memoryUsage.rss()) / 1_048_576 };
}

function keep(best: Figures, found: Figures): void {
  best.wallMs = Math.min(best.wallMs, found.wallMs);
  best.cpuMs = Math.min(best.cpuMs, found.cpuMs);
  best.peakMb = Math.max(best.peakMb, found.peakMb);
}

/** A suite of 1,000 conversations as its users run it, beside the same words in a bare loop of the engine. */
export async function benchSimulations(print: (line: string) => void): Promise<void> {
  const flow = trialFlow();
  const scenarios = PEOPLE.map((persona) => ({ persona }));
  const suite = readSuite(trialSuite({ repeat: REPEAT, expect: EXPECT, scenarios }), "bench");
  const conversations = PEOPLE.length * REPEAT;
  print(
    `Simulations: ${conversations} conversations (${PEOPLE.length} people, ${REPEAT} seeds each) in text at instant speed, scripted model; best of ${ROUNDS} rounds each, taken in turns, memory the highest; CPU time of the whole process, all threads.`,
  );
  print(
    "Suite: people who listen and answer, mocks, expectations and all checks, full report, threads as by default (their start counts). Bare loop: the engine's session on a line that says the recorded words, one after the other in one thread, nothing judged or kept.",
  );
  const script = await runSuite(suite, { flow, personaModel: null }, { workers: 0 });
  if (!script.passed) throw new Error("The suite of the benchmark fails.");
  const start = (): Figures => ({ wallMs: Infinity, cpuMs: Infinity, peakMb: 0 });
  const best = { bare: start(), suite: start(), here: start() };
  for (let round = 0; round < ROUNDS; round++) {
    keep(best.bare, await measure(() => holdBare(suite, flow, script)));
    keep(best.here, await measure(() => runSuite(suite, { flow, personaModel: null }, { workers: 0 })));
    keep(best.suite, await measure(() => runSuite(suite, { flow, personaModel: null })));
  }
  const show = (name: string, { wallMs, cpuMs, peakMb }: Figures): void =>
    print(
      `  ${name.padEnd(20)} ${(wallMs / 1_000).toFixed(2)} s, ${(cpuMs / 1_000).toFixed(2)} s of CPU, ${(cpuMs / conversations).toFixed(2)} ms each, peak memory of the process ${peakMb.toFixed(0)} MiB`,
    );
  show("Suite", best.suite);
  show("Suite, no threads", best.here);
  show("Bare loop", best.bare);
  print(
    `  ratio ${(best.suite.wallMs / best.bare.wallMs).toFixed(2)} of its time, ${(best.suite.cpuMs / best.bare.cpuMs).toFixed(2)} of its CPU; without threads ${(best.here.wallMs / best.bare.wallMs).toFixed(2)} and ${(best.here.cpuMs / best.bare.cpuMs).toFixed(2)}`,
  );
}
