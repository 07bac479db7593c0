import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { otherLexicons } from "#src/engine/models/scripted/lexicon.ts";
import { toSentences, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { saysNothing, understandChoice, understandChoices } from "./choice.ts";
import { type Calendar, parseDate } from "./date.ts";
import { parseEmail } from "./email.ts";
import { isBareYesNo, parseYesNo } from "./intent.ts";
import { parseAmount, parseNumber } from "./number.ts";
import { parseCode, parsePhone } from "./phone.ts";
import { parseBareHour, parseTime } from "./time.ts";

/**
 * Returns the value that an utterance gives a field; undefined when it does not answer it, or not as the schema
 * requires.
 */
export function understandAnswer(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  return correctedAtOnce(field, text, lexicon, calendar) ?? readAnswer(field, text, lexicon, calendar);
}

/** Reads a self-correction such as "Five, no, six": the last value counts when both are answers. */
function correctedAtOnce(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  if (["TEXT", "LIST", "BOOLEAN", "CHOICES"].includes(field.kind)) return undefined;
  const slip = lexicon.weakCorrection.exec(text);
  if (!slip || slip.index === 0) return undefined;
  const after = readAnswer(field, text.slice(slip.index + slip[0].length), lexicon, calendar);
  return after === undefined || readAnswer(field, text.slice(0, slip.index), lexicon, calendar) === undefined
    ? undefined
    : after;
}

function readAnswer(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  switch (field.kind) {
    case "BOOLEAN":
      return understandYesNo(text, lexicon);
    case "NUMBER":
      return understandNumber(field, text, lexicon);
    case "CHOICE":
      return understandChoice(field, text, lexicon);
    case "CHOICES":
      return understandChoices(field, text, lexicon);
    case "DATE":
    case "TIME":
    case "DATE_TIME":
      return keep(field, understandMoment(field, keepAffirmed(text, lexicon), lexicon, calendar));
    case "EMAIL":
      return keep(field, parseEmail(text, lexicon));
    case "PHONE":
      return keep(field, parsePhone(text, lexicon));
    case "LIST":
      return understandList(text, lexicon);
    case "TEXT":
      return understandText(field, text, lexicon);
  }
}

function keep(field: Field, value: string | undefined): string | undefined {
  return value !== undefined && field.accepts(value) ? value : undefined;
}

/** Reads a day and a time. One that is only ruled out is no answer. */
function understandMoment(
  { kind }: Field,
  text: string | undefined,
  lexicon: Lexicon,
  calendar: Calendar,
): string | undefined {
  if (text === undefined) return undefined;
  if (kind === "DATE") return parseDate(text, lexicon, calendar);
  const time = parseTime(text, lexicon);
  if (kind === "TIME") return withZone(time ?? parseBareHour(text, lexicon));
  return joinDateTime(parseDate(text, lexicon, calendar), time);
}

/** Adds the zone of the session's date, UTC, which the format requires (RFC 3339). */
export function withZone(time: string | undefined): string | undefined {
  return time === undefined ? undefined : `${time}:00Z`;
}

/** Returns a date and a time as one RFC 3339 text; undefined unless both are present. */
export function joinDateTime(date: string | undefined, time: string | undefined): string | undefined {
  return date === undefined || time === undefined ? undefined : `${date}T${time}:00Z`;
}

/** Words within which a yes or no counts; deep in a long story, "not" belongs to the story. */
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
  const affirmed = keepAffirmed(text, lexicon) ?? text;
  if (hangsBetweenTwo(affirmed, lexicon)) return undefined;
  const value = parseAmount(affirmed, lexicon);
  if (value === undefined || (field.isInteger && !Number.isInteger(value))) return undefined;
  return value >= field.minimum && value <= field.maximum ? value : undefined;
}

const OR = wholeWords("or|o|oder|ou|eller");

/** True for "two or three", which is no answer yet. */
function hangsBetweenTwo(text: string, lexicon: Lexicon): boolean {
  const or = OR.exec(text);
  if (!or) return false;
  const first = parseNumber(text.slice(0, or.index), lexicon);
  const second = parseNumber(text.slice(or.index + or[0].length), lexicon);
  return first !== undefined && second !== undefined && first !== second;
}

function understandList(text: string, lexicon: Lexicon): string[] | undefined {
  if (saysNothing(text, lexicon)) return [];
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
  if (saysNothing(text, lexicon) || text.trimEnd().endsWith("?")) return undefined;
  const cleaned = field.isName ? cleanName(text, lexicon) : cleanText(text, lexicon);
  if (cleaned === "" || isBareYesNo(cleaned, lexicon)) return undefined;
  if (field.isName && (toTokens(cleaned).length > MAX_NAME_WORDS || NO_NAME.test(cleaned))) return undefined;
  return keep(field, cleaned) ?? parseCode(text, lexicon, (code) => field.accepts(code));
}

const MAX_NAME_WORDS = 8;
/** Matches the letters spelled after a name: "Berg, B E R G". */
const SPELLED_AFTER = /[,;.]?\s+(?:\p{L}[\s.,-]+){2,40}\p{L}\.?$/u;

const FURTHER_ANSWER = /[,;.]?\s+(?:and|und|y|et|och)\s+(?:my|meine?|mi|mon|ma|min|mitt|i|ich|je|jag)\s/i;

/** Returns a name without its spelled letters, and without other answers in the same utterance. */
function cleanName(text: string, lexicon: Lexicon): string {
  const said = toSentences(cleanText(text.replace(COURTESY, ""), lexicon).replace(SPELLED_AFTER, ""));
  const whole = said.at(-1) ?? "";
  // A name and its full form: "Berg. Anna Berg."
  const isRepeated = said.length > 1 && toTokens(said[0] ?? "").every((word) => toTokens(whole).includes(word));
  const [name = ""] = (isRepeated ? whole : said.join(" ")).split(FURTHER_ANSWER);
  return name.replace(/[.!,;]+$/, "");
}

const COURTESY =
  /^(?:all right|alright|okay|ok|sure|fine|yes|well|oh|ja|gut|na gut|klar|vale|bueno|sí|claro|oui|bon|d'accord|okej|jo|visst)[,.!]\s+/i;

/** Words of a remark, in any of the languages, that do not occur in names. */
const NO_NAME = wholeWords(
  "you|your|know|why|don't|told|wissen|warum|nicht|kennen|usted|sabe|saben|por qué|vous|savez|pourquoi|vet|varför|inte",
);

/** Returns a text without a lead such as "my name is" and without the full stop. */
function cleanText(text: string, lexicon: Lexicon): string {
  const bare = text.trim().replace(lexicon.leadIn, "");
  return (bare.includes(". ") ? bare : bare.replace(/[.!,;]+$/, "")).trim();
}
