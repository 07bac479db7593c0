import { judgeRecording, type Hearing, type Judgement } from "./judge.ts";
import { RECORDING_PLANS } from "./recordings.ts";
import { makeRecording, type MadeRecording, type Speak } from "./render.ts";

/**
 * Other speakers for the same plans. Thresholds were tried on all four voices, so this is a variation and no blind
 * test.
 */
const OTHER_VOICES: Record<string, string> = { rms: "awb", slt: "kal16" };

/** Makes all recordings. */
export async function makeCorpus(speak: Speak): Promise<MadeRecording[]> {
  const made: MadeRecording[] = [];
  for (const plan of RECORDING_PLANS) made.push(await makeRecording(plan, speak));
  return made;
}

/** Makes all recordings again, with other voices and therefore other timing. */
export async function makeOtherCorpus(speak: Speak): Promise<MadeRecording[]> {
  return await makeCorpus(async (text, voice) => await speak(text, OTHER_VOICES[voice] ?? voice));
}

/** Descriptions of the ways in which words are delivered. */
export const HEARINGS: Record<Hearing, string> = {
  STREAMING: "With a recogniser that hears every word right, 200-300 ms late",
  FINAL_ONLY: "With one that gives whole utterances only, 800 ms late",
  NONE: "By sound alone",
};

/** Judges all recordings and prints each decision beside the right one, with a summary of each kind. */
export function printTable(corpus: MadeRecording[], print: (line: string) => void): void {
  for (const [hearing, title] of Object.entries(HEARINGS) as [Hearing, string][]) {
    print(`${title}:`);
    const judged = judgedWith(corpus, hearing).map((one) => judgeRecording(one, hearing));
    for (const judgement of judged) print(line(judgement));
    for (const count of countRight(judged)) print(count);
  }
}

/**
 * Returns the recordings to be judged: without words a machine and a long-winded person are the same, so by sound alone
 * only turns are judged.
 */
export function judgedWith(corpus: MadeRecording[], hearing: Hearing): MadeRecording[] {
  return corpus.filter((one) => hearing !== "NONE" || one.plan.label.about === "ENDPOINTING");
}

/** Counts the right decisions of each kind. */
export function countRight(judged: Judgement[]): string[] {
  return (["ENDPOINTING", "BARGE_IN", "ANSWER"] as const).flatMap((about) => {
    const those = judged.filter((one) => one.about === about);
    if (those.length === 0) return [];
    return [`${about}: ${those.filter((one) => one.isRight).length} of ${those.length} right`];
  });
}

function line({ about, name, isRight, wanted, got, ms }: Judgement): string {
  const time = ms === null ? "" : `${Math.round(ms)} ms`;
  return [
    isRight ? "right" : "WRONG",
    about.padEnd(11),
    name.padEnd(42),
    time.padStart(8),
    got,
    isRight ? "" : `(wanted ${wanted})`,
  ]
    .join("  ")
    .trimEnd();
}
