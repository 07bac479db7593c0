import type { Language } from "./language.ts";
import type { Words } from "./persona-schema.ts";

/** A name in braces, which stands for what the person knows under it. */
const FILL_IN = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** The text that somebody with this seed says in this language; undefined where the words have none in it. */
export function pickWords(words: Words, language: Language, seed: number): string | undefined {
  const texts = typeof words === "string" || Array.isArray(words) ? words : words[language];
  return Array.isArray(texts) ? texts[seed % texts.length] : texts;
}

/** Every text that words hold, whatever the language. */
export function listTexts(words: Words): string[] {
  return typeof words === "string" ? [words] : Object.values(words).flat();
}

/** The names in braces that a text holds. */
export function listFillIns(text: string): string[] {
  return [...text.matchAll(FILL_IN)].map((found) => found[1] ?? "");
}

/** The text with each name in braces replaced by what `find` gives for it; a name without a value stays. */
export function fillIn(text: string, find: (name: string) => string | undefined): string {
  return text.replaceAll(FILL_IN, (braced, name: string) => find(name) ?? braced);
}
