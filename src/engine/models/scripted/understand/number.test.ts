import { describe, expect, it } from "vitest";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { parseNumber } from "./number.ts";

const CASES: [string, [string, number | undefined][]][] = [
  [
    "en",
    [
      ["There will be 4 of us", 4],
      ["two", 2],
      ["twenty-five", 25],
      ["one hundred and twenty three", 123],
      ["three thousand two hundred", 3200],
      ["5 thousand", 5000],
      ["1,200", 1200],
      ["3.5", 3.5],
      ["three point two five", 3.25],
      ["two and a half", 2.5],
      ["-1", -1],
      ["minus four", -4],
      ["8 out of 10", 8],
      ["ten fifteen", undefined],
      ["one two three", undefined],
      ["someone", undefined],
      ["at 12:30", undefined],
    ],
  ],
  [
    "es",
    [
      ["veintidós", 22],
      ["treinta y cinco personas", 35],
      ["doscientos cincuenta", 250],
      ["dos mil", 2000],
      ["1.200", 1200],
      ["3,5", 3.5],
      ["menos dos", -2],
      ["cinco y media", 5.5],
    ],
  ],
  [
    "de",
    [
      ["fünfundzwanzig", 25],
      ["zweihundertfünf", 205],
      ["dreitausendvierhundertsiebenundachtzig", 3487],
      ["ein und zwanzig", 21],
      ["1.200", 1200],
      ["zwei Komma fünf", 2.5],
      ["verstanden", undefined],
    ],
  ],
  [
    "fr",
    [
      ["dix-sept", 17],
      ["soixante-douze", 72],
      ["quatre-vingt-dix-neuf", 99],
      ["quatre-vingts", 80],
      ["vingt et un", 21],
      ["deux cent cinquante", 250],
      ["mille neuf cents", 1900],
      ["3,5", 3.5],
    ],
  ],
  [
    "sv",
    [
      ["tjugofem", 25],
      ["tvåhundrafemtio", 250],
      ["tretusen", 3000],
      ["sju stycken", 7],
      ["1 200", 1200],
    ],
  ],
];

describe.each(CASES)("numbers in %s", (language, table) => {
  it.each(table)("%s", (text, value) => expect(parseNumber(text, lexiconFor(language))).toBe(value));
});

function spellGerman(n: number): string {
  const small =
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(
      " ",
    );
  const tens = ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
  if (n < 20) return small[n] as string;
  const unit = n % 10 === 1 ? "ein" : (small[n % 10] as string);
  return (n % 10 === 0 ? "" : `${unit}und`) + tens[Math.floor(n / 10)];
}

it("reads every German number below a hundred", () => {
  for (let n = 0; n < 100; n++) expect(parseNumber(spellGerman(n), lexiconFor("de"))).toBe(n);
});
