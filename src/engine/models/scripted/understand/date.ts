import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber, parseWords } from "./number.ts";
import { dayThatSuits } from "./one-day.ts";
import { addDays, parseShifted } from "./shifted-date.ts";

const ISO = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;
const COMPACT = /(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)/;
const NUMERIC = /(?<![\d:])(\d{1,2})([./])(\d{1,2})(?:[./](\d{4}|\d{2}))?(?![\d:])/;

/** Reference for relative dates. */
export interface Calendar {
  /** YYYY-MM-DD; undefined when unknown, so that only full dates are understood. */
  today: string | undefined;
  /** True when 5/6 is the sixth of May. */
  monthFirst: boolean;
  /** IANA name of the person's zone; UTC where absent. */
  zone?: string | undefined;
  /** Which day a date without its year is: the next one, or for BIRTH and PAST the last one. */
  tense?: "BIRTH" | "PAST" | "ANY";
}

/** Words that tell of a day that has passed, whatever the question is. */
const SAYS_PAST = wholeWords(
  "it (?:happened|occurred|started|began|was)|last (?:mon|tues|wednes|thurs|fri|satur|sun)day(?! of)|(?:letzten|vergangenen) \\p{L}+(?:tag|woch)|ist passiert|das war|(?:fue|ocurrió|pasó|empezó)|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado|c'était|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dernier|det (?:var|hände)|i (?:mån|tis|ons|tors|fre|lör|sön)dags|förra \\p{L}+dagen",
);

/** Returns the day that a person names, as YYYY-MM-DD; undefined when there is none or it does not exist. */
export function parseDate(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const suiting = dayThatSuits(text, lexicon, (part) => readInTense(part, lexicon, calendar));
  return suiting ?? readInTense(text, lexicon, calendar);
}

function readInTense(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const isPast = calendar.tense !== "BIRTH" && SAYS_PAST.test(text);
  return readDate(text, lexicon, isPast ? { ...calendar, tense: "PAST" } : calendar);
}

