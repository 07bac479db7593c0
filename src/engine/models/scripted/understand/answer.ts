import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { otherLexicons } from "#src/engine/models/scripted/lexicon.ts";
import { toSentences, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { parseAmount, readPair } from "./amount.ts";
import { changeChoices, understandChoice, understandChoices } from "./choice.ts";
import { conclusionOf, splitTakenBack } from "./corrected.ts";
import { type Calendar, parseDate } from "./date.ts";
import { parseEmail } from "./email.ts";
import { parseDuration, parseUri } from "./formats.ts";
import { impliedYesNo } from "./implied.ts";
import { understandList } from "./list.ts";
import { parseNumber } from "./number.ts";
import { understandObjects } from "./objects.ts";
import { dayThatSuits } from "./one-day.ts";
import { parsePhone, patchPhone } from "./phone.ts";
import { understandText } from "./text.ts";
import { parseBareHour, parseTime, patchMinutes } from "./time.ts";
import { hasYesNo, parseYesNo } from "./yes-no.ts";
import { joinDateTime, withZone } from "./zoned.ts";

/**
 * Returns the value that an utterance gives a field; undefined when it does not answer it, or not as the schema
 * requires. Where the person takes something back, the last value counts.
 */
export function understandAnswer(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  const own = { ...calendar, tense: field.tense };
  const read = (part: string): unknown => readAnswer(field, part, lexicon, own);
  const isStrict = field.kind === "CHOICES" || (field.kind === "CHOICE" && /[,.;]/.test(text));
  const parts = TAKES_ALL.has(field.kind) ? [] : splitTakenBack(text, lexicon, isStrict);
  if (parts.length < 2) return HAS_ONE_VALUE.has(field.kind) ? readSettled(text, [], read) : read(text);
  if (field.kind === "CHOICES") return changeChoices(field, parts, lexicon);
  if (field.kind === "DATE_TIME") return keep(field, mergeMoments(field, parts, lexicon, own));
  const patched = field.kind === "DATE" ? patchMonth(field, parts, lexicon, own) : undefined;
  if (patched !== undefined) return patched;
  for (let at = parts.length - 1; at >= 0; at--) {
    const before = parts.slice(0, at).map(read);
    const value = readSettled(parts[at] as string, before, read) ?? patch(field, before, parts[at] as string, lexicon);
    if (value !== undefined) return value;
  }
  return read(text);
}

/** Kinds of which an answer names one value; what else it names is a reason, or was taken back. */
const HAS_ONE_VALUE = new Set<Field["kind"]>(["DATE", "TIME", "NUMBER", "CHOICE"]);

/**
 * Reads the value on which a person settles: the one behind "so", one that they have not taken back ("Friday I'm in
 * court. Monday."), or a last sentence that holds nothing else ("Ten. My wife is shaking her head. Eight.").
 */
function readSettled(text: string, before: unknown[], read: (part: string) => unknown): unknown {
  const conclusion = conclusionOf(text);
  const concluded = conclusion === undefined ? undefined : read(conclusion);
  if (concluded !== undefined) return inNamedMonth(text, conclusion as string, read) ?? concluded;
  const loosely = text.split(LOOSE_CONCLUSION).at(-1) ?? text;
  const loose = loosely === text ? undefined : read(loosely);
  if (loose !== undefined) return loose;
  const whole = read(text);
  const known = before.filter((value) => value !== undefined);
  if (known.length > 0 && (whole === undefined || known.includes(whole))) {
    const others = text.split(/[.!?;,…]+\s+/).map(read);
    return others.findLast((value) => value !== undefined && !known.includes(value)) ?? whole;
  }
  const last = toSentences(text).at(-1) ?? "";
  const isBare = last !== text && toTokens(last).length <= MAX_BARE_WORDS && !OR.test(last);
  const final = isBare ? read(last) : undefined;
  const earlier = final === undefined ? undefined : read(text.slice(0, -last.length));
  return earlier !== undefined && whole === earlier && final !== earlier ? final : whole;
}

/** Reads a day that concludes in the month named before it: "the first weekend in November, so the seventh". */
function inNamedMonth(text: string, conclusion: string, read: (part: string) => unknown): unknown {
  const months = [...text.matchAll(MONTHS)].map(([month]) => month.toLowerCase());
  if (new Set(months).size !== 1 || conclusion.toLowerCase().includes(months[0] as string)) return undefined;
  const bare = conclusion.replace(/[.!]+$/, "");
  return toTokens(bare).length <= MAX_BARE_WORDS ? read(`${bare} ${months[0]}`) : undefined;
}

/** Names of months in all languages that are no other words. */
const MONTHS = wholeWords(
  "january|february|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|januari|februari|augusti",
  "giu",
);

/** Concludes without a pause: "I work until Thursday so Friday would be best". */
const LOOSE_CONCLUSION = /\s(?:so|así que|donc|deshalb|så)\s/iu;
const MAX_BARE_WORDS = 3;

/** Changes the part of an earlier value that a person corrects: "four o'clock, or rather quarter past". */
function patch(field: Field, before: unknown[], text: string, lexicon: Lexicon): unknown {
  const known = before.findLast((value) => typeof value === "string");
  if (typeof known !== "string") return undefined;
  if (field.kind === "PHONE") return keep(field, patchPhone(known, text, lexicon));
  return field.kind === "TIME" ? keep(field, patchMinutes(known, text)) : undefined;
}

/** Kinds that read the whole of an answer; a yes or no finds its last word itself. */
const TAKES_ALL = new Set<Field["kind"]>(["TEXT", "LIST", "BOOLEAN", "EMAIL", "URI"]);

/** Takes the last day and the last time of "Tomorrow at eight, no, nine". */
function mergeMoments(field: Field, parts: string[], lexicon: Lexicon, calendar: Calendar): string | undefined {
  const last = <T>(read: (part: string) => T | undefined): T | undefined => {
    for (const part of parts.toReversed()) {
      const affirmed = keepAffirmed(part, lexicon);
      const value = affirmed === undefined ? undefined : read(affirmed);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const date = last((part) => parseDate(part, lexicon, calendar));
  const time = last((part) => parseTime(part, lexicon, field.hours));
  return joinDateTime(date, time, calendar);
}

/** Reads "the eighth of February, no, January": only the month is taken back. */
function patchMonth(field: Field, parts: string[], lexicon: Lexicon, calendar: Calendar): string | undefined {
  const at = parts.findLastIndex((part) => lexicon.months.some((month) => month.test(part)));
  const month = lexicon.months.flatMap((pattern) => pattern.exec(parts[at] ?? "") ?? []).at(0)?.[0];
  if (at < 1 || month === undefined || readAnswer(field, parts[at] as string, lexicon, calendar) !== undefined)
    return undefined;
  const before = parts.slice(0, at).findLast((part) => lexicon.months.some((pattern) => pattern.test(part)));
  const said = lexicon.months.flatMap((pattern) => pattern.exec(before ?? "") ?? []).at(0);
  if (before === undefined || !said) return undefined;
  return readAnswer(field, before.replace(said[0] ?? "", month), lexicon, calendar) as string | undefined;
}

function readAnswer(field: Field, text: string, lexicon: Lexicon, calendar: Calendar): unknown {
  switch (field.kind) {
    case "BOOLEAN":
      return understandYesNo(field, text, lexicon);
    case "NUMBER":
      return understandNumber(field, text, lexicon);
    case "CHOICE":
      return understandChoice(field, text, lexicon);
    case "CHOICES":
      return understandChoices(field, text, lexicon);
    case "DATE":
    case "TIME":
    case "DATE_TIME":
      return keep(field, understandMoment(field, text, lexicon, calendar));
    case "EMAIL":
      return keep(field, parseEmail(text, lexicon));
    case "PHONE":
      return keep(field, parsePhone(text, lexicon));
    case "URI":
      return keep(field, parseUri(text, lexicon));
    case "DURATION":
      return keep(field, parseDuration(text, lexicon));
    case "LIST":
      return understandList(field, text, lexicon);
    case "OBJECTS":
      return understandObjects(field, text, lexicon, (member, part) =>
        understandAnswer(member, part, lexicon, calendar),
      );
    case "TEXT":
      return understandText(field, text, lexicon);
  }
}

function keep(field: Field, value: string | undefined): string | undefined {
  return value !== undefined && field.accepts(value) ? value : undefined;
}

/** Reads a day and a time. One that is only ruled out is no answer. */
function understandMoment(
  { kind, hours }: Field,
  said: string,
  lexicon: Lexicon,
  calendar: Calendar,
): string | undefined {
  const text = keepAffirmed(said, lexicon);
  if (text === undefined)
    return kind === "DATE" ? dayThatSuits(said, lexicon, (part) => parseDate(part, lexicon, calendar)) : undefined;
  if (kind === "DATE") return parseDate(text, lexicon, calendar);
  const time = parseTime(text, lexicon, hours);
  if (kind === "TIME") return withZone(time ?? bareHourIn(text, lexicon, hours), calendar);
  return joinDateTime(parseDate(text, lexicon, calendar), time, calendar);
}

/** Reads a bare hour, also in the last clause that is one: "any time after lunch, say two". */
function bareHourIn(text: string, lexicon: Lexicon, hours: Field["hours"]): string | undefined {
  const clauses = text.split(/[,;.!–—]+\s+/);
  return [text, ...clauses.toReversed()]
    .map((part) => parseBareHour(part, lexicon, hours))
    .find((time) => time !== undefined);
}

/** Words within which a yes or no counts; deep in a long story, "not" belongs to the story. */
const YES_NO_WITHIN_WORDS = 10;

const NEEDS = wholeWords(
  "need|want|would you like|require|brauchen|benötigen|möchten|wollen|necesita|quiere|desea|avez-vous besoin|voulez-vous|souhaitez|behöver|vill du|önskar",
);
const HAS_ENOUGH = wholeWords(
  "my own|i've got (?:it|one|that|them|everything|everyone)|(?:i'll|we'll|i can|i) (?:just )?(?:use|take|bring|have) (?:my|our|the one)|(?:old|current) (?:one|ones)|(?:is|are|'s|'re) (?:still )?fine|have (?:one|some|enough|plenty)|all set|i'm good|mein(?:e|en|s)? eigene[nrs]?|(?:alte|jetzige)[rns]? (?:\\p{L}+ )?(?:tut|ist|reicht)|habe (?:schon|noch)|hab (?:schon|noch)|reicht|mi propi[oa]|ya teng[oa]|con (?:el|la) que tengo|está bien así|mon propre|ma propre|j'ai déjà|me suffit|egen|har redan|räcker|duger",
);

/** "Saturdays yes, Sundays no" is neither. */
const IS_DIVIDED =
  /^(?:\p{L}+ ){0,3}\p{L}{3,} (?:yes|ja|sí|oui),? (?:(?:but|aber|pero|mais|men) )?(?:\p{L}+ ){0,3}\p{L}{3,} (?:no|not|nein|nicht|non|pas|nej|inte)[.! ]*$/iu;

/** Reads a yes or no. Who has their own needs none. */
function understandYesNo({ about }: Field, utterance: string, lexicon: Lexicon): boolean | undefined {
  const text = utterance.split(" ").slice(0, YES_NO_WITHIN_WORDS).join(" ");
  if (IS_DIVIDED.test(utterance)) return undefined;
  const stated = hasYesNo(utterance, lexicon) ? undefined : impliedYesNo(about, utterance, lexicon);
  if (stated !== undefined) return stated;
  const whole = parseYesNo(utterance, lexicon, about);
  const answer =
    lastWord(utterance, lexicon) ?? (utterance === text ? whole : (parseYesNo(text, lexicon, about) ?? whole));
  if (NEEDS.test(about) && HAS_ENOUGH.test(utterance) && !/^(?:yes|ja|sí|oui)\b/i.test(utterance)) return false;
  if (answer !== undefined || toTokens(text).length > 2) return answer;
  for (const other of otherLexicons(lexicon)) {
    const foreign = parseYesNo(text, other);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

/** Reads the last sentence of a long answer when it is a mere yes or no: "..., so no." */
function lastWord(text: string, lexicon: Lexicon): boolean | undefined {
  const last = toSentences(text).at(-1) ?? "";
  const isMere = last !== text && toTokens(last).length <= 3 && hasYesNo(last, lexicon);
  return isMere ? parseYesNo(last, lexicon) : undefined;
}

function understandNumber(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const affirmed = dropPronouns(dropComing(field, keepAffirmed(text, lexicon) ?? text));
  const total = totalBefore(affirmed, lexicon);
  if (total !== undefined) return fits(field, total) ? total : undefined;
  if (hangsBetweenTwo(affirmed, lexicon)) return undefined;
  const value = parseAmount(field, affirmed, lexicon) ?? lastSentenceNumber(field, affirmed, lexicon);
  return [value, readPair(field, affirmed, lexicon)].find((one) => one !== undefined && fits(field, one));
}

const AGE = wholeWords("age|how old|alter|wie alt|edad|cuántos años|âge|quel âge|ålder|hur gammal");
const COMING = wholeWords(
  "(?:will|\\p{L}+'ll) (?:be|turn)|turning|going to be|(?:werde|wird)(?: bald)?|(?:voy|va) a cumplir|cumpl[eo]|(?:aurai|aura)|vais avoir|va avoir|fyller|blir snart",
);

/** Drops the birthday to come: "she'll be four in May, she's three". */
function dropComing({ about }: Field, text: string): string {
  if (!AGE.test(about) || !COMING.test(text)) return text;
  const kept = text.split(/[,;.]\s+/).filter((clause) => !COMING.test(clause));
  return kept.length > 0 ? kept.join(", ") : text;
}

const ONE = wholeWords(
  "(?:(?:the )?(?:last|next|first|second|third|other|new|old|big|small|little|bigger|smaller|older|younger|current|previous|same|right|wrong|main|only)|this|that|another|which|each|every|any|my|our|your) one(?: of (?:them|those|these))?(?! (?:hundred|thousand))",
  "giu",
);

/** Drops "one" where it stands for a thing: "the last one was two hundred and ten". */
function dropPronouns(text: string): string {
  return text.replaceAll(ONE, (one) => one.replace(/ one(?: of \w+)?$/i, ""));
}

/** Returns a number that what follows adds up to: "six, four adults and two kids". */
function totalBefore(text: string, lexicon: Lexicon): number | undefined {
  const [head = "", ...rest] = text.split(/[,.:;–—]\s+/);
  const total = toTokens(head).length <= MAX_HEAD_WORDS ? parseNumber(head, lexicon) : undefined;
  if (total === undefined || rest.length === 0) return undefined;
  const parts = rest.flatMap((part) => part.split(lexicon.and)).filter((part) => /[\p{L}\d]/u.test(part));
  const counts = parts.map((part) => parseNumber(part, lexicon) ?? 1);
  return parts.length > 1 && counts.reduce((sum, count) => sum + count, 0) === total ? total : undefined;
}

const MAX_HEAD_WORDS = 4;

/** Reads the one sentence that is a number: "Eighteen nine. Eighteen thousand nine hundred." */
function lastSentenceNumber(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const sentences = toSentences(text);
  const values = sentences.length < 2 ? [] : sentences.map((sentence) => parseAmount(field, sentence, lexicon));
  const known = [...new Set(values.filter((value) => value !== undefined))];
  return known.length === 1 ? known[0] : undefined;
}

/** True for a number that the field's schema allows. */
function fits({ isInteger, minimum, maximum, step }: Field, value: number): boolean {
  if (isInteger && !Number.isInteger(value)) return false;
  const steps = step > 0 ? value / step : 0;
  return value >= minimum && value <= maximum && Math.abs(steps - Math.round(steps)) < 1e-9;
}

const HEDGES = "or|maybe|perhaps|o(?! sea)|quizás?|oder|vielleicht|ou|peut-être|eller|kanske";
const OR = wholeWords(HEDGES);
const OR_ALL = wholeWords(HEDGES, "giu");

/** True for "two or three", which is no answer yet. */
function hangsBetweenTwo(text: string, lexicon: Lexicon): boolean {
  return [...text.matchAll(OR_ALL)].some((or) => {
    const first = parseNumber(text.slice(0, or.index), lexicon);
    const second = parseNumber(text.slice(or.index + or[0].length), lexicon);
    return first !== undefined && second !== undefined && first !== second;
  });
}
