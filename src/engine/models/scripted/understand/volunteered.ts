import type { Field, FieldKind } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { stemsOf, toTokens } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { choicesSaid } from "./choice.ts";
import { type Calendar, parseDate } from "./date.ts";
import { parseEmail } from "./email.ts";
import { parseNumber } from "./number.ts";
import { parsePhone } from "./phone.ts";
import { parseTime } from "./time.ts";
import { joinDateTime, withZone } from "./zoned.ts";

/** Kinds of values that an answer uses up; each is used once per utterance. */
export type Taken = "DATE" | "TIME" | "NUMBER" | "EMAIL" | "PHONE";

const TAKES: Partial<Record<FieldKind, Taken[]>> = {
  DATE: ["DATE"],
  TIME: ["TIME"],
  DATE_TIME: ["DATE", "TIME"],
  NUMBER: ["NUMBER"],
  EMAIL: ["EMAIL"],
  PHONE: ["PHONE"],
};

/** Returns the kinds of values that an answer of this kind uses up. */
export function takenBy(kind: FieldKind): Taken[] {
  return TAKES[kind] ?? [];
}

/**
 * Returns the value that an utterance gives a field which was not asked yet. Only an unambiguous value counts, never a
 * yes or no, free words or a bare number.
 */
export function readVolunteered(field: Field, said: string, lexicon: Lexicon, calendar: Calendar): unknown {
  const text = keepAffirmed(said, lexicon);
  if (text === undefined) return undefined;
  const own = { ...calendar, tense: field.tense };
  const keep = (value: string | undefined): string | undefined =>
    value !== undefined && field.accepts(value) ? value : undefined;
  switch (field.kind) {
    case "DATE":
      return keep(parseDate(text, lexicon, own));
    case "TIME":
      return keep(withZone(parseTime(text, lexicon, field.hours), calendar));
    case "DATE_TIME":
      return keep(joinDateTime(parseDate(text, lexicon, own), parseTime(text, lexicon, field.hours), calendar));
    case "EMAIL":
      return keep(parseEmail(text, lexicon));
    case "PHONE":
      return keep(parsePhone(text, lexicon));
    case "NUMBER":
      return readCounted(field, text, lexicon);
    case "CHOICE":
      return readNamed(field, text, lexicon);
    default:
      return undefined;
  }
}

const OF_US = /^(?:us|uns|nosotros|nous|oss)$/;
const NEAR_WORDS = 3;

/** Reads a number beside a word of its question: "two of us", "four people", "a budget of 200". */
function readCounted(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const tokens = toTokens(text);
  const stems = stemsOf(`${field.about} ${field.path.join(" ")}`);
  const at = tokens.findIndex((token) => OF_US.test(token) || [...stemsOf(token)].some((stem) => stems.has(stem)));
  if (at === -1) return undefined;
  const before = parseNumber(tokens.slice(Math.max(0, at - NEAR_WORDS), at).join(" "), lexicon);
  const value = before ?? parseNumber(tokens.slice(at + 1, at + 1 + NEAR_WORDS).join(" "), lexicon);
  if (value === undefined || (field.isInteger && !Number.isInteger(value))) return undefined;
  return value >= field.minimum && value <= field.maximum ? value : undefined;
}

const MIN_NAME_CHARACTERS = 4;

function readNamed(field: Field, text: string, lexicon: Lexicon): unknown {
  const words = ` ${toTokens(text).join(" ")} `;
  const isNamed = field.choices.some(
    ({ spoken }) => spoken.length >= MIN_NAME_CHARACTERS && words.includes(` ${toTokens(spoken).join(" ")} `),
  );
  const said = isNamed ? choicesSaid(field, text, lexicon) : [];
  return said.length === 1 ? said[0] : undefined;
}
