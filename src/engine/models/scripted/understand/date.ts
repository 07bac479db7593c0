import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber, parseWords } from "./number.ts";

const DAY_MS = 86_400_000;
const ISO = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;
const NUMERIC = /(?<![\d:])(\d{1,2})([./])(\d{1,2})(?:[./](\d{4}|\d{2}))?(?![\d:])/;

/** Reference for relative dates. */
export interface Calendar {
  /** YYYY-MM-DD; undefined when unknown, so that only full dates are understood. */
  today: string | undefined;
  /** True when 5/6 is the sixth of May. */
  monthFirst: boolean;
}

/** Returns the day that a person names, as YYYY-MM-DD; undefined when there is none or it does not exist. */
export function parseDate(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  const iso = ISO.exec(text);
  if (iso) return toIso(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numeric = NUMERIC.exec(text);
  if (numeric) return parseNumeric(numeric, calendar);
  return (
    parseMonthName(text, lexicon, calendar) ??
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
  return toIso(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
}

function parseMonthName(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  for (const [i, pattern] of lexicon.months.entries()) {
    const match = pattern.exec(text);
    if (!match) continue;
    const before = toTokens(text.slice(0, match.index)).filter((token) => !lexicon.dateFillers.includes(token));
    const after = toTokens(text.slice(match.index + match[0].length)).filter(
      (token) => !lexicon.dateFillers.includes(token),
    );
    const year = after.find((token) => /^(?:19|20)\d\d$/.test(token));
    const counted = nthWeekday(before.slice(-2), i + 1, year, lexicon, calendar);
    if (counted !== undefined) return counted;
    const day =
      readDay(before.slice(-3).join(" "), lexicon, "LAST") ?? readDay(after.slice(0, 2).join(" "), lexicon, "FIRST");
    if (day === undefined) continue;
    return year === undefined ? nextOf(i + 1, day, calendar) : toIso(Number(year), i + 1, day);
  }
  return undefined;
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
    const ordinal = lexicon.ordinals[tokens[at] ?? ""];
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

function parseRelative(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  if (calendar.today === undefined) return undefined;
  for (const [pattern, factor] of [
    [lexicon.inDays, 1],
    [lexicon.inWeeks, 7],
  ] as const) {
    const match = pattern.exec(text);
    const count = match ? readCount(match[1] ?? match[2] ?? "", lexicon) : undefined;
    if (count !== undefined && count > 0 && count <= 1_000) return addDays(calendar.today, count * factor);
  }
  for (const [pattern, days] of lexicon.relativeDays) if (pattern.test(text)) return addDays(calendar.today, days);
  const weekday = lexicon.weekdays.findIndex((pattern) => pattern.test(text));
  const dated = parseDayOfMonth(text, lexicon, calendar);
  if (dated !== undefined) return weekday === -1 || weekday === weekdayOf(dated) ? dated : undefined;
  if (weekday === -1) return undefined;
  return addDays(calendar.today, daysUntil(weekday, text, lexicon, calendar.today));
}

/** Returns the days until the next such weekday; on that very day it means a week later. */
function daysUntil(weekday: number, text: string, lexicon: Lexicon, today: string): number {
  const now = weekdayOf(today);
  // Weeks begin on Monday.
  if (lexicon.nextWeek.test(text)) return 7 - ((now + 6) % 7) + ((weekday + 6) % 7);
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
 * whole.
 */
function parseDayOfMonth(text: string, lexicon: Lexicon, calendar: Calendar): string | undefined {
  if (calendar.today === undefined || lexicon.months.some((pattern) => pattern.test(text))) return undefined;
  const said = dayPatternOf(lexicon).exec(text)?.[0];
  const day = said === undefined ? undefined : readDay(toTokens(said).slice(-2).join(" "), lexicon, "LAST");
  if (day === undefined) return undefined;
  const [year, month] = [Number(calendar.today.slice(0, 4)), Number(calendar.today.slice(5, 7))];
  // Two months are enough, because a 31st is never more than one short month away.
  for (let ahead = 0; ahead <= 2; ahead++) {
    const date = toIso(year + Math.floor((month - 1 + ahead) / 12), ((month - 1 + ahead) % 12) + 1, day);
    if (date !== undefined && date >= calendar.today) return date;
  }
  return undefined;
}

function dayPatternOf(lexicon: Lexicon): RegExp {
  let pattern = dayPatterns.get(lexicon);
  if (!pattern) {
    const ordinals = Object.keys(lexicon.ordinals).join("|");
    const day = `(?:\\d{1,2}(?:st|nd|rd|th|er)?(?![.,:/]?\\d)|(?:(?:twenty|thirty)[ -])?(?:${ordinals}))`;
    pattern = wholeWords(lexicon.dayOfMonth.replace("{d}", day));
    dayPatterns.set(lexicon, pattern);
  }
  return pattern;
}

/** Returns the day after a day. */
export function addOneDay(day: string): string {
  return addDays(day, 1);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + Math.round(days) * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the next such day, for a date without a year. */
function nextOf(month: number, day: number, calendar: Calendar): string | undefined {
  if (calendar.today === undefined) return undefined;
  const year = Number(calendar.today.slice(0, 4));
  // Up to eight years, because the 29th of February may be that far away.
  for (let ahead = 0; ahead <= 8; ahead++) {
    const date = toIso(year + ahead, month, day);
    if (date !== undefined && date >= calendar.today) return date;
  }
  return undefined;
}

function toIso(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}
