import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseRange } from "./amount.ts";
import { parseNumber } from "./number.ts";
import { parseTime } from "./time.ts";

interface Range {
  value: unknown;
  from: number;
  to: number;
}

const BELOW = wholeWords(
  "under|less than|fewer than|below|up to|at most|within|no more than|bis(?: zu)?|unter|weniger als|höchstens|innerhalb|menos de|hasta|como mucho|moins de|jusqu'à|au plus|färre än|mindre än|under|upp till|högst",
);
const ABOVE = wholeWords(
  "more than|over|above|at least|or (?:more|older|over|above|longer)|and (?:up|over|above|older)|longer(?: ago)?|older|later|mehr als|über|ab|mindestens|oder (?:mehr|älter|länger)|und (?:mehr|älter)|länger(?: her)?|älter|más(?: de)?|o más|mayor(?:es)?(?: de)?|plus(?: de)?|ou plus|au moins|plus longtemps|fler än|mer än|över|eller (?:mer|fler|äldre)|längre(?: sedan)?|äldre",
);
const SMALL = 0.001;
const COUNTLESS = wholeWords(
  "dozens|loads|lots|countless|hundreds|too many|many(?: times)?|dutzende|unzählige|hunderte|sehr viele|muchísim[oa]s|much[oa]s(?: veces)?|cientos|des dizaines|beaucoup|d'innombrables|massor|jättemånga|hundratals",
);
const NONE = wholeWords("none|never|keine?[nr]?|nie|ningun[oa]|nunca|aucune?|jamais|ingen|inga|aldrig");
const TO =
  /\s+(?:to|till?|until|through|bis|and|und|y|et|och|à|a)\s+(?=\S*\d|[\p{L}-]+(?:\s|$))|(?<=[\d\p{L}])\s?[–-]\s?(?=\d)/iu;
