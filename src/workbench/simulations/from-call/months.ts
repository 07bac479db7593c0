import { foldWord } from "./words.ts";

const MONTHS = [
  "january february march april may june july august september october november december",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "januari februari mars april maj juni juli augusti september oktober november december",
].map((line) => line.split(" "));
const FOLDED = MONTHS.map((months) => months.map(foldWord));

/** Alternatives of a pattern with all month names in five languages. */
export const MONTH_NAMES = [...new Set(MONTHS.flat())].sort((a, b) => b.length - a.length).join("|");

/** Returns the number of a month by its name in any of the languages; null for another word. */
export function readMonth(name: string): number | null {
  const folded = foldWord(name);
  for (const months of FOLDED) if (months.includes(folded)) return months.indexOf(folded) + 1;
  return null;
}

/** Returns the name of another month in the language and case of `name`. */
export function writeMonth(name: string, month: number): string {
  const folded = foldWord(name);
  const language = FOLDED.findIndex((months) => months.includes(folded));
  const written = MONTHS[Math.max(0, language)]?.[month - 1] ?? name;
  return /^\p{Lu}/u.test(name) ? written.charAt(0).toUpperCase() + written.slice(1) : written;
}
