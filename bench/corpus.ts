import { resolve } from "node:path";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import { loadSilero } from "#src/audio/vad/load-silero.ts";
import { judgeRecording, playRecording, type Hearing } from "../tests/kit/voice-corpus/judge.ts";
import { openFlite, type MadeRecording } from "../tests/kit/voice-corpus/render.ts";
import { hearTogether, judgeTogether } from "../tests/kit/voice-corpus/silero.ts";
import { RATE_HZ } from "../tests/kit/voice-corpus/sounds.ts";
import {
  countRight,
  HEARINGS,
  judgedWith,
  makeCorpus,
  makeOtherCorpus,
  printTable,
} from "../tests/kit/voice-corpus/table.ts";

const ROUNDS = 5;
/** Calls whose windows Silero judges together. */
const BATCHES = [1, 32];

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
  const other = await makeOtherCorpus(speak);
  printTable(other, print);
  const callSeconds = corpus.reduce((sum, { samples }) => sum + samples.length / RATE_HZ, 0);
  print(`Cost over ${Math.round(callSeconds)} s of calls, CPU ms per call-second, best of ${ROUNDS}:`);
  const whole = measure(callSeconds, () => corpus.forEach((one) => playRecording(one, "STREAMING")));
  print(`VAD ${measure(callSeconds, () => corpus.forEach(hearAll))}; VAD, turn engine and answer supervisor ${whole}`);
  await compareSilero([...corpus, ...other], print);
}

/** Energy beside Silero, where the operator's setting names a model. */
async function compareSilero(corpus: MadeRecording[], print: (line: string) => void): Promise<void> {
  const { SPEECH_VAD_MODEL: modelPath } = process.env;
  if (!modelPath) return print("Silero: not run, SPEECH_VAD_MODEL names no model.");
  const model = await loadSilero(resolve(modelPath));
  print("Energy beside Silero, whose answers come up to 40 ms late here, on all recordings above:");
  for (const [hearing, title] of Object.entries(HEARINGS) as [Hearing, string][]) {
    print(`${title}:`);
    const those = judgedWith(corpus, hearing);
    const energy = those.map((one) => judgeRecording(one, hearing));
    const silero = await judgeTogether(those, hearing, model);
    print(`  energy  ${countRight(energy).join("; ")}`);
    print(`  silero  ${countRight(silero).join("; ")}`);
    const changed = silero.filter(({ isRight }, at) => isRight !== energy[at]?.isRight);
    for (const { name, isRight, got } of changed)
      print(`    ${isRight ? "right" : "WRONG"} with silero: ${name}: ${got}`);
  }
  for (const calls of BATCHES) {
    const tracks = Array.from({ length: calls }, (_, at) => (corpus[at % corpus.length] as MadeRecording).samples);
    const seconds = tracks.reduce((sum, { length }) => sum + length / RATE_HZ, 0);
    const before = process.cpuUsage();
    await hearTogether(tracks, model);
    const { user, system } = process.cpuUsage(before);
    print(`silero, ${calls} call(s) at once: ${((user + system) / 1_000 / seconds).toFixed(2)} CPU ms per call-second`);
  }
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
