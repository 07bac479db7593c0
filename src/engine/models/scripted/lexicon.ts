import type { LanguageCode, Lexicon } from "./lexicon-shape.ts";
import { EN } from "./lexicons/english.ts";
import { FR } from "./lexicons/french.ts";
import { DE } from "./lexicons/german.ts";
import { ES } from "./lexicons/spanish.ts";
import { SV } from "./lexicons/swedish.ts";
import { toTokens, wholeWords } from "./words.ts";

const LEXICONS: Record<LanguageCode, Lexicon> = { en: EN, es: ES, de: DE, fr: FR, sv: SV };
const ALL = Object.values(LEXICONS);

/** Returns the lexicon of a BCP 47 language, in English when there is none. */
export function lexiconFor(language: string): Lexicon {
  const code = language.slice(0, 2).toLowerCase();
  return Object.hasOwn(LEXICONS, code) ? LEXICONS[code as LanguageCode] : EN;
}

const WEIGHTS = weighWords();

function weighWords(): Map<string, [Lexicon, number][]> {
  const weights = new Map<string, [Lexicon, number][]>();
  const add = (lexicon: Lexicon, words: string, weight: number): void => {
    for (const word of words.split(" ")) weights.set(word, [...(weights.get(word) ?? []), [lexicon, weight]]);
  };
  for (const lexicon of ALL) {
    add(lexicon, lexicon.commonWords, 1);
    add(lexicon, lexicon.tellingWords, 2);
  }
  return weights;
}

/**
 * Returns the language that a person evidently speaks. It changes only when an utterance has two more signs of another
 * language than of the current one, and a word that no other language has: "no", "ja" and "in an" are no evidence.
 */
export function detectLanguage(text: string, current: Lexicon): Lexicon {
  const scores = new Map<Lexicon, number>();
  const reported = new Set<Lexicon>();
  for (const token of toTokens(text)) {
    for (const [lexicon, weight] of WEIGHTS.get(token) ?? []) {
      scores.set(lexicon, (scores.get(lexicon) ?? 0) + weight);
      if (weight > 1) reported.add(lexicon);
    }
  }
  let best = current;
  let bestScore = (scores.get(current) ?? 0) + 1;
  for (const [lexicon, score] of scores)
    if (score > bestScore && reported.has(lexicon)) [best, bestScore] = [lexicon, score];
  return best;
}

const NAMES: [Lexicon, RegExp][] = [
  [EN, wholeWords("english|inglés|englisch|anglais|engelska")],
  [ES, wholeWords("spanish|español|castellano|spanisch|espagnol|spanska")],
  [DE, wholeWords("german|alemán|deutsch|allemand|tyska")],
  [FR, wholeWords("french|francés|französisch|français|franska")],
  [SV, wholeWords("swedish|sueco|schwedisch|suédois|svenska")],
];

/**
 * Returns the language that a person asks for; the current one when they name only a language that they do not speak.
 */
export function wantedLanguage(text: string, current: Lexicon): Lexicon | undefined {
  if (!current.speaks.test(text)) return undefined;
  const named = NAMES.filter(([, name]) => name.test(text));
  if (named.length !== 1) return undefined;
  return current.no.test(text) ? current : named[0]?.[0];
}

/** Returns the lexicons of the other languages, for a bare yes or no in one of them. */
export function otherLexicons(lexicon: Lexicon): Lexicon[] {
  return ALL.filter((other) => other !== lexicon);
}
