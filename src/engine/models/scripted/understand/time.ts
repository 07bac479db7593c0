import type { Hours } from "#src/engine/models/scripted/field-words.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const DIGITAL = /(?<![\d:.,])([01]?\d|2[0-3])(?:[:h]|(?<=\d)\.)([0-5]\d)(?![\d:])/i;
const BROKEN = /\d{1,2}:\d/;

const HALF = /\bhal[bv]\b/i;

/** A notation of a time of day; a bare one is an hour and its minutes without any other word. */
interface Clock {
  pattern: RegExp;
  minutes: number;
  isBare: boolean;
}

const clocks = new WeakMap<Lexicon, Clock[]>();

/** Returns the time of day that a person names, as HH:MM; undefined when there is none or it does not exist. */
export function parseTime(text: string, lexicon: Lexicon, hours: Hours | null = null): string | undefined {
  const military = MILITARY.exec(text);
  const early = military ? parseNumber(military[1] ?? "", lexicon) : undefined;
  if (early !== undefined && early < 10)
    return toClock(early, military?.[2] === undefined ? 0 : (parseNumber(military[2], lexicon) ?? 0));
  const digital = DIGITAL.exec(text);
  if (digital)
    return toClock(
      toHour(text, lexicon, Number(digital[1]), /^0|^1\d|^2\d/.test(digital[1] as string), hours),
      Number(digital[2]),
    );
  if (BROKEN.test(text)) return undefined;
  for (const { pattern, minutes, isBare } of clocksOf(lexicon)) {
    const match = pattern.exec(text);
    const hour = match ? parseNumber(match.groups?.hour ?? "", lexicon) : undefined;
    if (hour === undefined || hour < 0 || hour > 24) continue;
    const spoken = match?.groups?.minute;
    const counted = spoken === undefined ? 1 : (parseNumber(spoken, lexicon) ?? 0);
    // "Eleven twenty" is a time; "two three" and "twenty nineteen" are none.
    if (isBare && (counted < 10 || hour > 18 || (hour > 12 && counted % 5 !== 0))) continue;
    // "Fünf nach halb elf" counts from half an hour before eleven.
    const past = minutes * counted - (spoken !== undefined && HALF.test(match?.[0] ?? "") ? 30 : 0);
    return toClock(toHour(text, lexicon, hour % 24, false, hours, past), past);
  }
  const past = HALF_PAST.test(text) ? 30 : QUARTER_PAST.test(text) ? 15 : 0;
  if (lexicon.midnight.test(text)) return toClock(0, past);
  return lexicon.noon.test(text) ? toClock(12, past) : undefined;
}

const MINUTES_ONLY: [RegExp, number][] = [
  [/^(?:at |um |a |à )?(?:half past|y media|et demie?)[.! ]*$/i, 30],
  [/^(?:at )?(?:(?:a )?quarter past|viertel nach|y cuarto|et quart|kvart över)[\s,.!]*(?:,|\.|$)/i, 15],
];

/** Returns a time with other minutes: "quarter past" instead of "four o'clock". */
export function patchMinutes(known: string, text: string): string | undefined {
  const minutes = MINUTES_ONLY.find(([pattern]) => pattern.test(text))?.[1];
  return minutes === undefined ? undefined : known.replace(/^(\d\d):\d\d/, `$1:${minutes}`);
}

/** Reads a bare hour, in an answer to a question that asks only for a time. */
export function parseBareHour(text: string, lexicon: Lexicon, hours: Hours | null = null): string | undefined {
  if (BROKEN.test(text) || toTokens(text).length > 4) return undefined;
  const hour = parseNumber(text, lexicon);
  if (hour === undefined || !Number.isInteger(hour) || hour < 0 || hour > 23) return undefined;
  return toClock(toHour(text, lexicon, hour, false, hours), 0);
}

/** "Oh five thirty", which only the clock of 24 hours has. */
const MILITARY = wholeWords("(?:oh|zero) (\\p{L}{3,5})(?: (?:hundred|(\\p{L}{3,9}(?:[ -]\\p{L}{3,5})?)))?");
const HALF_PAST = wholeWords("(?:midi|minuit) et demie?|(?:mediodía|doce) y media");
const QUARTER_PAST = wholeWords("(?:midi|minuit) et quart");

/**
 * Returns the hour of the day. Without a hint it is the one of the two that lies in the likely hours, else one to seven
 * o'clock is in the afternoon, when appointments are.
 */
function toHour(
  text: string,
  lexicon: Lexicon,
  hour: number,
  isTwentyFourHour: boolean,
  hours: Hours | null,
  minutes = 0,
): number {
  if (lexicon.afternoon.test(text)) return hour < 12 ? hour + 12 : hour;
  if (lexicon.morning.test(text)) return hour === 12 ? 0 : hour;
  if (hours && !isTwentyFourHour && hour > 0 && hour < 12) {
    const isIn = (at: number): boolean => at + minutes / 60 >= hours.from && at + minutes / 60 <= hours.to;
    if (isIn(hour) !== isIn(hour + 12)) return isIn(hour) ? hour : hour + 12;
  }
  return !isTwentyFourHour && hour >= 1 && hour <= 7 ? hour + 12 : hour;
}

function toClock(hour: number, minutes: number): string {
  const total = (hour * 60 + minutes + 1_440) % 1_440;
  return `${String(Math.floor(total / 60)).padStart(2, "0")}:${String(total % 60).padStart(2, "0")}`;
}

function clocksOf(lexicon: Lexicon): Clock[] {
  let known = clocks.get(lexicon);
  if (!known) {
    const hour = `(?<hour>\\d{1,2}(?![\\d:])|${wordsUpTo(24, lexicon)})`;
    const minute = `(?<minute>[0-5]?\\d(?!\\d)|${wordsUpTo(59, lexicon)})`;
    known = lexicon.clock.map(([phrase, minutes]) => ({
      pattern: wholeWords(phrase.replace("{h}", hour).replace("{m}", minute)),
      minutes,
      isBare: phrase === "{h} {m}",
    }));
    clocks.set(lexicon, known);
  }
  return known;
}

function wordsUpTo(most: number, lexicon: Lexicon): string {
  const between = (from: number, to: number): string =>
    Object.entries(lexicon.numbers)
      .filter(([, value]) => value >= from && value <= to)
      .map(([word]) => word)
      .join("|");
  const tens = Object.entries(lexicon.numbers)
    .filter(([, value]) => value >= 20 && value <= most && value % 10 === 0)
    .map(([word]) => word)
    .join("|");
  const units = between(1, 9);
  // Numbers of two words, or of two words written as one, come first.
  const both = lexicon.unitsBeforeTens
    ? `(?:${units})und(?:${tens})`
    : `(?:${tens})(?:[ -]?(?:et|y)?[ -]?)(?:${units})|dix[ -](?:sept|huit|neuf)`;
  return `${both}|${between(0, most)}`;
}
