import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Languages of the personas. */
export const LANGUAGES = ["en", "es", "de", "fr", "sv"] as const;
export type Language = (typeof LANGUAGES)[number];

const COMMON_WORDS: [Language, RegExp][] = [
  ["en", wholeWords("the|you|your|is|are|this|and|would|hello|please|what|do|have|thank|how|can|my", "giu")],
  ["es", wholeWords("el|los|usted|está|es|gracias|hola|quiere|por|buenos|buenas|su|qué|le|con|cuál|del", "giu")],
  ["de", wholeWords("der|das|sie|ist|und|nicht|ich|bitte|haben|ihre?n?|guten|danke|wie|möchten|hier|von", "giu")],
  ["fr", wholeWords("le|les|vous|est|bonjour|je|votre|êtes|pour|merci|avez|une|quel|quelle|ici|du", "giu")],
  ["sv", wholeWords("är|du|och|hej|det|att|jag|vill|ditt|din|tack|vad|kan|har|till|från|vi", "giu")],
];

/** Returns the language of a text by its most common words, or undefined when they do not decide. */
export function detectLanguage(text: string): Language | undefined {
  let found: Language | undefined;
  let most = 0;
  for (const [language, words] of COMMON_WORDS) {
    const count = text.match(words)?.length ?? 0;
    if (count > most) [found, most] = [language, count];
  }
  return found;
}
