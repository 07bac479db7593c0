import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { stemsOf, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

const PEOPLE =
  /people|persons?|guests?|adults?|children|kinder|hijos|niños|enfants|\bbarn\b|attend|party|seats?|headcount|coming|person|gäste|erwachsene|leute|plätze|personas|adultos|comensales|invitados|personnes|adultes|couverts|convives|places|personer|vuxna|gäster|platser|många (?:blir|reser|kommer)|travell?|reisen/i;
/** The sum that a person draws from a list of people: "my son and me, so two passports". */
const COUNTED = wholeWords(
  "(?:me|myself|i|ich|mich|mir|yo|moi|jag|mig),? (?:so|also|o sea|donc|alltså) (\\p{L}{2,12}|\\d{1,2})",
);
const OPENING =
  "(?:just|only|it's|it'll be|there's|there are|there'll be|we're|we are|nur|solo|juste|bara|c'est|somos|vamos|wir sind|das sind|on est|on sera|nous sommes|vi är|det blir|pour|para|für|för|det är|also|both|beide|los|las|les|the|våra|unsere|nuestros|nos) ";
const OF_ME =
  "(?:my|our|his|her|their|mein[ea]?[nrs]?|unsere?[nrs]?|mi|mis|nuestr[oa]s?|mon|ma|mes|notre|nos|min|mitt|mina|vår|våra)";
const ONE_PERSON = new RegExp(
  `^(?:${OPENING})*(?:me|myself|i|ich|yo|moi|jag|mich|${OF_ME} \\p{L}+(?:-\\p{L}+){0,3}|an? \\p{L}+|an? \\p{L}+ \\p{L}+)$`,
  "iu",
);
/** Two people without a number: "both grandmas", "the twins". */
const TWO_PEOPLE = new RegExp(
  `^(?:${OPENING.replace("both|beide|los|", "")})*(?:${OF_ME} (?:parents|grandparents|eltern|großeltern|padres|abuelos|föräldrar)|both|beide|les deux|los dos|båda|the twins|die zwillinge|los gemelos|les jumeaux|tvillingarna)`,
  "iu",
);

/** True for a field that counts people. */
export function isOfPeople({ about, path, isInteger }: Field): boolean {
  return isInteger && PEOPLE.test(`${about} ${path.join(" ")}`);
}

const CHILDREN = /children|kids|kinder|hijos|niños|enfants|\bbarn\b/i;
const SELF = wholeWords("i|me|we|us|ich|wir|mich|yo|nosotros|moi|nous|je|jag|mig|vi");

function splitSum(text: string, lexicon: Lexicon): string[] {
  return text
    .replace(/[.!?]+$/, "")
    .split(/,|;|\splus\s/)
    .flatMap((part) => part.split(lexicon.and))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const GROUP = wholeWords(
  "(?:we're|we are|we'll be|there'll be|there will be|there are|it'll be|party of|group of|table for|all|seremos|somos|vamos a ser|vamos|iremos|vendremos|estaremos|(?:on|nous) (?:est|sera|sommes|serons|viendra|viendrons)(?: à)?|wir (?:sind|kommen|werden|wären)(?: zu)?|kommen wir zu|vi (?:blir|är|kommer)|det blir) (\\p{L}{2,12}|\\d{1,3})(?: (?:of us|in total|insgesamt|en total|au total|totalt|stycken|personas|personnes|personen|people|pers|adults?|leute))?(?= *(?:$|[.,;!?]|in|with|mit|con|avec|med|and|und|y|et|och))",
);
const TOGETHER = wholeWords("zu (zweit|dritt|viert|fünft|sechst|siebt|acht)|à (deux|trois|quatre|cinq|six|sept|huit)");
const TOGETHER_COUNTS = ["zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht"];

/** Reads the number of a group: "zu dritt", "seremos cuatro". */
function readGroup(text: string, lexicon: Lexicon): number | undefined {
  const together = TOGETHER.exec(text);
  if (together?.[1] !== undefined) return 2 + TOGETHER_COUNTS.indexOf(together[1].toLowerCase());
  const said = together?.[2] ?? GROUP.exec(text)?.[1];
  return said === undefined ? undefined : parseNumber(said, lexicon);
}

/** Adds up people who are named one after the other: "me, my wife and the three kids". */
export function countPeople(field: Field, text: string, lexicon: Lexicon): number | undefined {
  if (!isOfPeople(field)) return undefined;
  const summed = COUNTED.exec(text)?.[1];
  const total = summed === undefined ? undefined : parseNumber(summed, lexicon);
  if (total !== undefined) return total;
  const group = CHILDREN.test(field.about) ? undefined : readGroup(text, lexicon);
  if (group !== undefined) return group;
  const parts = splitSum(text, lexicon);
  if (parts.length < 2) return undefined;
  // "My wife and I have two" counts nobody.
  if (CHILDREN.test(field.about) && SELF.test(text)) return undefined;
  const own = parts.filter((part) => isNamed(field, part));
  let sum = 0;
  for (const part of own.length > 0 && own.length < parts.length ? own : parts) {
    const number = parseNumber(part, lexicon);
    if (PLURAL.test(part) && !TWO_PEOPLE.test(part) && number === undefined) return undefined;
    const isGroup = number !== undefined && toTokens(part).length >= 2;
    if (!isGroup && !ONE_PERSON.test(part) && !TWO_PEOPLE.test(part)) return undefined;
    sum += isGroup ? number : TWO_PEOPLE.test(part) ? 2 : 1;
  }
  return sum;
}

/** Several people without a number: "my sons". */
const PLURAL = new RegExp(`^(?:${OPENING})*(?:my|our|mis|nuestros|mes|nos|mina|våra) \\p{L}+s$`, "iu");

/** True when a part counts what the field asks for: "two adults" of "two adults and a child". */
function isNamed({ about, path }: Field, part: string): boolean {
  const stems = stemsOf(`${about} ${path.join(" ")}`);
  return [...stemsOf(part)].some((stem) => stems.has(stem));
}

const COUNTS = wholeWords(
  "how many|number of|cups|times|wie viele|anzahl|cuánt[oa]s|número de|combien|nombre de|hur många|antal",
);
const MEASURES = wholeWords(
  "years?|months?|weeks?|days?|hours?|minutes?|dollars?|euros?|pounds?|pence|cents?|kilos?|grams?|inch(?:es)?|f(?:ee|oo)t|met(?:er|re)s?|percent|half|quarter|jahre?n?|monate?|wochen?|tage?n?|stunden?|minuten?|años?|mes(?:es)?|semanas?|días?|horas?|minutos?|medi[oa]|ans?|mois|semaines?|jours?|heures?|demie?|år|månad(?:er)?|veck(?:a|or)|dag(?:ar)?|timm(?:e|ar)|halv[ta]?|kronor|pesos?|hundred|thousand|hundert|tausend",
);
const ARTICLE = /^(?:an?|eine?[nr]?|una?|une?|ett|en) \p{L}{2,}/iu;
const MOST_THINGS = 100;

/** Adds up things of several kinds: "two in the morning and one after lunch", "dos niñas y un niño". */
export function countThings(field: Field, text: string, lexicon: Lexicon): number | undefined {
  if (!field.isInteger || !COUNTS.test(field.about) || MEASURES.test(text) || OR.test(text)) return undefined;
  const parts = splitSum(text.replace(/^.*(?:,\s*|\s)(?=there (?:is|are)|hay |es gibt)/iu, ""), lexicon);
  if (parts.length !== 2 && parts.length !== 3) return undefined;
  const counts = parts.map((part) => {
    const number = parseNumber(part, lexicon) ?? lexicon.quantities.find(([pattern]) => pattern.test(part))?.[1];
    return number ?? (ARTICLE.test(part) ? 1 : undefined);
  });
  const isEvery = counts.every((count) => count !== undefined && count > 0 && count < MOST_THINGS);
  const isOfKinds = parts.every((part) => toTokens(part).length >= 2) && counts.some((count) => count !== undefined);
  if (!isEvery || !isOfKinds || /\d/.test(text)) return undefined;
  const own = parts.filter((part) => isNamed(field, part));
  if (own.length > 0 && own.length < parts.length && !SAME_KIND.test(text))
    return counts[parts.indexOf(own[0] as string)];
  return (counts as number[]).reduce((sum, count) => sum + count, 0);
}

const OR = wholeWords("or|oder|o|ou|eller|maybe|vielleicht");
const SAME_KIND = wholeWords("more|others?|another|mehr|weitere|más|otr[oa]s?|autres?|till|andra");
