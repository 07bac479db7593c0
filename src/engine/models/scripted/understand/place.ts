import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const PLACES = [
  "first|primer[oa]?|erste[nrs]?|premi(?:er|ère)|första",
  "(?<!(?:an?|one|une?) )second|(?<!un )segundo|segunda|zweite[nrs]?|deuxième|(?<!une )seconde|andra",
  "third|tercer[oa]?|dritte[nrs]?|troisième|tredje",
  "fourth|cuart[oa]|vierte[nrs]?|quatrième|fjärde",
  "fifth|quint[oa]|fünfte[nrs]?|cinquième|femte",
].map((words) => wholeWords(words));
const LAST = wholeWords("last|últim[oa]|letzte[nrs]?|derni(?:er|ère)|sista");
const MIDDLE = wholeWords("middle(?: one)?|mittlere[nrs]?|del? (?:medio|centro)|du milieu|mittersta|i mitten");
const NUMBERED = wholeWords("(?:option|number|opción|número|nummer|numéro|alternativ|möglichkeit) (\\S{1,30})");
const MAX_WORDS = 6;

/**
 * Returns the place in a list of `count` that a person names, from 1: "the second one", "option two", a key pressed.
 * Undefined when the text names none, or more than one.
 */
export function parsePlace(text: string, lexicon: Lexicon, count: number): number | undefined {
  const words = toTokens(text);
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  const places = PLACES.flatMap((pattern, i) => (pattern.test(text) ? [i + 1] : []));
  if (LAST.test(text)) places.push(count);
  if (count === 3 && MIDDLE.test(text)) places.push(2);
  if (places.length > 0) return places.length === 1 ? inList(places[0], count) : undefined;
  const numbered = words.length === 1 ? words[0] : NUMBERED.exec(text)?.[1];
  return numbered === undefined ? undefined : inList(parseNumber(numbered, lexicon), count);
}

function inList(place: number | undefined, count: number): number | undefined {
  return place !== undefined && Number.isInteger(place) && place >= 1 && place <= count ? place : undefined;
}