function readDate(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const iso = ISO.exec(text);
  if (iso) return toIso(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const compact = COMPACT.exec(text);
  if (compact) return toIso(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const numeric = NUMERIC.exec(text);
  if (numeric) return parseNumeric(numeric, calendar);
  const base = (part: string): string | undefined => parseDate(part, lexicon, calendar);
  return (
    parseShifted(text, lexicon, calendar.today, base) ??
    parseMonthNumber(text, lexicon, calendar) ??
    parseMonthName(text, lexicon, calendar) ??
    parseNthOfMonth(text, lexicon, calendar) ??
    parseHoliday(text, lexicon, calendar) ??
    parseRelative(text, lexicon, calendar)
  );
}

function parseNumeric(match: RegExpExecArray, calendar: Calendar): string | undefined {
  const [first, second] = [Number(match[1]), Number(match[3])];
  const monthFirst = match[2] === "/" && calendar.monthFirst ? first <= 12 : second > 12;
  const [day, month] = monthFirst ? [second, first] : [first, second];
  const year = match[4];
  if (year === undefined) return nextOf(month, day, calendar);
  return toIso(year.length === 2 ? fullYear(Number(year), calendar) : Number(year), month, day);
}

/** Reads "the twenty-second of the eleventh, twenty nineteen", as people give a date of birth. */
function parseMonthNumber(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  if (calendar.tense !== "BIRTH") return undefined;
  const tokens = toTokens(text.replaceAll("-", " ")).filter((token) => !lexicon.dateFillers.includes(token));
  const at = tokens.findLastIndex((token) => lexicon.ordinals[token] !== undefined);
  const month = lexicon.ordinals[tokens[at] ?? ""];
  const day = at > 0 ? readDay(tokens.slice(Math.max(0, at - 2), at).join(" "), lexicon, "LAST") : undefined;
  const year = readYear(tokens.slice(at + 1), lexicon, calendar);
  if (month === undefined || month > 12 || day === undefined || year === undefined) return undefined;
  return toIso(year, month, day);
}

function parseMonthName(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  for (const [i, pattern] of lexicon.months.entries()) {
    const match = pattern.exec(text);
    if (!match) continue;
    const before = toTokens(text.slice(0, match.index)).filter((token) => !lexicon.dateFillers.includes(token));
    const after = toTokens(text.slice(match.index + match[0].length)).filter(
      (token) => !lexicon.dateFillers.includes(token),
    );
    const written = after.find((token) => /^(?:19|20)\d\d$/.test(token)) ?? namedYear(text, calendar);
    const isList = /,\s*$/.test(text.slice(0, match.index));
    const counted = isList ? undefined : nthWeekday(before.slice(-2), i + 1, written, lexicon, calendar);
    if (counted !== undefined) return counted;
    const dayBefore = readDay(before.slice(-3).join(" "), lexicon, "LAST");
    const [rest, year] = dayBefore === undefined ? splitYear(after, lexicon, calendar) : [after, undefined];
    const day = dayBefore ?? readDay(rest.slice(0, 2).join(" "), lexicon, "FIRST");
    const edge = day === undefined ? parseEdge(text, i + 1, written, calendar) : undefined;
    if (edge !== undefined) return edge;
    if (day === undefined) continue;
    const said =
      written === undefined
        ? (year ?? (dayBefore === undefined ? undefined : readYear(after, lexicon, calendar)))
        : Number(written);
    return said === undefined
      ? nextOf(i + 1, day, calendar, weekdayIn(text, match.index, lexicon))
      : toIso(said, i + 1, day);
  }
  return undefined;
}

const YEARS: [RegExp, number][] = [
  [
    wholeWords(
      "last year|letzte[sn]? jahre?s?|vergangenen jahre?s|el año pasado|del año pasado|l'an(?:née)? (?:dernière?|passée?)|förra året|i fjol",
    ),
    -1,
  ],
  [wholeWords("this year|diese[sn] jahre?s?|heuer|(?:de )?este año|cette année|i år|detta år"), 0],
];

/** Returns the year that a text names by its distance: "the ninth of April last year". */
function namedYear(text: string, { today }: Calendar): string | undefined {
  const by = today === undefined ? undefined : YEARS.find(([pattern]) => pattern.test(text))?.[1];
  return by === undefined ? undefined : String(Number(today?.slice(0, 4)) + by);
}

const NEAR_CHARACTERS = 25;

/** Returns the one weekday that a text names beside its month, from 0 for Sunday. */
function weekdayIn(whole: string, month: number, lexicon: Lexicon): number | undefined {
  const text = whole.slice(Math.max(0, month - NEAR_CHARACTERS), month + NEAR_CHARACTERS);
  const named = lexicon.weekdays.flatMap((pattern, day) => (pattern.test(text) ? [day] : []));
  return named.length === 1 ? named[0] : undefined;
}

/** Splits "fifth nineteen eighty-four" into the words of the day and the year. */
function splitYear(tokens: string[], lexicon: Lexicon, calendar: Calendar): [string[], number | undefined] {
  const parts = tokens.flatMap((token) => token.split("-"));
  for (let at = 1; at <= 2; at++) {
    const year = readYear(parts.slice(at), lexicon, calendar);
    if (year !== undefined && readDay(parts.slice(0, at).join(" "), lexicon, "FIRST") !== undefined)
      return [parts.slice(0, at), year];
  }
  return [tokens, undefined];
}

/** Reads a year in digits or words: "nineteen eighty-four", "twenty nineteen", "zweitausendneun". */
function readYear(tokens: string[], lexicon: Lexicon, calendar: Calendar): number | undefined {
  const parts = tokens.flatMap((token) => token.split("-")).filter((token) => !lexicon.dateFillers.includes(token));
  const [first = "", ...rest] = parts;
  if (/^(?:19|20)\d\d$/.test(first)) return Number(first);
  if (/^\d\d$/.test(first) && calendar.tense === "BIRTH") return fullYear(Number(first), calendar);
  const isShortZero = calendar.tense === "BIRTH" && /^(?:oh|o|null|zwo null|cero|zéro|noll)$/.test(first);
  const digit = isShortZero ? parseWords(rest, lexicon) : undefined;
  if (digit !== undefined && digit < 10) return 2000 + digit;
  const whole = parseWords(parts, lexicon);
  if (whole !== undefined && whole >= 1900 && whole < 2100) return whole;
  const century = parseWords([first], lexicon);
  const years = rest[0] === "oh" || rest[0] === "o" ? parseWords(rest.slice(1), lexicon) : parseWords(rest, lexicon);
  if ((century === 19 || century === 20) && years !== undefined && years < 100) return century * 100 + years;
  // "Nonante-deux, mille neuf cent nonante-deux": said twice, the second time as a whole.
  const repeated = parts
    .map((_part, i) => parseWords(parts.slice(i), lexicon))
    .find((year = 0) => year >= 1900 && year < 2100);
  if (repeated !== undefined) return repeated;
  const isShort = calendar.tense === "BIRTH" && whole !== undefined && whole >= 10 && whole < 100;
  return isShort ? fullYear(whole, calendar) : undefined;
}

/** Completes a year of two digits: a birth is never in the future. */
function fullYear(short: number, { today, tense }: Calendar): number {
  const isLater = today !== undefined && 2000 + short > Number(today.slice(0, 4));
  return tense === "BIRTH" && isLater ? 1900 + short : 2000 + short;
}

const END_OF = wholeWords(
  "(?:the )?(?:end|last day) of|ende(?: des)?|letzten tag(?:e)?(?: des| im)?|(?:a )?fin(?:ales|es)? de|último día de|fin|dernier jour de|slutet av|sista",
);
const START_OF = wholeWords("(?:the )?(?:beginning|start) of|anfang|a principios de|début|början av");

/** Reads "the end of January". The first of a month is its beginning. */
function parseEdge(text: string, month: number, year: string | undefined, calendar: Calendar): string | undefined {
  if (calendar.today === undefined) return undefined;
  if (START_OF.test(text)) return year === undefined ? nextOf(month, 1, calendar) : toIso(Number(year), month, 1);
  if (!END_OF.test(text)) return undefined;
  const from = Number(year ?? calendar.today.slice(0, 4));
  if (year !== undefined) return lastOfMonth(from, month);
  const ends = [from - 1, from, from + 1].map((one) => lastOfMonth(one, month));
  return choose(ends, undefined, calendar);
}

/** Reads "the first Monday in December" from the two words before the month. */
function nthWeekday(
  [nth = "", day = ""]: string[],
  month: number,
  year: string | undefined,
  lexicon: Lexicon,
  calendar: Calendar,
): string | undefined {
  const weekday = lexicon.weekdays.findIndex((pattern) => pattern.test(day));
  const place = lexicon.lastOne.test(nth) ? LAST : (lexicon.ordinals[nth] ?? lexicon.places[nth]);
  if (weekday === -1 || place === undefined || place > LAST || calendar.today === undefined) return undefined;
  const from = Number(year ?? calendar.today.slice(0, 4));
  const dates = [from, from + 1].map((one) => weekdayInMonth(one, month, weekday, place));
  return dates.find((date) => date !== undefined && (year !== undefined || date >= (calendar.today as string)));
}

const SOME_MONTH = wholeWords(
  "(?:this|the|next|last) month|(?:diese[sm]|des|im|nächsten|kommenden|letzten|vergangenen) monats?|(?:(?:de )?este|del?|próximo|el) mes(?: que viene| pasado)?|(?:de ce|ce|du|le) mois(?: prochain| dernier)?|(?:denna|den här|nästa|förra|i) månad(?:en)?",
);
const NEXT_MONTH = /next|nächst|kommend|próximo|que viene|prochain|nästa/i;
const LAST_MONTH = /last|letzt|vergangen|pasado|dernier|förra/i;

/** Reads "the last Friday of this month" and "the first of last month". */
function parseNthOfMonth(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const found = SOME_MONTH.exec(text);
  if (!found || calendar.today === undefined) return undefined;
  const tokens = toTokens(text.slice(0, found.index)).filter((token) => !lexicon.dateFillers.includes(token));
  const by = NEXT_MONTH.test(found[0]) ? 1 : LAST_MONTH.test(found[0]) ? -1 : 0;
  const index = Number(calendar.today.slice(0, 4)) * 12 + Number(calendar.today.slice(5, 7)) - 1 + by;
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
  const at = tokens.findLastIndex((token) => lexicon.weekdays.some((pattern) => pattern.test(token)));
  if (at > 0) return nthWeekday(tokens.slice(at - 1, at + 1), month, String(year), lexicon, calendar);
  const day = at === 0 || tokens.length === 0 ? undefined : readDay(tokens.slice(-3).join(" "), lexicon, "LAST");
  return day === undefined ? undefined : toIso(year, month, day);
}

/** One more than any month has of a weekday. */
const LAST = 6;

function weekdayInMonth(year: number, month: number, weekday: number, place: number): string | undefined {
  const first = toIso(year, month, 1) as string;
  const day = 1 + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (Math.min(place, LAST - 1) - 1);
  const date = toIso(year, month, day);
  return date === undefined && place === LAST ? toIso(year, month, day - 7) : date;
}

function parseHoliday(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const day = lexicon.holidays.find(([pattern]) => pattern.test(text))?.[1];
  return day === undefined ? undefined : nextOf(Number(day.slice(0, 2)), Number(day.slice(3)), calendar);
}

/** Reads "5", "5th", "fifth", "twenty-fifth" or "fünf" at the end or the start of a few words. */
function readDay(words: string, lexicon: Lexicon, side: "FIRST" | "LAST"): number | undefined {
  const tokens = words.split(" ").filter((token) => token !== "");
  const near = side === "LAST" ? tokens.at(-1) : tokens[0];
  if (near === undefined) return undefined;
  const digits = /^(\d{1,2})(?:st|nd|rd|th|er|e|º)?$/.exec(near);
  if (digits) return Number(digits[1]);
  const ordinalAt = side === "LAST" || tokens[1] === undefined ? tokens.length - 1 : 1;
  for (const at of [ordinalAt, 0]) {
    const ordinal = ordinalOf(tokens[at] ?? "", lexicon);
    if (ordinal === undefined) continue;
    const tens = at > 0 ? lexicon.numbers[tokens[at - 1] ?? ""] : undefined;
    return ordinal + (tens === 20 || tens === 30 ? tens : 0);
  }
  for (let count = Math.min(2, tokens.length); count > 0; count--) {
    const day = parseWords(side === "LAST" ? tokens.slice(-count) : tokens.slice(0, count), lexicon);
    if (day !== undefined) return day;
  }
  return undefined;
}

/** Returns the number of an ordinal in any of its endings: "siebzehnter" and "siebzehnte" are "siebzehnten". */
function ordinalOf(word: string, lexicon: Lexicon): number | undefined {
  const known = lexicon.ordinals[word] ?? lexicon.ordinals[word.replace(/te[rs]?$/, "ten")];
  if (known !== undefined || !lexicon.unitsBeforeTens) return known;
  const [, units = "", tens = ""] = /^(\p{L}+)und(zwanzig|dreißig|dreissig)ste[nrs]?$/u.exec(word) ?? [];
  const unit = lexicon.numbers[units];
  return unit === undefined ? undefined : unit + (lexicon.numbers[tens] ?? 0);
}

/** Words before a number of days that is not exact. */
const ABOUT = wholeWords(
  "(?:about|around|roughly|maybe|some|ungefähr|etwa|circa|ca|rund|unos|unas|aproximadamente|alrededor de|environ|à peu près|cirka)(?= \\S+ (?:days?|weeks?|tage?n?|wochen?|días?|semanas?|jours?|semaines?|dagar|veckor))",
  "giu",
);

function parseRelative(said: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  if (calendar.today === undefined) return undefined;
  const text = said.replaceAll(ABOUT, "").replaceAll(/ {2,}/g, " ");
  const ofMonth = parseDayOfThisMonth(text, calendar.today);
  if (ofMonth !== undefined) return ofMonth;
  for (const [pattern, factor] of [
    [lexicon.inDays, 1],
    [lexicon.inWeeks, 7],
  ] as const) {
    const match = pattern.exec(text);
    const count = match ? readCount(match[1] ?? match[2] ?? "", lexicon) : undefined;
    // Eight and fifteen days are one and two weeks in French.
    const counted = lexicon.code === "fr" && factor === 1 && (count === 8 || count === 15) ? count - 1 : count;
    if (counted === undefined || counted <= 0 || counted > 1_000 || !Number.isInteger(counted * factor)) continue;
    const later = addDays(calendar.today, counted * factor);
    const [onDay, ...others] = lexicon.weekdays.flatMap((weekday, day) => (weekday.test(text) ? [day] : []));
    if (factor === 1 || onDay === undefined || others.length > 0) return later;
    return addDays(later, ((onDay + 6) % 7) - ((weekdayOf(later) + 6) % 7));
  }
  const ago = AGO.exec(text) ?? (calendar.tense === "PAST" ? FOR_DAYS.exec(text) : null);
  const past = ago ? readCount(ago[1] ?? ago[3] ?? "", lexicon) : undefined;
  if (past !== undefined)
    return addDays(calendar.today, -past * (/^w|^s|^v/i.test(ago?.[2] ?? ago?.[4] ?? "") ? 7 : 1));
  for (const [pattern, days] of lexicon.relativeDays) if (pattern.test(text)) return addDays(calendar.today, days);
  const named = lexicon.weekdays.flatMap((pattern, day) => (pattern.test(text) ? [day] : []));
  // "Monday or Tuesday" is no day yet.
  if (named.length > 1) return undefined;
  const [weekday = -1] = named;
  const dated = parseDayOfMonth(text, lexicon, calendar, named[0]);
  if (dated !== undefined) return dated === "" ? undefined : dated;
  if (weekday === -1) return undefined;
  if (calendar.tense === "PAST") return addDays(calendar.today, -((weekdayOf(calendar.today) - weekday + 7) % 7 || 7));
  return addDays(calendar.today, daysUntil(weekday, text, lexicon, calendar.today));
}

const AGO = wholeWords(
  "(\\S{1,20}) (days?|weeks?) ago|(?:vor|hace|il y a|för) (\\S{1,20}) (tag(?:en)?|wochen?|días?|semanas?|jours?|semaines?|dagar|veckor)(?: sedan)?",
);
/** "For three days", in reply to a question since when. */
const FOR_DAYS = wholeWords(
  "(?:for|since|it's been|it has been|seit|desde hace|depuis|i|sedan)(?: (?:about|around|some|ungefähr|etwa|circa|unos|unas|environ|ungefär))? (\\S{1,20}) (days?|weeks?|tage?n?|wochen?|días?|semanas?|jours?|semaines?|dagar|veckor)",
);
const LAST_DAY = wholeWords(
  "(?:the )?(?:last day|end) of (?:this|the) month|(?:letzte[nrm]?(?: tag)?|ende) (?:dieses|des) monats?|monatsende|(?:último día|final(?:es)?|fin) (?:de este|del|de) mes|(?:dernier jour|fin) (?:du|de ce) mois|sista (?:dagen )?(?:i|den här) månaden|månadens slut|slutet av månaden",
);
const FIRST_NEXT = wholeWords(
  "(?:the )?first of next month|(?:am )?ersten (?:des )?nächsten monats?|(?:el )?(?:primero|uno) del mes que viene|(?:le )?premier du mois prochain|(?:den )?första nästa månad",
);

/** Reads "the last day of this month" and "the first of next month". */
function parseDayOfThisMonth(text: string, today: string): string | undefined {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  if (LAST_DAY.test(text)) return lastOfMonth(year, month);
  return FIRST_NEXT.test(text) ? addDays(lastOfMonth(year, month), 1) : undefined;
}

function lastOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** "Not this Friday, the one after." */
const NOT_THIS = wholeWords(
  "not (?:this|next) \\p{L}+,? (?:but )?the (?:one|week) after(?: that)?|nicht diese[nr]? \\p{L}+,? (?:sondern )?(?:den|die) (?:danach|darauf)|no este \\p{L}+,? (?:sino )?el siguiente|pas ce \\p{L}+,? (?:mais )?(?:le suivant|celui d'après)|inte nu på \\p{L}+,? (?:utan )?(?:nästa|veckan efter)",
);
const AFTER_NEXT = wholeWords("week after next|übernächste woche|semana siguiente a la próxima|veckan efter nästa");

/** Returns the days until the next such weekday; on that very day it means a week later. */
function daysUntil(weekday: number, text: string, lexicon: Lexicon, today: string): number {
  const now = weekdayOf(today);
  // Weeks begin on Monday.
  if (!AFTER_NEXT.test(text) && lexicon.nextWeek.test(text)) return 7 - ((now + 6) % 7) + ((weekday + 6) % 7);
  if (NOT_THIS.test(text)) return ((weekday - now + 7) % 7 || 7) + 7;
  if (AFTER_NEXT.test(text)) return 14 - ((now + 6) % 7) + ((weekday + 6) % 7);
  const days = (weekday - now + 7) % 7 || 7;
  return lexicon.weekLater.test(text) ? days + 7 : days;
}

const ARTICLE = /(?:^|\s)(?:an?|una?|eine[mnr]?|une?|en|ett)$/i;

/** Reads a number of days or weeks: "two", "a". */
function readCount(words: string, lexicon: Lexicon): number | undefined {
  return parseNumber(words, lexicon) ?? (ARTICLE.test(words) ? 1 : undefined);
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

const dayPatterns = new WeakMap<Lexicon, RegExp>();

/**
 * Reads "the 30th" as the next such day. Undefined where a month is named, because that date was not understood as a
 * whole; empty for a day that is not on the weekday named with it.
 */
function parseDayOfMonth(
  text: string,
  lexicon: Lexicon,
  calendar: Calendar,
  weekday: number | undefined,
): string | undefined {
  if (calendar.today === undefined || lexicon.months.some((pattern) => pattern.test(text))) return undefined;
  const said = dayPatternOf(lexicon).exec(text)?.[0];
  const day = said === undefined ? undefined : readDay(toTokens(said).slice(-3).join(" "), lexicon, "LAST");
  if (day === undefined) return undefined;
  const [year, month] = [Number(calendar.today.slice(0, 4)), Number(calendar.today.slice(5, 7))];
  // Two months are enough, because a 31st is never more than one short month away.
  const near = [-2, -1, 0, 1, 2].flatMap((by) => {
    const index = year * 12 + month - 1 + by;
    return toIso(Math.floor(index / 12), (index % 12) + 1, day) ?? [];
  });
  return choose(near, weekday, calendar) ?? "";
}

/** Returns the next of some days, or the last one of what has passed; on the weekday that was named with it. */
function choose(days: string[], weekday: number | undefined, { today = "", tense }: Calendar): string | undefined {
  const fitting = weekday === undefined ? days : days.filter((day) => weekdayOf(day) === weekday);
  const ahead = fitting.find((day) => day >= today);
  const passed = fitting.findLast((day) => day <= today);
  if (weekday === undefined) return tense === "PAST" ? passed : ahead;
  return tense === "PAST" ? (passed ?? ahead) : (ahead ?? passed);
}

function dayPatternOf(lexicon: Lexicon): RegExp {
  let pattern = dayPatterns.get(lexicon);
  if (!pattern) {
    const ordinals = Object.keys(lexicon.ordinals).join("|");
    const day = `(?:\\d{1,2}(?:st|nd|rd|th|er)?(?![.,:/]?\\d)|(?:(?:twenty|thirty)[ -])?(?:${ordinals})${cardinalsOf(lexicon)})`;
    pattern = wholeWords(lexicon.dayOfMonth.replace("{d}", day));
    dayPatterns.set(lexicon, pattern);
  }
  return pattern;
}

/** Returns the number words of days, for languages that count days by them: "le vingt-cinq", "el treinta y uno". */
function cardinalsOf(lexicon: Lexicon): string {
  if (Object.keys(lexicon.ordinals).length > 5) return "";
  const upTo = (from: number, to: number): string =>
    Object.keys(lexicon.numbers)
      .filter((word) => (lexicon.numbers[word] as number) >= from && (lexicon.numbers[word] as number) <= to)
      .join("|");
  return `|(?:${upTo(20, 20)}|${upTo(30, 30)})[ -](?:(?:et|y)[ -])?(?:${upTo(1, 9)})|dix[ -](?:sept|huit|neuf)|${upTo(2, 31)}`;
}

/** Returns the next such day, for a date without a year; the last one for what has passed. A birth needs its year. */
function nextOf(month: number, day: number, calendar: Calendar, weekday?: number): string | undefined {
  if (calendar.today === undefined || calendar.tense === "BIRTH") return undefined;
  const year = Number(calendar.today.slice(0, 4));
  const days = (years: number[]): string[] => years.flatMap((by) => toIso(year + by, month, day) ?? []);
  const named = weekday === undefined ? undefined : choose(days([-1, 0, 1]), weekday, calendar);
  // Up to eight years, because the 29th of February may be that far away.
  return named ?? choose(days([-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8]), undefined, calendar);
}

function toIso(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}
