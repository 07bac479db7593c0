import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Says that a day suits. */
const SUITS = wholeWords(
  "shall we say|what about|works?|suits?|fine|good|great|perfect|best|better|ideal|lovely|brilliant|okay|ok|free|open|available|day off|i'm off|would do|will do|can do|could do|let's|go with|take|make it|put me down|book|prefer|rather|how about|" +
    "passt|passen|ginge|geht(?! (?:\\p{L}+ ){0,3}nicht)|gut|super|prima|perfekt|ideal|besser|lieber|am besten|frei|nehmen wir|nehme|recht|klappt|" +
    "mejor|bien|perfecto|vale|genial|estupendo|libre|sí|prefiero|me viene|puedo|podría|" +
    "parfait|bien|mieux|libre|convient|oui|plutôt|préfère|possible|idéal|disponible|ça (?:va|irait|marche)|je peux|" +
    "går|passar|funkar|bra|perfekt|bättre|bäst|hellre|ledig|ledigt|gärna|toppen|tar",
);
/** Says why a day does not suit, without a negation. */
const HINDERS = wholeWords(
  "i'm in|we're in|i'll be (?:in|at|on)|we'll be (?:in|at|on)|tied up|a (?:bit|little) (?:soon|late|early)|work(?:ing)?|busy|away|gone|out of|at (?:the|my)|dentist|doctor|court|meeting|booked|taken|tough|bad|hard|tricky|difficult|would(?:'ve| have)|have (?:a|an|my|to|the)|got (?:a|an|my|to|the)|travel\\p{L}*|flying|school|too (?:soon|late|early)|" +
    "arbeite|unterwegs|verreist|weg|belegt|schlecht|schwierig|termin|zahnarzt|arzt|besuch|muss|habe ich (?:schon|einen|ein)|bin ich|wäre (?:schön|gut|toll) gewesen|zu (?:früh|spät|kurzfristig)|" +
    "trabajo|ocupad[oa]|fuera|viaje|médico|dentista|tengo|mal|difícil|imposible|estoy|demasiado|" +
    "travaille|occupée?|absente?|rendez-vous|pris|prise|déplacement|médecin|dentiste|j'ai|garde|compliqué|difficile|trop|" +
    "jobbar|bortrest|borta|upptagen|tandläkaren?|läkaren?|åker|reser|möte|svårt|dåligt|har jag|är jag|för (?:tidigt|sent)",
);
/** Place at which another clause may begin: a mark, or before a word that joins. */
const CLAUSE =
  /[,;.!?…]+(?:\s+|$)|\s(?:–|-)\s|\s(?=(?:but|so|and|then|aber|dann|und|also|pero|así que|y|entonces|mais|donc|et|alors|men|så|och|då)\s)/iu;

/** Returns where a text names days. */
function daysIn(text: string, { weekdays, relativeDays }: Lexicon): number[] {
  const found = [...weekdays, ...relativeDays.map(([pattern]) => pattern)].flatMap((pattern) => {
    const all = text.matchAll(new RegExp(pattern.source, "giu"));
    return [...all].map(({ index }) => index);
  });
  return [...new Set(found)].toSorted((a, b) => a - b);
}

/** Splits a text into clauses that each name one day at most. */
function splitDays(text: string, lexicon: Lexicon): string[] {
  return text.split(CLAUSE).flatMap((clause) => {
    const cuts = [0, ...daysIn(clause, lexicon).slice(1), clause.length];
    return cuts.slice(1).map((end, i) => clause.slice(cuts[i], end));
  });
}

/**
 * Returns the day that suits, of a text that names several: "Friday we're away, Saturday would be good", "morgen kann
 * ich nicht am donnerstag". Undefined where the text names one day, or leaves it open which one is meant.
 */
export function dayThatSuits(
  text: string,
  lexicon: Lexicon,
  read: (part: string) => string | undefined,
): string | undefined {
  if (daysIn(text, lexicon).length < 2) return undefined;
  const clauses = splitDays(text, lexicon)
    .map((clause) => ({ day: read(clause), hinders: HINDERS.test(clause) || lexicon.negators.test(clause), clause }))
    .filter(({ day }) => day !== undefined);
  const days = (some: typeof clauses): unknown[] => [...new Set(some.map(({ day }) => day))];
  if (days(clauses).length < 2 || OR.test(text)) return undefined;
  const open = clauses.filter(({ hinders }) => !hinders);
  const favoured = clauses.filter(({ clause }) => SUITS.test(clause) && !lexicon.negators.test(clause));
  for (const some of [open.filter(({ clause }) => SUITS.test(clause)), open, favoured])
    if (some.length < clauses.length && days(some).length === 1) return some[0]?.day;
  return undefined;
}

const OR = wholeWords(
  "or|oder|o|ou|eller|through|to|till|bis|hasta|jusqu'(?:à|au)|from|between|von|zwischen|entre|mellan",
);
