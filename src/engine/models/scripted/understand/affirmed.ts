import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Words for a thing that the person does not want any more: "instead of Monday". */
const INSTEAD_OF = wholeWords(
  "(?:instead of|rather than|(?:an)?statt(?: dem| den| des| am)?|en (?:vez|lugar) de|au lieu (?:de|du)|plutôt que|i ?stället för) [^,.;!?]*",
  "giu",
);

/** Limits a value, and does not rule it out: "no later than noon". */
const LIMITS = wholeWords(
  "(?:no|not) (?:any )?(?:later|earlier|sooner|more|less|fewer) than|not (?:before|until|over|above)|nicht (?:später|früher|mehr|weniger) als|nicht (?:vor|über)|no (?:antes|más tarde|después) de|no más (?:tarde )?de|pas (?:avant|plus (?:tard )?(?:que|de|tard que))|inte (?:före|senare än|mer än|över)",
  "giu",
);

/** "Not this Friday, the one after" names its day by the one that it rules out. */
const NOT_THIS_BUT = wholeWords("the (?:one|week) after|den danach|el siguiente|le suivant|celui d'après|veckan efter");
const SURELY_NOT = wholeWords(
  "(?:definitely|absolutely|certainly|of course|sure|really) not|(?:auf|ganz) (?:keinen fall|sicher nicht)|(?:sicher|bestimmt|natürlich) nicht|(?:seguro|claro|desde luego) que no|(?:sûrement|certainement|surtout) pas|(?:absolut|säkert|verkligen) inte",
);

/**
 * Returns the clauses of an answer without a negation: "Wednesday" of "not Monday, Wednesday". Undefined when every
 * clause is negated.
 */
export function keepAffirmed(said: string, lexicon: Lexicon): string | undefined {
  const text = said.replace(INSTEAD_OF, "").replaceAll(LIMITS, " ");
  if (!lexicon.negators.test(text) || NOT_THIS_BUT.test(text)) return text;
  const clauses = toClauses(text, lexicon);
  const kept = clauses.filter(
    (clause) => !lexicon.negators.test(clause) || (lexicon.yes.test(clause) && !SURELY_NOT.test(clause)),
  );
  return kept.length === 0 ? undefined : kept.join(", ");
}

/** Splits a text into clauses: at marks that are not part of a number, and around "but". */
function toClauses(text: string, { butRather }: Lexicon): string[] {
  return text
    .split(/[,;.!?]+(?:\s+|$)/)
    .flatMap((part) => part.split(butRather))
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}
