import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

/** An answer that only repeats the verb: "they are", "I haven't", "je le suis", "hab ich". */
const YES_VERB =
  /^(?:(?:oh |well )?(?:they|it|we|he|she|there|i|you|that|this|mine|ours) (?:(?:still|sure|certainly|definitely|already|really|all) )?(?:am|are|is|do|does|did|have|has|was|were|will|would|can|could|should)(?: (?:too|indeed|already|now|actually|still|all))?|(?:sure|certainly) (?:do|did|is|are|am|have|has|was|will|can)|(?:das )?(?:bin|hab|habe|ist|sind|haben|kann|mach|mache|tu|werde) (?:ich|wir|er|sie|es)(?: schon| auch)?|(?:lo|la) (?:soy|es|estoy|tengo|son)|(?:je|on|il|elle|nous) (?:le |l'|en )(?:suis|ai|est|a|sommes|avons)|det (?:är|har|gör|gjorde|kan|ska|vill) (?:jag|vi|den|det|han|hon|de)|(?:all )?done|(?:already )?(?:did|sent|paid)(?: (?:it|that|them))?(?: (?:already|yesterday|today|last \p{L}+))?)[.! ]*$/iu;
const NO_VERB =
  /^(?:(?:they|it|we|he|she|there|i|you|that|this) (?:'m not|am not|(?:are|is|do|does|did|have|has|was|were|wo|would|ca|could|should)n't)(?: (?:any|one|yet))?|(?:bin|hab|habe|ist|sind|haben|kann|mach|mache) (?:ich|wir|er|sie|es) (?:(?:noch|leider|gar|auch) )?nicht|det (?:är|har|gör|gjorde|kan|ska|vill) (?:jag|vi|den|det|han|hon|de) (?:tyvärr )?inte)[.! ]*$/iu;

const ASKS_FOR_SOME =
  /^(?:(?:so|and|und|y|et|och)[, ]+)?[¿¡]?(?:(?:do|have|are|is|did) (?:you|there|your \p{L}+)(?: (?:have|got|see|notice|noticed|take|own|keep))?\b|any\b|haben sie|hast du|gibt es|besitzen sie|nehmen sie|(?:usted )?tienen?\b|hay\b|toma\b|avez-vous|y a-t-il|prenez-vous|possédez-vous|har (?:du|ni)|finns det|äger du)/iu;
const SOME =
  /^(?:(?:yes|yeah|oh|well|just|only|about|nur|bloß|sí|solo|oui|juste|bara|there(?:'s| is| are)|i(?:'ve got| have)|we(?:'ve got| have)|hay|il y a|es gibt|det finns)[, ]+)*(?:an? (?!little while)(?:\p{L}+)|one|some|several|a few|many|lots|plenty|loads|eine?[nr]?|einige|mehrere|ein paar|viele|una?|algun[oa]s?|vari[oa]s|much[oa]s|une?|plusieurs|quelques|des|ett|en|några|flera|många)(?= |[.,!]|$)/iu;

/**
 * Reads what an answer without a yes or no implies: it repeats the verb, or names what the question asks for ("Do you
 * have pets?" "A dog and two cats."). Undefined when it implies neither.
 */
export function impliedYesNo(question: string, text: string, lexicon: Lexicon): boolean | undefined {
  const [first = ""] = text.split(/[,;.!](?:\s|$)/);
  if (NO_VERB.test(first)) return false;
  if (YES_VERB.test(first)) return true;
  const punctual = onTime(question, text);
  if (punctual !== undefined) return punctual;
  if (repeats(question, first, lexicon)) return true;
  if (!ASKS_FOR_SOME.test(question) || lexicon.no.test(first)) return undefined;
  const number = toTokens(first).length <= MAX_WORDS ? parseNumber(first, lexicon) : undefined;
  return SOME.test(first) || (number !== undefined && number > 0) ? true : undefined;
}

const STATES =
  /^(?:(?:it|they|he|she|we|i|there|that)(?:'s|'re|'m| is| are| am| was| were)|(?:er|sie|es|ich|wir|das) (?:ist|sind|bin|war|waren)|(?:es|está|son|están|estoy|somos|soy)|(?:il|elle|ils|elles|je|c'|on) ?(?:est|sont|suis)|(?:det|den|de|jag|vi|han|hon) (?:är|var))(?= )/iu;
const HEDGED = wholeWords("if|almost|nearly|hardly|barely|fast|kaum|casi|apenas|presque|à peine|nästan|knappt|never|too");

/** True for a statement in the words of the question: "They're brand new." */
function repeats(question: string, text: string, lexicon: Lexicon): boolean {
  if (!STATES.test(text) || lexicon.no.test(text) || HEDGED.test(text)) return false;
  const asked = new Set(toTokens(question).slice(1));
  return toTokens(text.replace(STATES, "")).some((word) => word.length > 2 && !EMPTY.has(word) && asked.has(word));
}

const EMPTY = new Set("the you your for with and der die das und für mit los las con para les des pour avec och för med".split(" "));
const MAX_WORDS = 6;
const PUNCTUAL = wholeWords("on time|in time|punctual|pünktlich|puntual|a tiempo|à l'heure|ponctuel(?:le)?|i tid|punktlig");
const LATE = wholeWords(
  "late|delayed|verspätet|verspätung|zu spät|später|tarde|retraso|retrasad[oa]|en retard|retard|sen|sena|försenad(?:e)?",
);

/** Reads "he was twenty minutes late" for a question whether somebody was on time. */
function onTime(question: string, text: string): boolean | undefined {
  if (!PUNCTUAL.test(question)) return undefined;
  if (LATE.test(text)) return false;
  return PUNCTUAL.test(text) ? true : undefined;
}
