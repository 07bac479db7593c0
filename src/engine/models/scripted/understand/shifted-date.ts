import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const DAY_MS = 86_400_000;
const COUNT = "([^\\s,]{1,20}(?:[ -][^\\s,]{1,20})?)";
const BASE = "([^,.;!?]{2,40})";

/** "A week from tomorrow": a number, a unit and the day from which it counts. */
const FROM = wholeWords(`(?:in )?${COUNT}[ -](days?|weeks?)'? (?:from|after) (?!now)(?:next |the )?${BASE}`);
/** "A week today", "tomorrow week". */
const WEEK_ON = wholeWords("(?:a|one|two) weeks? (?:on )?(today|tomorrow)|(today|tomorrow) week");
const FORTNIGHT = wholeWords("(?:a |in a |one )?fortnight(?:'s time)?(?: (?:from|on) ([^,.;!?]{2,40}))?");
const IN_TIME = wholeWords(`in ${COUNT} (days?|weeks?)' time`);
const DAY_AFTER = wholeWords(`(?:the )?day (after|before) (?!tomorrow|yesterday|next)${BASE}`);
/** "Heute in einer Woche", "morgen in 14 Tagen", "idag om en vecka": the day comes first. */
const LATER = wholeWords(`(\\p{L}{3,20}) (?:in|om) ${COUNT} (tagen|wochen?|dagar|veck(?:a|or))`);
/** "De hoy en ocho", "lundi en huit", "jeudi en quinze": eight days are a week. */
const IN_EIGHT = wholeWords("(?:de )?(\\p{L}{3,20}) en (ocho|quince|huit|quinze)(?: días| jours)?");
const WEEKS_OF: Record<string, number> = { ocho: 1, huit: 1, quince: 2, quinze: 2 };

/** Returns the day that many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + Math.round(days) * DAY_MS).toISOString().slice(0, 10);
}

/** Reads a day that is counted from another one, which `base` reads; undefined where the text has none. */
export function parseShifted(
  text: string,
  lexicon: Lexicon,
  today: string | undefined,
  base: (part: string) => string | undefined,
): string | undefined {
  if (today === undefined) return undefined;
  const shift = (from: string | undefined, days: number | undefined): string | undefined =>
    from === undefined || days === undefined ? undefined : addDays(from, days);
  const from = FROM.exec(text);
  const weekOn = WEEK_ON.exec(text);
  const fortnight = FORTNIGHT.exec(text);
  const inTime = IN_TIME.exec(text);
  const later = LATER.exec(text);
  const inEight = IN_EIGHT.exec(text);
  const after = DAY_AFTER.exec(text);
  return (
    (from && shift(base(from[3] ?? ""), toDays(from[1], from[2], lexicon))) ??
    (weekOn && shift(base(weekOn[1] ?? weekOn[2] ?? ""), /^two/i.test(weekOn[0]) ? 14 : 7)) ??
    (fortnight && shift(fortnight[1] === undefined ? today : (base(fortnight[1]) ?? today), 14)) ??
    (inTime && shift(today, toDays(inTime[1], inTime[2], lexicon))) ??
    (later && shift(base(later[1] ?? ""), toDays(later[2], later[3], lexicon))) ??
    (inEight && shift(base(inEight[1] ?? ""), 7 * (WEEKS_OF[(inEight[2] ?? "").toLowerCase()] ?? 0))) ??
    (after && shift(base(after[2] ?? ""), after[1]?.toLowerCase() === "after" ? 1 : -1)) ??
    undefined
  );
}

const ARTICLE = /(?:^|\s)(?:an?|one|eine[mnr]?|en|ett)$/i;

function toDays(count = "", unit = "", lexicon: Lexicon): number | undefined {
  const number = parseNumber(count, lexicon) ?? (ARTICLE.test(count) ? 1 : undefined);
  if (number === undefined || number <= 0 || number > 1_000) return undefined;
  return number * (/^[wv]/i.test(unit) ? 7 : 1);
}
