import type { Judgement } from "./judge.ts";
import { judgeRecording } from "./judge.ts";
import { RECORDING_PLANS } from "./recordings.ts";
import { makeRecording, type MadeRecording, type Speak } from "./render.ts";

/** Makes all recordings. */
export async function makeCorpus(speak: Speak): Promise<MadeRecording[]> {
  const made: MadeRecording[] = [];
  for (const plan of RECORDING_PLANS) made.push(await makeRecording(plan, speak));
  return made;
}

/** Judges all recordings and prints each decision beside what is right, with a summary of each kind. */
export function printTable(corpus: MadeRecording[], print: (line: string) => void): void {
  for (const hasRecogniser of [true, false]) {
    print(hasRecogniser ? "With a recogniser that hears every word right, 200-300 ms late:" : "By sound alone:");
    // Without words a machine and a long-winded person are the same, so only turns are judged by sound alone.
    const judged = corpus
      .filter((one) => hasRecogniser || one.plan.label.about === "ENDPOINTING")
      .map((one) => judgeRecording(one, hasRecogniser));
    for (const judgement of judged) print(line(judgement));
    for (const about of ["ENDPOINTING", "BARGE_IN", "ANSWER"] as const) {
      const those = judged.filter((one) => one.about === about);
      if (those.length > 0) print(`${about}: ${those.filter((one) => one.isRight).length} of ${those.length} right`);
    }
  }
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
