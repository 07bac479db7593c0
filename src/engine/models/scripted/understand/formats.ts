import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const URL_LIKE = /(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?:\/[^\s<>"]{0,200})?/i;
const SLASH = wholeWords("(?:forward )?slash|schrägstrich|barra|slash|snedstreck", "giu");
const DASH = wholeWords("dash|hyphen|bindestrich|guion|guión|tiret|bindestreck", "giu");

/** Returns a web address, written or in words, with https where no scheme was named; undefined when there is none. */
export function parseUri(text: string, lexicon: Lexicon): string | undefined {
  const spoken = text
    .replaceAll(new RegExp(`\\s+(?:${lexicon.emailDot.source})\\s+`, "giu"), ".")
    .replaceAll(/\bw{1,3}[ .]+w[ .]+w\b/gi, "www")
    .replaceAll(DASH, "-")
    .replaceAll(/ *- */g, "-")
    .replaceAll(SLASH, "/")
    .replaceAll(/ *\/ */g, "/");
  const found = URL_LIKE.exec(spoken)?.[0].replace(/[.,]+$/, "");
  if (found === undefined) return undefined;
  return /^https?:/i.test(found) ? found : `https://${found.toLowerCase()}`;
}

const UNITS: [pattern: RegExp, unit: string, isTime: boolean][] = [
  [wholeWords("seconds?|sekunden?|segundos?|secondes?|sekund(?:er)?"), "S", true],
  [wholeWords("min(?:ute)?s?|minuten?|minutos?|minuter"), "M", true],
  [wholeWords("hours?|stunden?|horas?|heures?|timm(?:e|ar)"), "H", true],
  [wholeWords("days?|tage?n?|días?|jours?|dag(?:ar)?|nights?|nächte|noches?|nuits?|nätter"), "D", false],
  [wholeWords("weeks?|wochen?|semanas?|semaines?|veck(?:a|or)"), "W", false],
  [wholeWords("months?|monate?n?|mes(?:es)?|mois|månad(?:er)?"), "M", false],
  [wholeWords("years?|jahre?n?|años?|ans|années?|år"), "Y", false],
];
const HALF_HOUR = wholeWords("half an hour|halbe stunde|media hora|demi-heure|halvtimme");
const ONE = /(?:^|\s)(?:an?|eine[rn]?|un[ae]?|en)\s*$/i;

/** Returns a length of time as ISO 8601, such as PT2H for "two hours"; undefined when there is none. */
export function parseDuration(text: string, lexicon: Lexicon): string | undefined {
  if (/^P(?=\w)[\dYMWDTHS.]+$/.test(text.trim())) return text.trim();
  if (HALF_HOUR.test(text)) return "PT30M";
  for (const [pattern, unit, isTime] of UNITS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const before = text.slice(0, match.index);
    const near = toTokens(before).slice(-4).join(" ");
    const count = parseNumber(near, lexicon) ?? (ONE.test(before) ? 1 : undefined);
    if (count === undefined) continue;
    if (!Number.isInteger(count) && unit === "H") return `PT${Math.floor(count)}H${Math.round((count % 1) * 60)}M`;
    return Number.isInteger(count) ? `P${isTime ? "T" : ""}${count}${unit}` : undefined;
  }
  return undefined;
}
