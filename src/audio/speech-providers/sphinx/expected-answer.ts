/** Answers that a JSON Schema accepts, as far as a list of words can express them. */
export interface ExpectedAnswer {
  kinds: ReadonlySet<AnswerKind>;
  /** Possible numbers of digits of a code; empty unless known for all codes. */
  digitCounts: readonly number[];
  /** Choices of enums, as they would be said. */
  choices: string[];
}

export type AnswerKind = "YES_NO" | "DIGITS" | "NUMBER" | "DATE" | "TIME";

type JsonSchema = Record<string, unknown>;

const MAX_CHOICES = 200;
const MAX_CHOICE_CHARACTERS = 80;
const MAX_DEPTH = 6;
const MAX_STEPS = 500;
/**
 * Longest code with a grammar of its length: for longer ones the ways to say them with "double" are too many to list.
 */
export const MAX_COUNTED_DIGITS = 10;
/** Patterns of nothing but digits, such as ^\d{5}$ or [0-9]+, with dashes and spaces allowed between them. */
const DIGIT_PATTERN = /^\^?(?:(?:\\d|\[0-9\])(?:\{\d+(?:,\d*)?\}|[+*?])?(?:[- ]\??)?)+\$?$/;
const MAX_PATTERN_CHARACTERS = 100;
const DIGIT_FORMATS = new Set(["phone", "tel", "digits"]);

/** Derives the expected answers from a JSON Schema; none for free text. */
export function readExpectedAnswer(schema: JsonSchema): ExpectedAnswer {
  const kinds = new Set<AnswerKind>();
  const choices = new Set<string>();
  const counts: (number[] | null)[] = [];
  let steps = 0;
  const visit = (value: unknown, depth: number): void => {
    if (!isSchema(value) || depth > MAX_DEPTH || ++steps > MAX_STEPS) return;
    const target = typeof value.$ref === "string" ? lookUp(value.$ref, schema) : undefined;
    visit(target, depth + 1);
    for (const list of [value.anyOf, value.oneOf, value.allOf]) {
      if (Array.isArray(list)) for (const one of list) visit(one, depth + 1);
    }
    visit(value.items, depth + 1);
    if (isSchema(value.properties)) for (const one of Object.values(value.properties)) visit(one, depth + 1);
    const named = choicesOf(value);
    for (const choice of named) choices.add(choice);
    const found = named.length === 0 ? kindsOf(value) : [];
    for (const kind of found) kinds.add(kind);
    if (found.includes("DIGITS")) counts.push(countDigits(value.pattern));
  };
  visit(schema, 0);
  const digitCounts = counts.includes(null) ? [] : [...new Set(counts.flatMap((count) => count ?? []))];
  return { kinds, digitCounts, choices: [...choices].slice(0, MAX_CHOICES) };
}

/** Returns the numbers of digits that a pattern allows; null when unbounded or above MAX_COUNTED_DIGITS. */
function countDigits(pattern: unknown): number[] | null {
  if (typeof pattern !== "string" || !/^\^.*\$$/.test(pattern)) return null;
  let [least, most] = [0, 0];
  for (const [, amount = "{1}"] of pattern.matchAll(/(?:\\d|\[0-9\])(\{[\d,]+\}|[+*?])?/g)) {
    const [from = 1, to = amount.includes(",") ? Infinity : from] = (amount.match(/\d+/g) ?? []).map(Number);
    least += "*?".includes(amount) ? 0 : from;
    most += "*+".includes(amount) ? Infinity : to;
  }
  if (most > MAX_COUNTED_DIGITS) return null;
  return Array.from({ length: most - Math.max(least, 1) + 1 }, (_, i) => Math.max(least, 1) + i);
}

function choicesOf({ enum: values, const: only }: JsonSchema): string[] {
  const all = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return all
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => toSpoken(String(value)))
    .filter((words) => words !== "" && words.length <= MAX_CHOICE_CHARACTERS);
}

/** Turns "CALL_ME_LATER", "callMeLater" and "call-me-later" into "call me later". */
function toSpoken(value: string): string {
  return value
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9']+/g, " ")
    .trim();
}

function kindsOf({ type, format, pattern }: JsonSchema): AnswerKind[] {
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("boolean")) return ["YES_NO"];
  if (types.includes("integer") || types.includes("number")) return ["NUMBER"];
  if (!types.includes("string")) return [];
  if (format === "date") return ["DATE"];
  if (format === "time") return ["TIME"];
  if (format === "date-time") return ["DATE", "TIME"];
  const isDigits = typeof pattern === "string" ? isDigitPattern(pattern) : DIGIT_FORMATS.has(String(format));
  return isDigits ? ["DIGITS"] : [];
}

function lookUp(ref: string, root: JsonSchema): unknown {
  let at: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDigitPattern(pattern: string): boolean {
  return pattern.length <= MAX_PATTERN_CHARACTERS && DIGIT_PATTERN.test(pattern);
}
