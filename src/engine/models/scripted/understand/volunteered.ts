import type { Field, FieldKind } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { stemsOf, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { parseAmount, parseRange } from "./amount.ts";
import { choicesSaid } from "./choice.ts";
import { splitTakenBack } from "./corrected.ts";
import { type Calendar, parseDate } from "./date.ts";
import { parseEmail } from "./email.ts";
import { parseNumber } from "./number.ts";
import { parsePhone } from "./phone.ts";
import { readRoute } from "./route.ts";
import { countPeople, isOfPeople } from "./sums.ts";
import { parseTime } from "./time.ts";
import { joinDateTime, withZone } from "./zoned.ts";

/** Kinds of values that an answer uses up; each is used once per utterance. */
export type Taken = "DATE" | "TIME" | "NUMBER" | "EMAIL" | "PHONE" | "NAME";

const TAKES: Partial<Record<FieldKind, Taken[]>> = {
  DATE: ["DATE"],
  TIME: ["TIME"],
  DATE_TIME: ["DATE", "TIME"],
  NUMBER: ["NUMBER"],
  EMAIL: ["EMAIL"],
  PHONE: ["PHONE"],
};

/** Returns the kinds of values that an answer of this kind uses up. */
export function takenBy({ kind, isName }: Field): Taken[] {
  return isName ? ["NAME"] : (TAKES[kind] ?? []);
}

/**
 * Returns the value that an utterance gives a field which was not asked yet. Only an unambiguous value counts, never a
 * yes or no, free words or a bare number.
 */
export function readVolunteered(field: Field, said: string, lexicon: Lexicon, calendar: Calendar): unknown {
  if (field.kind === "NUMBER") return readNumber(field, said, lexicon);
  if (field.kind === "BOOLEAN") return readMentioned(field, said, lexicon);
  const text = keepAffirmed(said, lexicon);
  if (text === undefined) return undefined;
  const own = { ...calendar, tense: field.tense };
  const keep = (value: string | undefined): string | undefined =>
    value !== undefined && field.accepts(value) ? value : undefined;
  // A value that is taken back at once gives way: "tomorrow at five. Make that six p.m."
  const last = (read: (part: string) => string | undefined): string | undefined =>
    splitTakenBack(text, lexicon, true)
      .toReversed()
      .map(read)
      .find((value) => value !== undefined);
  switch (field.kind) {
    case "DATE": {
      const date = keep(last((part) => parseDate(part, lexicon, own)));
      // "Today it is a seven" tells nothing of when it began, and "I can pay fifty today" not when the rest follows.
      return date === calendar.today ? undefined : date;
    }
    case "TIME":
      return keep(
        withZone(
          last((part) => parseTime(part, lexicon, field.hours)),
          calendar,
        ),
      );
    case "DATE_TIME":
      return keep(joinDateTime(parseDate(text, lexicon, own), parseTime(text, lexicon, field.hours), calendar));
    case "EMAIL":
      return keep(parseEmail(text, lexicon));
    case "PHONE":
      return keep(parsePhone(text, lexicon));
    case "TEXT":
      return field.isName ? readIntroduction(field, text) : (readRoute(field, text) ?? readReason(field, text));
    case "CHOICE":
      return readNamed(field, text, lexicon);
    default:
      return undefined;
  }
}

/** True for a number of a range, which fills the fields of both its ends. */
export function isOfRange(field: Field, text: string, lexicon: Lexicon): boolean {
  return field.kind === "NUMBER" && parseRange(text, lexicon) !== undefined;
}

/** Reads a number of the field; one that is taken back at once gives way: "three rooms. No, four with the landing". */
function readNumber(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const range = parseRange(text, lexicon) ? parseAmount(field, text, lexicon) : undefined;
  if (range !== undefined) return fit(field, range);
  const parts = splitTakenBack(text, lexicon);
  const at = parts.findLastIndex((part) => readCounted(field, part, lexicon) !== undefined);
  if (at === -1) return isOfPeople(field) ? fit(field, countPeople(field, text, lexicon)) : undefined;
  const next = parts[at + 1] ?? "";
  const isOther = toTokens(next).length > MAX_LATER || parseTime(next, lexicon) !== undefined;
  const later = isOther ? undefined : parseNumber(next, lexicon);
  return fit(field, later) ?? readCounted(field, parts[at] as string, lexicon);
}

const MAX_LATER = 6;

function fit({ isInteger, minimum, maximum }: Field, value: number | undefined): number | undefined {
  const fits = value !== undefined && (!isInteger || Number.isInteger(value)) && value >= minimum && value <= maximum;
  return fits ? value : undefined;
}

const HAS = wholeWords(
  "have|got|has|there is|there's|there are|haben|habe|hab|gibt es|gibt's|hay|tenemos|tengo|avons|j'ai|il y a|har|finns",
);
const HAS_NO = wholeWords(
  "no|not|don't|haven't|isn't|without|kein(?:e|en|er)?|nicht|ohne|sin|pas|aucune?|sans|inte|ingen|inget|inga|utan",
);
const MIN_NOUN = 5;

/** Reads what a clause says by the way of the thing that a yes-or-no question is about: "we have no piano". */
function readMentioned({ about }: Field, text: string, lexicon: Lexicon): boolean | undefined {
  if (ASKS_DONE.test(about)) return readDone(about, text, lexicon);
  if (ASKS_WILL.test(about)) return readPlan(about, text, lexicon);
  const nouns = [...stemsOf(about)].filter((stem) => stem.length >= MIN_NOUN);
  const noun = nouns.at(-1);
  if (noun === undefined || !NEEDS_NOUN.test(about)) return undefined;
  const clause = text
    .split(/[,;.!?]+\s|\s(?=(?:and|but|und|aber|y|pero|et|mais|och|men)\s)/)
    .find((part) => stemsOf(part).has(noun));
  if (clause === undefined) return undefined;
  if (HAS_NO.test(clause) || lexicon.negators.test(clause)) return false;
  return HAS.test(clause) ? true : undefined;
}

const ASKS_DONE =
  /^[¿¡]?(?:(?:have|did) you (?!got)|haben sie .*(?:t|en)\s*\?|(?:ya )?(?:ha|han|hizo) |avez-vous (?:déjà )?\p{L}+é|har du (?:redan )?\p{L}+t)/iu;
const ALREADY = wholeWords("already|schon|bereits|ya|déjà|redan");
const OF_SELF = wholeWords("i|i've|we|we've|ich|wir|je|j'ai|nous|jag|vi|he|hemos|lo|la");

/** Reads what a person says they have done: "I already paid that invoice" for "Have you paid the invoice?" */
function readDone(about: string, text: string, lexicon: Lexicon): boolean | undefined {
  const asked = stemsOf(about);
  const clause = text.split(/[,;.!?]+\s/).find((part) => {
    const shared = [...stemsOf(part)].filter((stem) => asked.has(stem)).length;
    return OF_SELF.test(part) && (shared > 1 || (shared > 0 && ALREADY.test(part)));
  });
  return clause === undefined || lexicon.negators.test(clause) || HAS_NO.test(clause) ? undefined : true;
}

const ASKS_WILL =
  /^[¿¡]?(?:will you|are you (?:going to|\p{L}+ing)|would you (?!like|want|prefer)|do you (?:plan|intend)|werden sie|warten sie|kommen sie|bringen sie|va a |vendrá|esperará|traerá|allez-vous|attendrez-vous|viendrez-vous|apportez-vous|kommer (?:du|ni) att|tänker (?:du|ni)|väntar (?:du|ni))/iu;
const PLANS =
  /(?:\b(?:i|we)(?:'ll| will|'m| am|'re| are)(?: just)?(?: going to)? |\b(?:ich|wir) (?:werde |werden )?|\bvoy a |\bvamos a |\bje vais |\bj'(?=\p{L})|\bon va |\bjag (?:ska |kommer att )?|\bvi (?:ska |kommer att )?)/iu;

/** Reads what a person says that they will do: "I'll just wait there" for "Will you wait at the shop?" */
function readPlan(about: string, text: string, lexicon: Lexicon): boolean | undefined {
  const asked = stemsOf(about);
  const clause = text
    .split(/[,;.!?]+\s|\s(?=(?:and|but|und|aber|y|pero|et|mais|och|men)\s)/)
    .find((part) => PLANS.test(part) && [...stemsOf(part)].some((stem) => asked.has(stem)));
  if (clause === undefined) return undefined;
  return !lexicon.negators.test(clause) && !HAS_NO.test(clause);
}

const NEEDS_NOUN = wholeWords(
  "is there|are there|do you have|have you got|gibt es|haben sie|hay|tiene|y a-t-il|avez-vous|finns|har du|har ni",
);

const INTRODUCTION =
  /(?:this is|my (?:full )?name is|name's|i'm|i am|ich heiße|hier (?:ist|spricht)|mein name ist|me llamo|soy|mi nombre es|je m'appelle|mon nom est|jag heter|mitt namn är|det är) ((?:\p{Lu}[\p{L}'-]+)(?:[ ](?:\p{Lu}[\p{L}'-]+|van|von|de|der|den|del|la|di|af)){0,4})/u;

/** Reads the name by which somebody introduces themselves: "this is Tom Baker". */
function readIntroduction(field: Field, text: string): string | undefined {
  const match = INTRODUCTION.exec(text.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()));
  const name = match?.[1]?.replace(/(?: (?:van|von|de|der|den|del|la|di|af))+$/, "");
  return name !== undefined && name.includes(" ") && field.accepts(name) ? name : undefined;
}

const REASON = wholeWords("reason|why|grund|warum|motivo|razón|por qué|motif|raison|pourquoi|anledning|varför|orsak");
const BECAUSE = wholeWords(
  "because of|due to|wegen|debido a|a causa de|por culpa de|à cause de|en raison de|på grund av",
);

/** Reads the reason that somebody names by themselves: "because of my knee pain". */
function readReason(field: Field, text: string): string | undefined {
  const because = REASON.test(field.about) ? BECAUSE.exec(text) : null;
  const words = because
    ? text
        .slice(because.index + because[0].length)
        .split(/[.!?;,]/)[0]
        ?.trim()
    : undefined;
  return words !== undefined && words !== "" && field.accepts(words) ? words : undefined;
}

const PERSONS =
  /^(?:people|persons?|guests?|adults?|pax|personen|leute|gäste|erwachsene|personas|comensales|adultos|personnes|couverts|adultes|personer|gäster|vuxna)$/;
const CHILDREN = /child|kids|kinder|niñ|hij|enfant|\bbarn/i;
const KIDS = /^(?:kids?|child(?:ren)?|little ones|kind(?:er)?|niñ[oa]s?|hij[oa]s?|enfants?|gosses?|barn)$/;
const TABLE_FOR = wholeWords(
  "(?:table|party|group|tisch|gruppe|mesa|grupo|groupe|bord|sällskap) (?:for|of|für|von|para|de|pour|för|på) (\\p{L}{2,12}|\\d{1,3})",
);
const OF_US = /^(?:us|uns|nosotros|nous|oss)$/;
const NEAR_WORDS = 3;

/** Reads a number beside a word of its question: "two of us", "four people", "a budget of 200". */
function readCounted(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const tokens = toTokens(text);
  const stems = stemsOf(`${field.about} ${field.path.join(" ")}`);
  const ofPeople = isOfPeople(field);
  const isKids = CHILDREN.test(field.about);
  const seated = ofPeople ? TABLE_FOR.exec(text)?.[1] : undefined;
  if (seated !== undefined) return fit(field, parseNumber(seated, lexicon));
  const at = tokens.findIndex(
    (token) =>
      (field.isInteger && OF_US.test(token)) ||
      (ofPeople && !isKids && PERSONS.test(token)) ||
      (isKids && KIDS.test(token)) ||
      [...stemsOf(token)].some((stem) => stems.has(stem)),
  );
  if (at === -1) return fit(field, readCompound(tokens, stems, lexicon));
  const near = tokens
    .slice(Math.max(0, at - NEAR_WORDS), at)
    .filter((token) => !/^\d+(?:st|nd|rd|th|er|e|º)$/.test(token));
  const before = parseNumber(near.join(" "), lexicon);
  const value = before ?? parseNumber(tokens.slice(at + 1, at + 1 + NEAR_WORDS).join(" "), lexicon);
  if (value === undefined || (field.isInteger && !Number.isInteger(value))) return undefined;
  return value >= field.minimum && value <= field.maximum ? value : undefined;
}

/** Reads "Dreizimmerwohnung" for a number of rooms. */
function readCompound(tokens: string[], stems: ReadonlySet<string>, lexicon: Lexicon): number | undefined {
  if (!lexicon.compoundNumbers) return undefined;
  for (const token of tokens) {
    const stem = [...stems].find((one) => token.indexOf(one) > 2);
    const value = stem === undefined ? undefined : parseNumber(token.slice(0, token.indexOf(stem)), lexicon);
    if (value !== undefined) return value;
  }
  return undefined;
}

const MIN_NAME_CHARACTERS = 4;

function readNamed(field: Field, text: string, lexicon: Lexicon): unknown {
  const words = ` ${toTokens(text).join(" ")} `;
  const isNamed = field.choices.some(
    ({ spoken }) => spoken.length >= MIN_NAME_CHARACTERS && words.includes(` ${toTokens(spoken).join(" ")} `),
  );
  const said = isNamed ? choicesSaid(field, text, lexicon) : [];
  return said.length === 1 ? said[0] : undefined;
}
