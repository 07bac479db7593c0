import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

/** Units of time: names, the smallest unit of their kind, and how many of it they have. */
const UNITS: { names: string; of: "MINUTE" | "DAY" | "MONTH"; count: number }[] = [
  { names: "min(?:ute)?s?|minuten?|minutos?|minuter", of: "MINUTE", count: 1 },
  { names: "hours?|stunden?|horas?|heures?|timm(?:e|ar|en)", of: "MINUTE", count: 60 },
  { names: "days?|tage?n?|días?|jours?|dag(?:ar)?|nights?|nächte?n?|noches?|nuits?|nätter|natt", of: "DAY", count: 1 },
  { names: "weeks?|wochen?|semanas?|semaines?|veck(?:a|or)", of: "DAY", count: 7 },
  { names: "months?|monate?n?|mes(?:es)?|mois|månad(?:er)?", of: "MONTH", count: 1 },
  { names: "years?|jahre?n?|años?|ans?|années?|år", of: "MONTH", count: 12 },
];
const PATTERNS = UNITS.map((unit) => ({ ...unit, pattern: wholeWords(unit.names) }));
/** A unit that others are counted by: "cups a day". */
const PER = /(?:\b(?:an?|per|each|every|pro|jede[nrs]?|al|por|cada|par|chaque|om|i|per|varje|im)|\/)\s*$/iu;
const ARTICLE = /(?:^|\s)(?:an?|one|eine?[nrm]?|una?|une?|en|ett)\s*$/iu;
const HALF_A = /(?:half an?|eine? halbe[ns]?|halbe[ns]?|medi[oa]|une? demi-?|en halv|ett halvt)\s*$/iu;
const AND_HALF = /^\s*(?:and a half|y medi[oa]|et demie?|och en halv|und eine halbe)/iu;

/** Returns the unit of time in which a field counts: "How many minutes?" */
function unitOf({ about }: Field): (typeof PATTERNS)[number] | undefined {
  const found = PATTERNS.flatMap((unit) => {
    const match = unit.pattern.exec(about);
    return match && !PER.test(about.slice(0, match.index)) ? [{ unit, at: match.index }] : [];
  });
  return found.toSorted((a, b) => a.at - b.at)[0]?.unit;
}

/** Reads a length of time in another unit than the field's: "two weeks" for days, "a year and a half" for months. */
export function readLength(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const wanted = unitOf(field);
  if (!wanted) return undefined;
  for (const { of, count, pattern } of PATTERNS) {
    const match = of === wanted.of && count > wanted.count ? pattern.exec(text) : null;
    if (!match || PER.test(text.slice(0, match.index).replace(ARTICLE, ""))) continue;
    const before = text.slice(0, match.index);
    const number = HALF_A.test(before) ? 0.5 : ARTICLE.test(before) ? 1 : parseNumber(before, lexicon);
    if (number === undefined) continue;
    const half = AND_HALF.test(text.slice(match.index + match[0].length)) ? 0.5 : 0;
    const rest = parseNumber(text.slice(match.index + match[0].length).replace(AND_HALF, ""), lexicon) ?? 0;
    const isRest = rest < count && wanted.pattern.test(text.slice(match.index + match[0].length));
    return ((number + half) * count) / wanted.count + (isRest ? rest : 0);
  }
  return undefined;
}

const CENTIMETRES = /centimet|zentimet|centímetro|centimètre|\bcm\b/i;
const METRES = /(?<![\d.,])([12])(?:[.,]| ?m(?:eter|etre|ètre|etro)? ?)(\d{2})(?!\d)/iu;
const METRE = wholeWords("met(?:er|re)s?|mètres?|metros?|m");

/** Reads a height in metres for a field in centimetres: "one seventy-five", "1,82". */
export function readHeight({ about }: Field, text: string, lexicon: Lexicon): number | undefined {
  if (!CENTIMETRES.test(about)) return undefined;
  const written = METRES.exec(text);
  if (written) return Number(written[1]) * 100 + Number(written[2]);
  if (/\d/.test(text)) return undefined;
  const words = text.replace(METRE, " ").trim().split(/\s+/);
  const at = words.findIndex((word) => ["1", "2"].includes(String(parseNumber(word, lexicon))));
  const rest =
    at === -1
      ? undefined
      : parseNumber(
          words
            .slice(at + 1)
            .join(" ")
            .split(/[,;.]/)[0] ?? "",
          lexicon,
        );
  const metres = at === -1 ? undefined : parseNumber(words[at] ?? "", lexicon);
  return metres !== undefined && rest !== undefined && rest >= 10 && rest < 100 ? metres * 100 + rest : undefined;
}
