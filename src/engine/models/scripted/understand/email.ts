import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";

const EMAIL = /[^\s@,;:<>()]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/i;
const UNDERSCORE = wholeWords("underscore|guion bajo|guión bajo|unterstrich|tiret bas|understreck");
const DASH = wholeWords("dash|hyphen|minus|guion|guión|bindestrich|tiret|bindestreck");
/** At least three letters, because "it's a b at" spells nothing. */
const SPELLED = /(?<![\p{L}\p{N}'])(?:[\p{L}\p{N}] ){2,}[\p{L}\p{N}](?=[@._-])/gu;

/** Matches "berg 1980 at", where the number belongs to the name. */
const YEAR_APART = /([\p{L}\d][_.-]?[\p{L}\d]{1,64}) (\d{1,8}@)/u;

/** Returns an e-mail address, written or in words; undefined when there is none. */
export function parseEmail(text: string, lexicon: Lexicon): string | undefined {
  const written = EMAIL.exec(text)?.[0];
  if (written !== undefined) return written.replace(/[.]+$/, "");
  const symbols = [
    [lexicon.emailAt, "@"],
    [lexicon.emailDot, "."],
    [UNDERSCORE, "_"],
    [DASH, "-"],
  ] as const;
  let address = text.toLowerCase();
  for (const [said, symbol] of symbols)
    address = address.replaceAll(new RegExp(`\\s+(?:${said.source})\\s+`, "giu"), symbol);
  address = address.replaceAll(SPELLED, (letters) => letters.replaceAll(" ", ""));
  address = address.replace(YEAR_APART, "$1$2");
  return EMAIL.exec(address)?.[0].replace(/[.]+$/, "");
}
