import type { Language } from "./language.ts";
import type { Words } from "./persona-schema.ts";

/** Matches a name in braces, which stands for a fact of the person. */
const FILL_IN = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** Returns the text that a persona with this seed says in this language; undefined when there is none. */
export function pickWords(words: Words, language: Language, seed: number): string | undefined {
  const texts = typeof words === "string" || Array.isArray(words) ? words : words[language];
  return Array.isArray(texts) ? texts[seed % texts.length] : texts;
}

/** Returns every text in the words, in all languages. */
export function listTexts(words: Words): string[] {
  return typeof words === "string" ? [words] : Object.values(words).flat();
}

/** Returns the names in braces in a text. */
export function listFillIns(text: string): string[] {
  return [...text.matchAll(FILL_IN)].map((found) => found[1] ?? "");
}

/** Replaces each name in braces by the value that `find` returns; a name without a value stays. */
export function fillIn(text: string, find: (name: string) => string | undefined): string {
  return text.replaceAll(FILL_IN, (braced, name: string) => find(name) ?? braced);
}
