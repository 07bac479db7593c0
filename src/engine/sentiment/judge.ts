import { fold } from "#src/engine/opt-out/fold.ts";
import { rememberJudgements } from "#src/engine/opt-out/remember.ts";
import type { SentimentLanguage } from "./language.ts";
import { LANGUAGES } from "./languages/languages.ts";

/** Feelings that words show, from the worst to the best. */
export const TONES = ["ANGRY", "NEGATIVE", "NEUTRAL", "POSITIVE"] as const;
export type Tone = (typeof TONES)[number];

/** Sentiment of one utterance by its words. */
export interface Sentiment {
  tone: Tone;
  /** From -3, anger, to 3. */
  score: number;
}

interface Entry {
  words: readonly string[];
  /** True when the last word may go on. */
  isOpen: boolean;
  weight: number;
}

interface Lexicon {
  code: string;
  common: ReadonlySet<string>;
  /** Entries by the first letters of their first word, the longest first. */
  entries: ReadonlyMap<string, Entry[]>;
  negations: ReadonlyMap<string, Entry[]>;
}

const NEUTRAL: Sentiment = { tone: "NEUTRAL", score: 0 };
const FURIOUS = -3;
const ANGRY = -2;
/** Words after a negation that it turns round. */
const NEGATED_WORDS = 3;
/** Letters by which entries are found: an open entry is at least so long. */
const KEY_LETTERS = 3;
const MARK = ".";

const LEXICONS: readonly Lexicon[] = LANGUAGES.map(compile);

function compile(language: SentimentLanguage): Lexicon {
  const { code, common, negations, furious, angry, bad, good, great, plain } = language;
  const weighed: [string, number][] = [
    [furious, FURIOUS],
    [angry, ANGRY],
    [bad, -1],
    [good, 1],
    [great, 2],
    [plain, 0],
  ];
  const entries = weighed.flatMap(([list, weight]) => list.split(",").map((text) => toEntry(text, weight)));
  return {
    code,
    common: new Set(common.split(",")),
    entries: index(entries),
    negations: index(negations.split(",").map((text) => toEntry(text, 0))),
  };
}

function toEntry(text: string, weight: number): Entry {
  const isOpen = text.endsWith("*");
  return { words: (isOpen ? text.slice(0, -1) : text).trim().split(" "), isOpen, weight };
}

function index(entries: Entry[]): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of entries.toSorted((a, b) => b.words.length - a.words.length)) {
    const key = keyOf(entry.words[0] as string);
    const same = found.get(key);
    if (same) same.push(entry);
    else found.set(key, [entry]);
  }
  return found;
}

function keyOf(word: string): string {
  return word.slice(0, KEY_LETTERS);
}

/**
 * Judges by its words how an utterance of a person sounds, in the engine's five languages; `usual` (BCP 47) wins a tie.
 * An utterance without a word of feeling is NEUTRAL.
 */
export const judgeSentiment = rememberJudgements(judgeAnew);

function judgeAnew(text: string, usual: string): Sentiment {
  const words = toWords(fold(text));
  const own = usual.slice(0, 2).toLowerCase();
  const seen = LEXICONS.map((lexicon) => ({ lexicon, known: countCommon(words, lexicon) }));
  const ownKnown = seen.find(({ lexicon }) => lexicon.code === own)?.known ?? 0;
  let best = NEUTRAL;
  for (const { lexicon, known } of seen) {
    // Words of another language count where the sentence is more of that language than of the usual one.
    if (lexicon.code !== own && known <= ownKnown) continue;
    const sentiment = judgeIn(words, lexicon);
    const isStronger = Math.abs(sentiment.score) > Math.abs(best.score);
    if (isStronger || (lexicon.code === own && Math.abs(sentiment.score) === Math.abs(best.score))) best = sentiment;
  }
  return best;
}

function toWords(folded: string): string[] {
  return folded
    .replaceAll(/[.,!?]/g, ` ${MARK} `)
    .split(" ")
    .filter((word) => word !== "");
}

function countCommon(words: readonly string[], { common }: Lexicon): number {
  return words.reduce((count, word) => count + (common.has(word) ? 1 : 0), 0);
}

function judgeIn(words: readonly string[], { entries, negations }: Lexicon): Sentiment {
  let score = 0;
  let worst = 0;
  let negatedUntil = -1;
  for (let at = 0; at < words.length;) {
    if (words[at] === MARK) negatedUntil = -1;
    const entry = findEntry(words, at, entries);
    if (entry) {
      const weight = at <= negatedUntil ? negate(entry.weight) : entry.weight;
      score += weight;
      worst = Math.min(worst, weight);
      at += entry.words.length;
      continue;
    }
    const negation = findEntry(words, at, negations);
    at += negation?.words.length ?? 1;
    if (negation) negatedUntil = at + NEGATED_WORDS - 1;
  }
  const total = Math.max(-3, Math.min(3, score));
  if (worst <= FURIOUS || (worst <= ANGRY && total <= FURIOUS)) return { tone: "ANGRY", score: FURIOUS };
  if (total <= -1) return { tone: "NEGATIVE", score: total };
  return total >= 1 ? { tone: "POSITIVE", score: total } : { tone: "NEUTRAL", score: total };
}

/** Turns praise into displeasure, and takes the weight from the rest: who is not angry may still not be pleased. */
function negate(weight: number): number {
  return weight > 0 ? -1 : 0;
}

function findEntry(words: readonly string[], at: number, entries: ReadonlyMap<string, Entry[]>): Entry | undefined {
  return entries.get(keyOf(words[at] as string))?.find((entry) => matches(words, at, entry));
}

function matches(words: readonly string[], at: number, entry: Entry): boolean {
  const last = entry.words.length - 1;
  return entry.words.every((word, i) => {
    const said = words[at + i];
    return said !== undefined && (i === last && entry.isOpen ? said.startsWith(word) : said === word);
  });
}

/** Share of the mood before that the next utterance leaves. */
const FADES = 0.5;

/** The mood of a person over a conversation: what they said last counts most. */
export class Mood {
  #score = 0;
  #last: Tone = "NEUTRAL";

  /** Takes the person's next utterance. */
  hear(text: string, usual: string): void {
    const { tone, score } = judgeSentiment(text, usual);
    this.#last = tone;
    this.#score = this.#score * FADES + score * (1 - FADES);
  }

  /** The mood now: anger in the latest words, otherwise all of them, the latest weighing most. */
  get tone(): Tone {
    if (this.#last === "ANGRY") return "ANGRY";
    if (this.#score <= -0.5) return this.#last === "POSITIVE" ? "NEUTRAL" : "NEGATIVE";
    return this.#score >= 0.5 ? "POSITIVE" : "NEUTRAL";
  }
}
