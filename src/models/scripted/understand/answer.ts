import type { Field } from "#src/models/scripted/fields.ts";
import type { Lexicon } from "#src/models/scripted/lexicon-shape.ts";
import { otherLexicons } from "#src/models/scripted/lexicon.ts";
import { toTokens, wholeWords } from "#src/models/scripted/words.ts";
import { type Calendar, parseDate } from "./date.ts";
import { parseEmail } from "./email.ts";
import { isBareYesNo, parseYesNo } from "./intent.ts";
import { parseNumber } from "./number.ts";
import { parsePlace } from "./place.ts";
import { parseBareHour, parseTime } from "./time.ts";

/** The value that an utterance gives a field; undefined when it does not answer it, or not as the schema wants. */
export function understandAnswer(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  switch (field.kind) {
    case "BOOLEAN":
      return understandYesNo(text, lexicon);
    case "NUMBER":
      return understandNumber(field, text, lexicon);
    case "CHOICE":
      return understandChoice(field, text, lexicon);
    case "CHOICES":
      return understandChoices(field, text);
    case "DATE":
      return keep(field, parseDate(text, lexicon, calendar));
    case "TIME":
      return keep(field, withZone(parseTime(text, lexicon) ?? parseBareHour(text, lexicon)));
    case "DATE_TIME":
      return keep(field, joinDateTime(parseDate(text, lexicon, calendar), parseTime(text, lexicon)));
    case "EMAIL":
      return keep(field, parseEmail(text, lexicon));
    case "PHONE":
      return keep(field, parsePhone(text));
    case "LIST":
      return understandList(text, lexicon);
    case "TEXT":
      return understandText(field, text, lexicon);
  }
}

function keep(field: Field, value: string | undefined): string | undefined {
  return value !== undefined && field.accepts(value) ? value : undefined;
}

/** Times are told in the zone of the session's date, which is UTC; the format wants it written (RFC 3339). */
function withZone(time: string | undefined): string | undefined {
  return time === undefined ? undefined : `${time}:00Z`;
}

/** A date and a time as one RFC 3339 text; undefined unless both are there. */
export function joinDateTime(date: string | undefined, time: string | undefined): string | undefined {
  return date === undefined || time === undefined ? undefined : `${date}T${time}:00Z`;
}

/** A yes or no comes early: deep in a long story, "not" belongs to the story. */
const YES_NO_WITHIN_WORDS = 10;

function understandYesNo(utterance: string, lexicon: Lexicon): boolean | undefined {
  const text = utterance.split(" ").slice(0, YES_NO_WITHIN_WORDS).join(" ");
  const answer = parseYesNo(text, lexicon);
  if (answer !== undefined || toTokens(text).length > 2) return answer;
  for (const other of otherLexicons(lexicon)) {
    const foreign = parseYesNo(text, other);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function understandNumber(field: Field, text: string, lexicon: Lexicon): number | undefined {
  if (hangsBetweenTwo(text, lexicon)) return undefined;
  const value = parseNumber(text, lexicon);
  if (value === undefined || (field.isInteger && !Number.isInteger(value))) return undefined;
  return value >= field.minimum && value <= field.maximum ? value : undefined;
}

const OR = wholeWords("or|o|oder|ou|eller");

/** "Two or three" is no answer yet. */
function hangsBetweenTwo(text: string, lexicon: Lexicon): boolean {
  const or = OR.exec(text);
  if (!or) return false;
  const first = parseNumber(text.slice(0, or.index), lexicon);
  const second = parseNumber(text.slice(or.index + or[0].length), lexicon);
  return first !== undefined && second !== undefined && first !== second;
}

function understandChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = choicesSaid(field, text, lexicon);
  if (said.length === 1) return said[0];
  if (said.length > 1) return undefined;
  const yesNo = parseYesNo(text, lexicon);
  const byYesNo = field.choices.find(
    ({ spoken }) => yesNo !== undefined && spoken.toLowerCase() === (yesNo ? "yes" : "no"),
  );
  if (byYesNo) return byYesNo.value;
  if (field.choices.every(({ spoken }) => /^-?\d+(?:\.\d+)?$/.test(spoken))) return numberChoice(field, text, lexicon);
  const place = parsePlace(text, lexicon, field.choices.length);
  return place === undefined ? undefined : field.choices[place - 1]?.value;
}

/** Among numbers "two" is the number two, and not the second of them. */
function numberChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = parseNumber(text, lexicon);
  return field.choices.find(({ spoken }) => Number(spoken) === said)?.value;
}

