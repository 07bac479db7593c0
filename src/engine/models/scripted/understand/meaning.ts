import { toTokens } from "#src/engine/models/scripted/words.ts";

/** Share of an example's words that the person must have said. */
const ENOUGH = 0.7;
const LONG_WORD = 4;
const STEM_LETTERS = 5;
/** An example this short is meant as the whole of what the person says. */
const SHORT_EXAMPLE = 2;
const MAX_SHORT_WORDS = 5;

/** Returns the id of the choice whose example is most like a person's words; undefined when none is. */
export function chooseMeaning(
  said: string,
  choices: readonly { id: string; examples: string[] }[],
): string | undefined {
  const tokens = toTokens(said);
  const words = new Set(tokens.map(toStem));
  let best: { id: string; score: number } | undefined;
  for (const { id, examples } of choices) {
    for (const example of examples) {
      const score = compare(words, tokens.length, toTokens(example));
      if (score >= ENOUGH && (!best || score > best.score)) best = { id, score };
    }
  }
  return best?.id;
}

/** Returns the share of an example's words among those said; longer words count twice. */
function compare(words: ReadonlySet<string>, count: number, example: string[]): number {
  if (example.length === 0 || (example.length <= SHORT_EXAMPLE && count > MAX_SHORT_WORDS)) return 0;
  let whole = 0;
  let shared = 0;
  for (const word of example) {
    const weight = word.length >= LONG_WORD ? 2 : 1;
    whole += weight;
    if (words.has(toStem(word))) shared += weight;
  }
  return shared / whole;
}

function toStem(word: string): string {
  return word.slice(0, STEM_LETTERS);
}
