import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseWords } from "./number.ts";
import { toLetters } from "./spelled.ts";

const CODE_FIELD = wholeWords(
  "post(?:al )?code|eircode|zip(?: code)?|codes?|reference|policy|registration|(?:licen[cs]e|number) plate|plate|apartment|apt|suite|serial|i\\.?d\\.?|iban|pin|vin|" +
    "(?:\\p{L}+ )?numbers?(?! of)|\\p{L}*(?:nummer|nr|nummern)|kennzeichen|postleitzahl|plz|regnr|\\p{L}*kod|" +
    "código(?: postal)?|matrícula|placas?|referencia|número|cédula|dni|folio|plaque|immatriculation|référence|numéro",
);
/** Fields with a number among words. */
const ADDRESS = wholeWords(
  "street|road|address|straße|strasse|adresse|calle|dirección|domicilio|rue|gata|gatuadress|adress|avenue",
);
const PLATE = /registration|number plate|\bplate\b/i;
const POSTCODE = /post ?code|eircode/i;

/** True for a text that is a code: a number with letters or leading zeros, such as a registration. */
export function isCodeField({ about, path, schema }: Field): boolean {
  const words = `${about} ${path.join(" ")}`;
  return typeof schema.pattern === "string" || (CODE_FIELD.test(words) && !ADDRESS.test(words));
}

/** Characters of the shortest code that a row of spoken letters and digits can be. */
const SHORTEST = 2;
const WRITTEN = /^[\p{L}\p{N}]{1,4}(?:[ /-]?[\p{L}\p{N}]{1,8}){0,4}$/u;

/** Returns a code that the field accepts: as it is written, else the longest one that is spelled. */
export function readCode(field: Field, text: string, lexicon: Lexicon): string | undefined {
  const said = text
    .trim()
    .replace(lexicon.leadIn, "")
    .replace(/[.!?]+$/, "");
  if (/\d/.test(said) && WRITTEN.test(said) && field.accepts(said)) return said;
  const codes = spelledCodes(said, lexicon).filter((code) => code.length >= SHORTEST);
  const longestFirst = codes.toSorted((a, b) => b.length - a.length);
  return longestFirst.flatMap((code) => [formatPostcode(field, code), code]).find((code) => field.accepts(code));
}

/** Returns a whole text as a code when nothing else is in it: digits one by one for a field of free words. */
export function readRow(text: string, lexicon: Lexicon): string | undefined {
  const codes = spelledCodes(text.replace(lexicon.leadIn, ""), lexicon, true);
  const [code = ""] = codes;
  return codes.length === 1 && code.length >= SHORTEST_ROW && /\d.*\d/.test(code) && !/\d/.test(text)
    ? code
    : undefined;
}

const SHORTEST_ROW = 4;

/** Writes a British or Irish postcode, or a British registration, with its space. */
function formatPostcode(field: Field, code: string): string {
  const words = `${field.about} ${field.path.join(" ")}`;
  if (PLATE.test(words) && /^[A-Z]{2}\d\d[A-Z]{3}$/.test(code)) return `${code.slice(0, 4)} ${code.slice(4)}`;
  const isPostcode = POSTCODE.test(words);
  if (isPostcode && /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(code)) return `${code.slice(0, -3)} ${code.slice(-3)}`;
  return isPostcode && /^[A-Z]\d[\dW][A-Z\d]{4}$/.test(code) ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

/** Returns the rows of letters and digits that a text spells. `isWhole`: none when it holds anything else. */
function spelledCodes(text: string, lexicon: Lexicon, isWhole = false): string[] {
  const codes: string[] = [""];
  let times = 1;
  let tens = 0;
  for (const word of toWords(toLetters(text), lexicon)) {
    const lower = word.toLowerCase();
    if (lexicon.twice.includes(lower) || lexicon.thrice.includes(lower)) {
      times = lexicon.twice.includes(lower) ? 2 : 3;
      continue;
    }
    if (MARK.test(lower) || (lexicon.numberJoiners.includes(lower) && tens > 0)) continue;
    const last = codes.length - 1;
    const part = toPart(word, lexicon);
    if (part === undefined) {
      if (isWhole) return [];
      if (codes[last] !== "") codes.push("");
      tens = 0;
    } else if (tens > 0 && /^[1-9]$/.test(part) && times === 1) {
      // "Forty six" is one pair in two words.
      codes[last] = `${codes[last]?.slice(0, -2)}${tens + Number(part)}`;
      tens = 0;
    } else {
      codes[last] += part.repeat(times);
      tens = times === 1 && /^[2-9]0$/.test(part) && !/^\d/.test(word) ? Number(part) : 0;
    }
    times = 1;
  }
  return codes.filter((code) => code !== "").map((code) => code.toUpperCase());
}

/** Words for marks inside a code, which it is stored without. */
const MARK =
  /^(?:then|capital|letters?|upper ?case|and then|followed|by|dann|großes|luego|mayúscula|puis|majuscule|sedan|stort|slash|dash|hyphen|minus|stroke|space|bindestrich|schrägstrich|strich|leerzeichen|guion|guión|barra|tiret|espace|bindestreck|streck|snedstreck)$/;

/** Splits into words, and at hyphens unless they join one number. */
function toWords(text: string, lexicon: Lexicon): string[] {
  const words = text.match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.flatMap((word) => (toNumber(word, lexicon) === undefined ? word.split("-") : [word]));
}

/** Returns what one word adds to a code; undefined for any other word. */
function toPart(word: string, lexicon: Lexicon): string | undefined {
  const lower = word.toLowerCase();
  if (Object.hasOwn(lexicon.phoneWords, lower)) return lexicon.phoneWords[lower];
  const number = toNumber(word, lexicon);
  if (number !== undefined) return String(number);
  const isPart = word.length === 1 || /^(?=.*\d)[\p{L}\d]{1,12}$/u.test(word) || /^[A-Z]{2,4}$/.test(word);
  return isPart ? word : undefined;
}

/** Returns a number below a hundred that one word is. */
function toNumber(word: string, lexicon: Lexicon): number | undefined {
  const tokens = toTokens(word);
  const isNumber = tokens.every((token) => Object.hasOwn(lexicon.numbers, token) || isCompound(token, lexicon));
  const value = isNumber && !/\d/.test(word) && word.length > 1 ? parseWords(tokens, lexicon) : undefined;
  return value !== undefined && value < 100 ? value : undefined;
}

function isCompound(token: string, lexicon: Lexicon): boolean {
  return (
    lexicon.numberJoiners.includes(token) || (lexicon.compoundNumbers && parseWords([token], lexicon) !== undefined)
  );
}