function understandChoices(field: Field, text: string): unknown[] | undefined {
  const said = choicesSaid(field, text, undefined);
  return said.length > 0 ? said : undefined;
}

/** The choices named in a text: by their words, else by a word that only one of them has. */
function choicesSaid(field: Field, text: string, lexicon: Lexicon | undefined): unknown[] {
  let rest = ` ${spokenTokens(text).join(" ")} `;
  const found: unknown[] = [];
  const longestFirst = field.choices
    .map(({ value, spoken }) => ({ value, words: ` ${spokenTokens(spoken).join(" ")} ` }))
    .toSorted((a, b) => b.words.length - a.words.length);
  for (const { value, words } of longestFirst) {
    const at = rest.indexOf(words);
    if (at === -1 || words.trim() === "") continue;
    if (!lexicon || !isNegated(rest.slice(0, at), lexicon)) found.push(value);
    rest = `${rest.slice(0, at)} | ${rest.slice(at + words.length)}`;
  }
  if (found.length > 0 || rest.includes("|")) return found;
  return tellingWordChoices(longestFirst, rest, lexicon);
}

function isNegated(before: string, lexicon: Lexicon): boolean {
  const last = before.trim().split(" ").at(-1) ?? "";
  return ["not", "nicht", "kein", "keine", "pas", "inte"].includes(last) && lexicon.no.test(last);
}

function tellingWordChoices(
  choices: { value: unknown; words: string }[],
  rest: string,
  lexicon: Lexicon | undefined,
): unknown[] {
  const words = rest.trim().split(" ");
  const tokens = new Set(
    words.filter((word, i) => word.length >= 4 && (!lexicon || !isNegated(words[i - 1] ?? "", lexicon))),
  );
  const hit = choices.filter(({ words }) =>
    words
      .trim()
      .split(" ")
      .some((word) => tokens.has(word)),
  );
  return hit.length === 1 ? [hit[0]?.value] : [];
}

function spokenTokens(text: string): string[] {
  return toTokens(text.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "").replaceAll(/\be mail/gi, "email"));
}

const PHONE = /\+?\d[\d\s()./-]{5,25}\d/;

function parsePhone(text: string): string | undefined {
  const digits = PHONE.exec(text)?.[0].replaceAll(/[^\d+]/g, "");
  return digits !== undefined && /^\+?\d{7,15}$/.test(digits) ? digits : undefined;
}

function understandList(text: string, lexicon: Lexicon): string[] | undefined {
  const cleaned = cleanText(text, lexicon);
  if (cleaned === "" || isBareYesNo(cleaned, lexicon)) return undefined;
  const items = cleaned
    .split(",")
    .flatMap((part) => part.split(lexicon.and))
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

function understandText(field: Field, text: string, lexicon: Lexicon): string | undefined {
  const cleaned = cleanText(text, lexicon);
  if (cleaned === "" || isBareYesNo(cleaned, lexicon) || text.trimEnd().endsWith("?")) return undefined;
  if (field.isName && toTokens(cleaned).length > MAX_NAME_WORDS) return undefined;
  return keep(field, cleaned);
}

const MAX_NAME_WORDS = 8;

/** Without "my name is" before it and the full stop after it. */
function cleanText(text: string, lexicon: Lexicon): string {
  const bare = text.trim().replace(lexicon.leadIn, "");
  return (bare.includes(". ") ? bare : bare.replace(/[.!,;]+$/, "")).trim();
}
