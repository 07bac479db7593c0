import { FRAME_SAMPLES } from "#src/voice/speech-ports.ts";
import { EnergyVad } from "#src/voice/turns/energy-vad.ts";
import { playRecording } from "../tests/voice-corpus/judge.ts";
import { openFlite, type MadeRecording } from "../tests/voice-corpus/render.ts";
import { RATE_HZ } from "../tests/voice-corpus/sounds.ts";
import { makeCorpus, makeOtherCorpus, printTable } from "../tests/voice-corpus/table.ts";

const ROUNDS = 5;

/** Prints right and wrong decisions on the corpus of synthetic telephone recordings, and what they cost. */
export async function benchCorpus(print: (line: string) => void): Promise<void> {
  print("Corpus: decisions on synthetic telephone recordings (flite's voices, tones, noise, mu-law).");
  print(
    "Labels and thresholds are by the same hand, and recognisers are simulated: this shows regressions, not the field.",
  );
  const speak = await openFlite();
  if (!speak) {
    print("Not run: flite is not installed.");
    return;
  }
  const corpus = await makeCorpus(speak);
  printTable(corpus, print);
  print("The same with two other voices (thresholds were tried on these, too):");
  printTable(await makeOtherCorpus(speak), print);
  const callSeconds = corpus.reduce((sum, { samples }) => sum + samples.length / RATE_HZ, 0);
  print(`Cost over ${Math.round(callSeconds)} s of calls, CPU ms per call-second, best of ${ROUNDS}:`);
  const whole = measure(callSeconds, () => corpus.forEach((one) => playRecording(one, "STREAMING")));
  print(`VAD ${measure(callSeconds, () => corpus.forEach(hearAll))}; VAD, turn engine and answer supervisor ${whole}`);
}

function hearAll({ samples }: MadeRecording): void {
  const vad = new EnergyVad();
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES)
    vad.hear(samples.subarray(at, at + FRAME_SAMPLES));
}

function measure(callSeconds: number, work: () => void): string {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / callSeconds;
  });
  return Math.min(...rounds).toFixed(4);
}
