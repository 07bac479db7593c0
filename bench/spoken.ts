import { createSphinxStt } from "#src/audio/speech-providers/sphinx/sphinx-stt.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { findLocalEngines, type LocalEngines, overMuLaw } from "../tests/kit/spoken/engines.ts";
import { ANSWER_TYPES, type AnswerType, UNEXPECTED } from "../tests/kit/spoken/phrases.ts";

const VOICES = ["rms", "slt", "kal16"];
const LEAD_SAMPLES = 4_000;
/** The turn engine asks for words after so much silence. */
const TAIL_SAMPLES = 1_600;

interface Trial {
  type: string;
  voice: string;
  said: string;
  heard: string;
  ms: number;
}

/** Prints what the local engine hears of expected answers, and of others, said by flite over mu-law. */
export async function benchSpoken(print: (line: string) => void): Promise<void> {
  print("Spoken: flite's voices over mu-law, heard by pocketsphinx with a grammar made from the question's schema.");
  print("All speakers are synthetic: this shows regressions and what a grammar can do, not how people fare.");
  const engines = await findLocalEngines();
  if (typeof engines === "string") return print(`Not run: ${engines} not found.`);
  const voices = VOICES.filter((voice) => engines.flite.voices.has(voice));
  const expected = await hearAll(engines, voices, ANSWER_TYPES);
  printTable(ANSWER_TYPES, voices, expected, print);
  const others = ANSWER_TYPES.map((type) => ({ ...type, said: UNEXPECTED }));
  const unexpected = await hearAll(engines, voices.slice(0, 1), others);
  print(`What no grammar has, said to each kind of question (${voices[0]}): taken for an answer all the same`);
  for (const { name } of others) {
    const ofType = unexpected.filter(({ type }) => type === name);
    const taken = ofType.filter(({ heard }) => heard !== "");
    const examples = taken.slice(0, 2).map(({ said, heard }) => `"${said}" as "${heard}"`);
    print(`  ${name.padEnd(20)} ${taken.length} of ${ofType.length}  ${examples.join(", ")}`);
  }
}

async function hearAll(engines: LocalEngines, voices: string[], types: AnswerType[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const { name: type, schema, said: texts } of types) {
    for (const voice of voices) {
      for (const said of texts) {
        const samples = overMuLaw(await engines.flite.say(said, voice));
        const startedMs = performance.now();
        const heard = await hear(engines, schema, samples);
        trials.push({ type, voice, said, heard, ms: performance.now() - startedMs });
      }
    }
  }
  return trials;
}

/** One utterance, as a call would have it heard: the words, or what went wrong. */
function hear({ sphinx }: LocalEngines, schema: AnswerType["schema"], samples: Int16Array): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const onEvent = (event: SpeechEvent) => resolve(event.kind === "FAILED" ? `(${event.code})` : event.text);
  const stream = createSphinxStt(sphinx, createLog("silent")).open({
    language: "en-US",
    hints: [],
    expected: null,
    onEvent,
  });
  if (schema) stream.expect?.(schema);
  stream.write(new Int16Array(LEAD_SAMPLES));
  stream.write(samples);
  stream.write(new Int16Array(TAIL_SAMPLES));
  stream.flush();
  return promise.finally(() => stream.close());
}

function printTable(types: AnswerType[], voices: string[], trials: Trial[], print: (line: string) => void): void {
  const count = (some: Trial[]) => `${some.filter(({ said, heard }) => said === heard).length} of ${some.length}`;
  print(`  ${"right, by kind".padEnd(20)} ${voices.map((voice) => voice.padEnd(10)).join(" ")} wrong`);
  for (const { name } of types) {
    const ofType = trials.filter(({ type }) => type === name);
    const columns = voices.map((voice) => count(ofType.filter((trial) => trial.voice === voice)).padEnd(10));
    const wrong = ofType.filter(({ said, heard }) => said !== heard);
    const listed = wrong.map(({ voice, said, heard }) => `${voice} "${said}" as "${heard}"`);
    print(`  ${name.padEnd(20)} ${columns.join(" ")} ${listed.join(", ")}`.trimEnd());
  }
  const times = trials.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const [median, slow] = [0.5, 0.95].map((share) => Math.round(times[Math.floor(times.length * share)] ?? 0));
  print(`  all ${count(trials)}; from the end of the speech to its words ${median} ms, p95 ${slow} ms`);
}
