import { readFile } from "node:fs/promises";
import { parseWav } from "#src/audio/codec/wav.ts";
import { readExpectedAnswer } from "#src/audio/speech-providers/sphinx/expected-answer.ts";
import { createGrammar } from "#src/audio/speech-providers/sphinx/grammar.ts";
import type { LocalEngines } from "./engines.ts";

/** Silence that separates two utterances. */
const BETWEEN_SAMPLES = 6_400;
const LEAD_SAMPLES = 1_600;
const BLOCK_SAMPLES = 80;
const LOUD = 100 ** 2;

/** Returns both sides of a recorded call. */
export async function readSides(path: string): Promise<{ agent: Int16Array; person: Int16Array }> {
  const [agent, person] = parseWav(await readFile(path)).channels;
  if (!agent || !person) throw new Error("The recording has not two channels.");
  return { agent, person };
}

/** Splits one side into its utterances, each with a little silence before and after it. */
export function splitUtterances(side: Int16Array): Int16Array[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < side.length; at += BLOCK_SAMPLES) {
    const block = side.subarray(at, at + BLOCK_SAMPLES);
    if (block.reduce((sum, sample) => sum + sample ** 2, 0) < LOUD * block.length) continue;
    const last = found.at(-1);
    if (last && at - last.to < BETWEEN_SAMPLES) last.to = at + BLOCK_SAMPLES;
    else found.push({ from: at, to: at + BLOCK_SAMPLES });
  }
  return found.map(({ from, to }) => side.subarray(Math.max(0, from - LEAD_SAMPLES), to + LEAD_SAMPLES));
}

/** Returns the local engine's transcript of audio for a question with this schema; null: no question was asked. */
export async function hearAgain(
  { sphinx }: LocalEngines,
  samples: Int16Array,
  [asked, askedBefore]: [asked: object | null, askedBefore: object | null],
): Promise<string> {
  const [expected = null, before = null] = [asked, askedBefore].map(
    (schema) => schema && readExpectedAnswer({ ...schema }),
  );
  const grammar = createGrammar({ expected, before, isKnown: (word) => sphinx.isKnown(word) });
  if (!grammar) throw new Error("No list of words answers that.");
  return sphinx.hear(samples, grammar, new AbortController().signal);
}

/** True when audio is in a recording, sample for sample, within 20 ms of a position. */
export function isAt(side: Int16Array, sound: Int16Array, atMs: number): boolean {
  const first = sound.findIndex((sample) => Math.abs(sample) > 1_000);
  const middle = sound.subarray(first, first + 4_000);
  for (let at = Math.max(0, atMs * 8 - 160); at <= atMs * 8 + 160; at++) {
    if (middle.every((sample, i) => side[at + first + i] === sample)) return true;
  }
  return false;
}
