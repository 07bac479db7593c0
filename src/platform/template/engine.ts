import { type Context, defaultOperators, Liquid, type Operators } from "liquidjs";

/** Tags that templates may use: conditions and loops, without files or state. */
const TAGS = new Set(["if", "unless", "for", "break", "continue"]);
const FILTERS = new Set(
  (
    "default upcase downcase capitalize strip append prepend replace remove truncate split join first last size " +
    "plus minus times divided_by modulo round ceil floor abs date json"
  ).split(" "),
);
/** Filters that look for a text in another. */
const SEARCHES = ["replace", "remove", "split"];
/** ISO 8601: a day, perhaps with a time. */
const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/;
const IN_UTC = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const ARITHMETIC = ["plus", "minus", "times", "divided_by", "modulo"];
/** Digits that every decimal number keeps in JavaScript's: the rest are traces of its binary form. */
const DECIMAL_DIGITS = 15;
const MAX_MEMORY = 1_000_000;
/**
 * Shares of `MAX_MEMORY` that work takes which is no step of its own. A directive of `date` makes a formatter, some
 * 0.2 ms; a search in a text compares a hundred characters for one share.
 */
const DIRECTIVE_COST = 300;
const CHARACTERS_OF_SHARE = 100;
const SHORT = 20;

/**
 * Makes a Liquid of conditions, loops and plain filters, which counts the work of each. `parseLimit`: characters of a
 * template.
 */
export function createEngine(parseLimit: number): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    parseLimit,
    memoryLimit: MAX_MEMORY,
    preserveTimezones: true,
    // Liquid would ask Intl for the machine's: a start waited 14 ms, and days were named in the operator's language.
    locale: "en-US",
    templates: {},
    operators: { ...defaultOperators, ...countedComparisons() },
  });
  for (const tag of Object.keys(liquid.tags)) if (!TAGS.has(tag)) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters)) if (!FILTERS.has(filter)) liquid.unregisterFilter(filter);
  for (const name of ARITHMETIC) calculateInDecimals(liquid, name);
  for (const name of SEARCHES) countSearches(liquid, name);
  keepWrittenTimes(liquid);
  return liquid;
}

function countSearches(liquid: Liquid, name: string): void {
  const filter = filterOf(liquid, name);
  liquid.registerFilter(name, function (text: unknown, words: unknown, ...others: unknown[]) {
    this.context.memoryLimit.use(costOfSearch(text, words));
    return filter.call(this, text, words, ...others) as unknown;
  });
}

function filterOf(liquid: Liquid, name: string) {
  const filter = liquid.filters[name];
  if (typeof filter !== "function") throw new Error(`Liquid has no filter ${name}.`);
  return filter;
}

type Compare = (left: unknown, right: unknown, context: Context) => ReturnType<Operators[string]>;

/** Comparisons go through whole lists, also when a loop makes thousands of them. */
function countedComparisons(): Operators {
  const names = ["==", "!=", "contains"];
  return Object.fromEntries(
    names.map((name) => {
      const compare = defaultOperators[name] as Compare;
      const counted: Compare = (left, right, context) => {
        context.memoryLimit.use(costOf(name, left, right));
        return compare(left, right, context);
      };
      return [name, counted];
    }),
  );
}

/** Returns an upper limit of the parts that a comparison looks at. It counts no further than all comparisons may look. */
function costOf(name: string, left: unknown, right: unknown): number {
  if (Array.isArray(left)) return name === "contains" || Array.isArray(right) ? countParts(left) : 0;
  return name === "contains" && typeof left === "string" ? costOfSearch(left, right) : 0;
}

/** Returns the cost of a search in a text, which may look at each place for as many characters as the words have. */
function costOfSearch(text: unknown, words: unknown): number {
  const [length, wanted] = [lengthOf(text), lengthOf(words)];
  return Math.ceil((length * Math.min(length, wanted)) / CHARACTERS_OF_SHARE);
}

/** Returns the length, in characters, of a value as Liquid writes it; a guess for one that is no text. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + lengthOf(one), 0);
  return typeof value === "string" ? value.length : SHORT;
}

function countParts(list: readonly unknown[]): number {
  let parts = 0;
  const waiting: unknown[] = [list];
  while (waiting.length > 0 && parts <= MAX_MEMORY) {
    const next = waiting.pop();
    parts++;
    if (Array.isArray(next)) for (const one of next) waiting.push(one);
  }
  return parts;
}

/** 19.90 times 3 is 59.7, not 59.699999999999996, as in Liquid itself, which calculates in decimals. */
function calculateInDecimals(liquid: Liquid, name: string): void {
  const filter = filterOf(liquid, name);
  liquid.registerFilter(name, function (...values) {
    const result: unknown = filter.apply(this, values);
    return typeof result === "number" && !Number.isInteger(result)
      ? Number(result.toPrecision(DECIMAL_DIGITS))
      : result;
  });
}

/**
 * Shows a time as it was written, with its offset or without one, and a moment (seconds, UTC, "now") by the clock of the
 * session. Liquid would show all of them by the clock of the server, and a day west of Greenwich as the day before.
 */
function keepWrittenTimes(liquid: Liquid): void {
  const date = filterOf(liquid, "date");
  liquid.registerFilter("date", function (value: unknown, ...[format, zone]: unknown[]) {
    const directives = typeof format === "string" ? format.split("%").length : 1;
    this.context.memoryLimit.use(DIRECTIVE_COST * directives);
    return date.call(this, zone === undefined ? toWritten(value) : value, format, zone) as unknown;
  });
}

function toWritten(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const [, day, time] = WITHOUT_OFFSET.exec(value) ?? [];
  if (day !== undefined) return `${day}T${time ?? "00:00"}Z`;
  return IN_UTC.test(value) ? Date.parse(value) / 1_000 : value;
}
