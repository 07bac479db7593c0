import { expect, test } from "vitest";
import { toDeepgramLanguage } from "./deepgram-language.ts";

test.each([
  ["en", "en"],
  ["en-US", "en-US"],
  ["EN-gb", "en-GB"],
  ["en-ZA", "en"],
  ["de-DE", "de"],
  ["de-AT", "de"],
  ["de-CH", "de-CH"],
  ["es-ES", "es"],
  ["es-MX", "es-419"],
  ["es-419", "es-419"],
  ["fr-FR", "fr"],
  ["fr-CA", "fr-CA"],
  ["pt-BR", "pt-BR"],
  ["pt-AO", "pt"],
  ["nl-BE", "nl-BE"],
  ["nb-NO", "no"],
  ["nn", "no"],
  ["fil-PH", "tl"],
  ["zh-Hant-TW", "zh-Hant"],
  ["zh-SG", "zh"],
  ["ja-JP", "ja"],
  ["ar-EG", "ar"],
])("of %s Deepgram takes %s", (language, code) => {
  expect(toDeepgramLanguage(language)).toBe(code);
});
