import { expect, test } from "vitest";
import { primaryLanguage, recognisedLanguage } from "./primary-language.ts";

// ElevenLabs lists "no" and "fil"; Whisper and Deepgram list "no" and "tl".
test.each([
  ["en-US", "en", "en"],
  ["NB-NO", "no", "no"],
  ["nn", "no", "no"],
  ["fil-PH", "fil", "tl"],
])("%s is spoken as %s and recognised as %s", (language, spoken, recognised) => {
  expect([primaryLanguage(language), recognisedLanguage(language)]).toEqual([spoken, recognised]);
});
