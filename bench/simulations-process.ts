import { readFileSync } from "node:fs";
import type { Heard, Line } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import type { PreparedFlow } from "#src/workbench/simulations/prepared-flow.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import type { ConversationReport, SuiteReport } from "#src/workbench/simulations/report.ts";
import { runSuite } from "#src/workbench/simulations/run-suite.ts";
import type { Suite } from "#src/workbench/simulations/suite.ts";
import { trialFlow, trialSuite } from "#src/workbench/simulations/trial-flow.ts";

const REPEAT = 100;
/** Personas who neither interrupt nor hang up in mid-sentence, so that their words alone are the whole script. */
const PEOPLE = "agrees declines asks-back bad-data chatty sceptic foreign opts-out elderly call-later".split(" ");
const EXPECT = {
  outcome: ["COMPLETED", "OPTED_OUT"],
  says: ["Green Street Clinic"],
  neverSays: ["undefined", { matches: "(?i)error" }],
  turns: { atMost: 12 },
  longestSilenceMs: { atMost: 12_000 },
  cost: { atMost: "0.05" },
};

/** The suite of the benchmark. */
export function readBenchSuite(): Suite {
  const scenarios = PEOPLE.map((persona) => ({ persona }));
  return readSuite(trialSuite({ repeat: REPEAT, expect: EXPECT, scenarios }), "bench");
}

/** Resources that the conversations used, in a fresh process. */
export interface Figures {
  wallMs: number;
  cpuMs: number;
  peakMb: number;
}

/** Returns a line on which the person says the recorded words, then hangs up; it has no other part of a call. */
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

/** Holds the same conversations one after the other with the engine alone: nothing is judged or stored. */
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

/** Holds all conversations in one of three ways; returns the resources they used. */
async function measure(way: string, scriptFile: string): Promise<Figures> {
  const flow = trialFlow();
  const suite = readBenchSuite();
  const script = JSON.parse(readFileSync(scriptFile, "utf8")) as SuiteReport;
  const before = process.cpuUsage();
  const startedAt = performance.now();
  if (way === "bare") await holdBare(suite, flow, script);
  else await runSuite(suite, { flow, personaModel: null }, way === "here" ? { workers: 0 } : {});
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMs: (user + system) / 1_000, peakMb: process.resourceUsage().maxRSS / 1_024 };
}

const [way, scriptFile] = process.argv.slice(2);
if (import.meta.main && process.send && way !== undefined && scriptFile !== undefined)
  process.send(await measure(way, scriptFile));
