import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const DIGITAL = /(?<![\d:.,])([01]?\d|2[0-3])(?:[:h]|(?<=\d)\.)([0-5]\d)(?![\d:])/i;
const BROKEN = /\d{1,2}:\d/;

const clocks = new WeakMap<Lexicon, { pattern: RegExp; minutes: number }[]>();

/** Returns the time of day that a person names, as HH:MM; undefined when there is none or it does not exist. */
export function parseTime(text: string, lexicon: Lexicon): string | undefined {
  const digital = DIGITAL.exec(text);
  if (digital)
    return toClock(
      toHour(text, lexicon, Number(digital[1]), /^0|^1\d|^2\d/.test(digital[1] as string)),
      Number(digital[2]),
    );
  if (BROKEN.test(text)) return undefined;
  for (const { pattern, minutes } of clocksOf(lexicon)) {
    const match = pattern.exec(text);
    const hour = match ? parseNumber(match.groups?.hour ?? "", lexicon) : undefined;
    if (hour === undefined || hour < 0 || hour > 24) continue;
    const spoken = match?.groups?.minute;
    const past = spoken === undefined ? minutes : minutes * (parseNumber(spoken, lexicon) ?? 0);
    return toClock(toHour(text, lexicon, hour % 24, false), past);
  }
  if (lexicon.midnight.test(text)) return "00:00";
  return lexicon.noon.test(text) ? "12:00" : undefined;
}

/** Reads a bare hour, in an answer to a question that asks only for a time. */
export function parseBareHour(text: string, lexicon: Lexicon): string | undefined {
  if (BROKEN.test(text) || toTokens(text).length > 4) return undefined;
  const hour = parseNumber(text, lexicon);
  if (hour === undefined || !Number.isInteger(hour) || hour < 0 || hour > 23) return undefined;
  return toClock(toHour(text, lexicon, hour, false), 0);
}

/** Returns the hour of the day. Without a hint, one to seven o'clock is in the afternoon, when appointments are. */
function toHour(text: string, lexicon: Lexicon, hour: number, isTwentyFourHour: boolean): number {
  if (lexicon.afternoon.test(text)) return hour < 12 ? hour + 12 : hour;
  if (lexicon.morning.test(text)) return hour === 12 ? 0 : hour;
  return !isTwentyFourHour && hour >= 1 && hour <= 7 ? hour + 12 : hour;
}

function toClock(hour: number, minutes: number): string {
  const total = (hour * 60 + minutes + 1_440) % 1_440;
  return `${String(Math.floor(total / 60)).padStart(2, "0")}:${String(total % 60).padStart(2, "0")}`;
}

function clocksOf(lexicon: Lexicon): { pattern: RegExp; minutes: number }[] {
  let known = clocks.get(lexicon);
  if (!known) {
    const hour = `(?<hour>\\d{1,2}(?![\\d:])|${wordsUpTo(24, lexicon)})`;
    const minute = `(?<minute>[0-5]?\\d(?!\\d)|${wordsUpTo(59, lexicon)})`;
    known = lexicon.clock.map(([phrase, minutes]) => ({
      pattern: wholeWords(phrase.replace("{h}", hour).replace("{m}", minute)),
      minutes,
    }));
    clocks.set(lexicon, known);
  }
  return known;
}

function wordsUpTo(most: number, lexicon: Lexicon): string {
  const words = Object.entries(lexicon.numbers).filter(([, value]) => value <= most);
  return words.map(([word]) => word).join("|");
}
