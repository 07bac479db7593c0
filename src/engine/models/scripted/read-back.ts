import type { Field } from "./fields.ts";
import type { Lexicon } from "./lexicon-shape.ts";
import { fill } from "./questions.ts";
import { readPair } from "./understand/amount.ts";
import { parseDate } from "./understand/date.ts";
import { spelledWord } from "./understand/spelled.ts";

/**
 * True for a value that was put together from what was heard and would do harm if it were wrong: a spoken address or
 * phone number, a spelled name or code, a date of birth in words, an amount that can be read in two ways.
 */
export function needsReadBack(field: Field, value: unknown, said: string, lexicon: Lexicon): boolean {
  const text = said.toLowerCase();
  switch (field.kind) {
    case "EMAIL":
    case "URI":
      return typeof value === "string" && !text.includes(value.replace(/^https?:\/\//, "").toLowerCase());
    case "PHONE":
      return typeof value === "string" && !said.replaceAll(/\D/g, "").includes(value.replaceAll(/\D/g, ""));
    case "DATE":
      return field.tense === "BIRTH" && !/\d/.test(text);
    case "NUMBER":
      return !/\d/.test(text) && readPair(field, said, lexicon) === value;
    case "TEXT":
      return typeof value === "string" && isAssembled(field, value, said);
    default:
      return false;
  }
}

/** True for a name or a code that is not in the words that were said, but was spelled. */
function isAssembled(field: Field, value: string, said: string): boolean {
  if (spelledWord(said) !== undefined) return true;
  return /\d/.test(value) && !said.toLowerCase().includes(value.toLowerCase());
}

/** Returns the question by which a value is read back: an address letter by letter. */
export function readBack(value: unknown, field: Field, lexicon: Lexicon): string {
  return fill(lexicon.phrases.readBack, { values: toSpoken(String(value as string | number), field, lexicon) });
}

const LONGEST_SPELLED = 16;
const MARKS: Record<Lexicon["code"], Record<string, string>> = {
  en: { "@": "at", ".": "dot", _: "underscore", "-": "dash", "+": "plus" },
  de: { "@": "at", ".": "Punkt", _: "Unterstrich", "-": "Bindestrich", "+": "plus" },
  es: { "@": "arroba", ".": "punto", _: "guion bajo", "-": "guion", "+": "más" },
  fr: { "@": "arobase", ".": "point", _: "tiret bas", "-": "tiret", "+": "plus" },
  sv: { "@": "snabel-a", ".": "punkt", _: "understreck", "-": "bindestreck", "+": "plus" },
};

function toSpoken(value: string, field: Field, lexicon: Lexicon): string {
  if (field.kind === "PHONE") return value.replaceAll(/(\d)(?=\d)/g, "$1 ");
  if (field.kind === "DATE") return toDay(value, lexicon);
  if (field.kind === "TEXT")
    return /\d/.test(value) ? Array.from(value).join(" ") : `${value}, ${value.split(" ").map(spell).join(" ")}`;
  if (field.kind !== "EMAIL") return value;
  const [name = "", domain = ""] = value.split("@");
  const words = (text: string, isSpelled: boolean): string =>
    text
      .split(/([._+-])/)
      .filter((part) => part !== "")
      .map((part) => MARKS[lexicon.code][part] ?? (isSpelled ? spell(part) : part))
      .join(" ");
  return `${words(name, name.length <= LONGEST_SPELLED)} ${MARKS[lexicon.code]["@"] ?? "at"} ${words(domain, false)}`;
}

function spell(word: string): string {
  return Array.from(word).join("-");
}

/** Writes a day in a form that no reader takes for another day. */
function toDay(value: string, lexicon: Lexicon): string {
  const isDay = parseDate(value, lexicon, { today: undefined, monthFirst: false }) !== undefined;
  if (!isDay) return value;
  const day = new Date(`${value}T00:00:00Z`);
  return new Intl.DateTimeFormat(lexicon.code, { dateStyle: "long", timeZone: "UTC" }).format(day);
}
