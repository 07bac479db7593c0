import { readFileSync } from "node:fs";
import type { OptOutVerdict } from "./verdict.ts";

/** Number of weights, a power of two. Expressions share them by their hash. */
export const WEIGHTS = 1 << 18;

/** Longest part of an utterance that is scored at once, and the distance of two parts: a wish may be anywhere. */
const PART_WORDS = 40;
const STEP_WORDS = 20;

/** Parts of words that count: their lengths in letters, with a mark at either end of the word. */
const SHORTEST_PART = 3;
const LONGEST_PART = 5;

/** Fewest expressions by which the sum of an utterance's weights is scaled, so that a single word does not decide. */
const FEWEST = 40;

/** A word of its own before the first one. */
const START = "a0";

/** Learnt weights of expressions. */
interface Weights {
  /** Weights from -127 to 127, each of `unit`. */
  values: Int8Array;
  unit: number;
  bias: number;
}

/**
 * Returns the numbers of the expressions in a folded utterance: its words, pairs of words, also with one between them,
 * parts of words, and what the patterns found (`found`).
 */
export function expressionsOf(folded: string, found: OptOutVerdict): Set<number> {
  return collect(wordsOf(folded), found);
}

function wordsOf(folded: string): string[] {
  return folded.match(/[a-z0-9]+/g) ?? [];
}

function collect(words: string[], found: OptOutVerdict): Set<number> {
  const numbers = new Set<number>([numberOf(`v${found}`)]);
  for (const [i, word] of words.entries()) {
    numbers.add(numberOf(`w${word}`));
    if (i + 1 < words.length) numbers.add(numberOf(`b${word} ${words[i + 1]}`));
    if (i + 2 < words.length) numbers.add(numberOf(`s${word} ${words[i + 2]}`));
    const marked = `<${word}>`;
    for (let length = SHORTEST_PART; length <= LONGEST_PART; length++) {
      for (let at = 0; at + length <= marked.length; at++) numbers.add(numberOf(`c${marked.slice(at, at + length)}`));
    }
  }
  return numbers;
}

/** FNV-1a, folded to the number of weights. */
function numberOf(expression: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < expression.length; i++) hash = Math.imul(hash ^ expression.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) & (WEIGHTS - 1);
}

/** Returns the factor for the sum of the weights of so many expressions. */
export function scaleOf(expressions: number): number {
  return 1 / Math.sqrt(Math.max(expressions, FEWEST));
}

/** Bytes of one set of weights: unit and bias as 32-bit floats, then the values. */
const SET_BYTES = 8 + WEIGHTS;

let loaded: { wish: Weights; answer: Weights } | undefined;

/** Reads the two sets of weights that `tests/kit/opt-outs/learn.ts` has written. */
function load(): { wish: Weights; answer: Weights } {
  const bytes = readFileSync(new URL("./weights.bin", import.meta.url));
  const setAt = (start: number): Weights => ({
    unit: bytes.readFloatLE(start),
    bias: bytes.readFloatLE(start + 4),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + start + 8, WEIGHTS),
  });
  return { wish: setAt(0), answer: setAt(SET_BYTES) };
}

/**
 * Returns how likely it is, from 0 to 1, that a folded utterance asks for no more contact, by all that it says: the
 * weights are learnt from sentences, so they know more wordings than the patterns, and also what speaks against it, such
 * as the words of a reported speech. `found` is the verdict of the patterns. Of a long utterance the likeliest part counts.
 */
export function scoreOptOut(folded: string, found: OptOutVerdict): number {
  loaded ??= load();
  const words = wordsOf(folded);
  let best = 0;
  for (let from = 0; from === 0 || from + STEP_WORDS < words.length; from += STEP_WORDS) {
    best = Math.max(best, score(collect(words.slice(from, from + PART_WORDS), found), loaded.wish));
  }
  return best;
}

/** Returns the numbers of the expressions in a folded answer; its first words count for themselves. */
export function answerExpressionsOf(folded: string, found: OptOutVerdict): Set<number> {
  return collect([START, ...wordsOf(folded)], found);
}

/**
 * Returns how likely it is, from 0 to 1, that a folded answer to the question whether contact should end says that it
 * should: "No, don't call me" does, "Of course you can ring" does not.
 */
export function scoreAnswer(folded: string, found: OptOutVerdict): number {
  loaded ??= load();
  return score(answerExpressionsOf(folded, found), loaded.answer);
}

function score(numbers: ReadonlySet<number>, { values, unit, bias }: Weights): number {
  let sum = 0;
  for (const number of numbers) sum += values[number] as number;
  return 1 / (1 + Math.exp(-(sum * unit * scaleOf(numbers.size) + bias)));
}