const DAYS_OF: [RegExp, number][] = [
  [wholeWords("hours?|stunden?|horas?|heures?|timm(?:e|ar)"), 1 / 24],
  [wholeWords("days?|tage?n?|días?|jours?|dag(?:ar)?"), 1],
  [wholeWords("weeks?|wochen?|semanas?|semaines?|veck(?:a|or)"), 7],
  [wholeWords("months?|monate?n?|mes(?:es)?|mois|månad(?:er)?"), 30.4],
  [wholeWords("years?|jahre?n?|años?|ans?|années?|år"), 365],
];
/** A number of things that is not counted: "a few months back". */
const FEW = wholeWords(
  "an?|a few|a couple(?: of)?|several|some|eine?[mnr]?|ein paar|einigen?|una?|un[oa]s(?: cuant[oa]s)?|une?|quelques|ett|en|några|ett par",
);
const FEW_COUNT = 3;
const IS_TIME = /\b(?:[ap]\.?m\.?|uhr|o'clock|noon)\b|\d ?h\b|klockan|\bkl\b|heures?\b/iu;

/** Returns the one choice, of choices such as "11 to 50 people" or "1 to 4 p.m.", within which a person's number lies. */
export function choiceByRange({ choices }: Field, text: string, lexicon: Lexicon): unknown {
  if (choices.length < 2) return undefined;
  const isTime = choices.every(({ spoken }) => IS_TIME.test(spoken));
  const known = isTime ? choices.flatMap(({ value, spoken }) => hoursOf(value, spoken)) : countsOf(choices, lexicon);
  if (known.length !== choices.length) return undefined;
  const said = isTime ? saidHours(text, lexicon) : saidCount(text, choices, lexicon);
  if (said === undefined) return undefined;
  const within = known.filter(({ from, to }) => said[0] >= from && said[1] <= to);
  return within.length === 1 ? within[0]?.value : undefined;
}

function countsOf(choices: Field["choices"], lexicon: Lexicon): Range[] {
  const found = choices.flatMap(({ value, spoken }) => countOf(value, spoken, lexicon) ?? []);
  const open = choices.filter(({ value }) => !found.some((range) => range.value === value));
  // "Longer ago" is more than all others.
  const most = Math.max(...found.map(({ to }) => to));
  if (open.length === 1 && found.length > 1 && Number.isFinite(most) && ABOVE.test(open[0]?.spoken ?? ""))
    found.push({ value: open[0]?.value, from: most, to: Infinity });
  const sorted = found.toSorted((a, b) => a.to - b.to);
  // "Within a month" and "within three months" are one after the other.
  for (const [i, range] of sorted.entries())
    if (i > 0 && range.from === 0 && range.to > 0) range.from = (sorted[i - 1] as Range).to + SMALL;
  const isRow = sorted.every(({ from }, i) => i === 0 || from >= (sorted[i - 1] as Range).to);
  return isRow && found.filter(({ from, to }) => to > from).length > 1 ? found : [];
}

function countOf(value: unknown, spoken: string, lexicon: Lexicon): Range | undefined {
  const unit = unitOf(spoken);
  const read = (part: string): number | undefined => {
    const number = parseNumber(part, lexicon) ?? (unit !== 1 && FEW.test(part) ? 1 : undefined);
    return number === undefined ? undefined : number * unit;
  };
  const ends = spoken.split(TO).map(read);
  const [from, to] = ends;
  if (ends.length === 2 && from !== undefined && to !== undefined && from < to) return { value, from, to };
  const number = read(spoken);
  if (number === undefined) return NONE.test(spoken) ? { value, from: 0, to: 0 } : undefined;
  const isIncluded = /\bor\b|oder|at least|\bo\b|\bou\b|eller|up to|bis|hasta|jusqu|upp till|\+|\bab\b|and/i.test(
    spoken,
  );
  const small = isIncluded || unit !== 1 ? 0 : SMALL;
  if (BELOW.test(spoken)) return { value, from: 0, to: number - small };
  if (ABOVE.test(spoken) || /\d ?\+/.test(spoken)) return { value, from: number + small, to: Infinity };
  return { value, from: number, to: number };
}

function unitOf(text: string): number {
  return DAYS_OF.find(([pattern]) => pattern.test(text))?.[1] ?? 1;
}

function saidCount(text: string, choices: Field["choices"], lexicon: Lexicon): [number, number] | undefined {
  const isTimed = choices.some(({ spoken }) => unitOf(spoken) !== 1);
  const unit = isTimed ? unitOf(text) : 1;
  const range = parseRange(text, lexicon);
  if (range) return [range[0] * unit, range[1] * unit];
  if (COUNTLESS.test(text) && parseNumber(text, lexicon) === undefined) return [Number.MAX_VALUE, Number.MAX_VALUE];
  const more = MORE.exec(text);
  const others = more ? parseNumber(more[1] ?? "", lexicon) : undefined;
  if (others !== undefined) return [others + 1, others + 1];
  const quantity = lexicon.quantities.find(([pattern]) => pattern.test(text))?.[1];
  const number =
    parseNumber(text, lexicon) ?? quantity ?? (isTimed && unit > 1 && FEW.test(text) ? FEW_COUNT : undefined);
  if (number === undefined) return NONE.test(text) && toTokens(text).length <= MAX_WORDS ? [0, 0] : undefined;
  // A bare number of something else than the choices count is no answer.
  if (isTimed && unit === 1) return undefined;
  const isMore = OVER.test(text) ? 0.01 : UNDER.test(text) ? -0.01 : 0;
  return [number * unit + isMore, number * unit + isMore];
}

const MAX_WORDS = 3;
const OVER = wholeWords("over|more than|above|just over|über|mehr als|más de|plus de|mer än|över|fler än");
const UNDER = wholeWords(
  "under|less than|fewer than|almost|nearly|just under|unter|weniger als|fast|knapp|menos de|casi|moins de|presque|mindre än|nästan",
);
const MORE = wholeWords(
  "(?:me|myself|ich|yo|moi|jag),? (?:and|plus|und|y|et|och) (\\p{L}{2,12}|\\d{1,2})(?: (?:others?|more|\\p{L}+))?",
);

/** Returns the hours of "10 a.m. to 12 noon", "1 to 4 p.m." */
function hoursOf(value: unknown, spoken: string): Range[] {
  const ends = [...spoken.matchAll(/(\d{1,2})(?:[:.](\d\d))?\s*(?:h|uhr)?\s*(a\.?m|p\.?m)?/giu)].slice(0, 2);
  const [first, last] = ends;
  if (!first || !last) return [];
  const half = (last[3] ?? "").toLowerCase();
  const to = toHour(last, half);
  const own = toHour(first, (first[3] ?? "").toLowerCase());
  const from = first[3] === undefined && half.startsWith("p") && own + 12 < to ? own + 12 : own;
  return from < to ? [{ value, from, to }] : [];
}

function toHour([, hour = "", minutes = "0"]: RegExpExecArray | RegExpMatchArray, half: string): number {
  const noon = Number(hour) % 12;
  const whole = half.startsWith("p") ? noon + 12 : half.startsWith("a") ? noon : Number(hour);
  return whole + Number(minutes) / 60;
}

function saidHours(text: string, lexicon: Lexicon): [number, number] | undefined {
  const hourOf = (time: string): number => Number(time.slice(0, 2)) + Number(time.slice(3)) / 60;
  const range = parseRange(text, lexicon);
  const ends = range?.map((end) => parseTime(`${end}:00 ${text.replaceAll(/[\d:]/g, "")}`, lexicon));
  if (ends?.[0] !== undefined && ends[1] !== undefined) return [hourOf(ends[0]), hourOf(ends[1])];
  const time = parseTime(text, lexicon);
  return time === undefined ? undefined : [hourOf(time), hourOf(time) + 0.01];
}
