import { type Dialogue, goOn, type Item, record, resume, sayAndAsk } from "./dialogue.ts";
import type { Field } from "./fields.ts";
import { replaceAny } from "./hear-correction.ts";
import { needsReadBack } from "./read-back.ts";
import { understandAnswer } from "./understand/answer.ts";
import { saysNothing } from "./understand/choice.ts";
import { parseDate } from "./understand/date.ts";
import { isBareYesNo } from "./understand/intent.ts";
import { patchPhone } from "./understand/phone.ts";
import { splitQuestion, type Parts } from "./understand/question.ts";
import { spelledWord } from "./understand/spelled.ts";
import { parseTime } from "./understand/time.ts";
import { isOfRange, readVolunteered, takenBy } from "./understand/volunteered.ts";
import { parseYesNo } from "./understand/yes-no.ts";
import { joinDateTime } from "./understand/zoned.ts";
import { stemsOf } from "./words.ts";

/** Processes the reply to the open question: an answer to it or to others, a question, or something else. */
export function hearAnswer(dialogue: Dialogue, text: string, heardEnough: boolean): void {
  const open = dialogue.items[dialogue.at] as Item;
  const { statement, question: asked } = partsFor(dialogue, open, text);
  const takesAnything = ["TEXT", "LIST", "BOOLEAN"].includes(open.field.kind);
  const mayAnswer = statement !== "" && (heardEnough || !takesAnything);
  const value = mayAnswer ? readAnswer(dialogue, open, statement) : undefined;
  const isProposal = asked !== undefined && dialogue.lexicon.proposal.test(asked);
  const reported = isProposal ? text : statement;
  const volunteered = reported === "" ? 0 : takeMore(dialogue, reported, value === undefined ? undefined : open);
  // "Could we do Thursday instead?" names the day, so there is nothing to look up.
  const question = isProposal && volunteered > 0 ? undefined : asked;
  if (value !== undefined && !mustConfirm(dialogue, open, value, statement)) record(dialogue, open, value);
  const isUnconfirmed = dialogue.unconfirmed.has(open);
  if (isUnconfirmed) return sayAndAsk(dialogue, "");
  if (question !== undefined && asksForChoices(open, question)) return sayAndAsk(dialogue, "");
  if (question !== undefined) {
    if (value !== undefined) goOn(dialogue);
    return askBack(dialogue, question);
  }
  if (value !== undefined) return goOn(dialogue);
  if (!mayAnswer) return sayAndAsk(dialogue, "");
  if (askForRest(dialogue, open)) return;
  hearOther(dialogue, text, volunteered);
}

/** Keeps a value that the person has to confirm first. Returns false for one that can be stored at once. */
function mustConfirm(dialogue: Dialogue, item: Item, value: unknown, said: string): boolean {
  if (!needsReadBack(item.field, value, said, dialogue.lexicon)) return false;
  dialogue.unconfirmed.set(item, value);
  return true;
}

/**
 * Processes the reply to a value that was read back: a yes or the same value stores it, another value is read back
 * anew, and after a second no the question stays open. Returns false for a reply that is none of these.
 */
export function hearConfirmation(dialogue: Dialogue, text: string): boolean {
  const { lexicon, calendar, unconfirmed, items } = dialogue;
  const open = items[dialogue.at];
  if (dialogue.phase !== "ASKING" || !open || !unconfirmed.has(open)) return false;
  const held = unconfirmed.get(open);
  const isYes = parseYesNo(text, lexicon);
  const patched = typeof held === "string" && open.field.kind === "PHONE" ? patchPhone(held, text, lexicon) : undefined;
  const heard =
    patched ?? (isBareYesNo(text, lexicon) ? undefined : understandAnswer(open.field, text, lexicon, calendar));
  const isOther = heard !== undefined && !isSame(heard, held) && isValue(open, text, isYes);
  if (!isOther && (isYes === true || isSame(heard, held) || AGREED.test(text))) {
    takeMore(dialogue, text, open);
    record(dialogue, open, held);
    goOn(dialogue);
    return true;
  }
  if (!isOther && isYes !== false) return false;
  unconfirmed.delete(open);
  if (++dialogue.misses > MAX_REFUSED) goOn(dialogue);
  else {
    if (isOther) unconfirmed.set(open, heard);
    sayAndAsk(dialogue, isOther ? "" : lexicon.phrases.notUnderstood);
  }
  return true;
}

const MAX_REFUSED = 3;
const AGREED =
  /^(?:that(?:'s| is) (?:the one|it|me|mine|him|her|right)|you(?:'ve)? got it|perfect|spot on|passt|perfekt|eso es|perfecto|c'est (?:ça|bien ça)|parfait|det stämmer|perfekt)/i;

function isSame(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): string => JSON.stringify(value)?.toLowerCase() ?? "";
  return a !== undefined && plain(a) === plain(b);
}

/** True when a reply gives a value; a free text takes any words, so a yes or a remark is none. */
function isValue({ field }: Item, text: string, isYes: boolean | undefined): boolean {
  return field.kind !== "TEXT" || (isYes === undefined && !AGREED.test(text)) || spelledWord(text) !== undefined;
}

/** Stores what a text states besides its question. Returns true when that was the last answer. */
export function takeStatement(dialogue: Dialogue, text: string): boolean {
  const open = dialogue.items[dialogue.at] as Item;
  const { statement } = partsFor(dialogue, open, text);
  const value = statement === "" || open.field.kind === "TEXT" ? undefined : readAnswer(dialogue, open, statement);
  if (value === undefined || mustConfirm(dialogue, open, value, statement)) return false;
  takeMore(dialogue, statement, open);
  record(dialogue, open, value);
  goOn(dialogue);
  return dialogue.phase === "ENDED";
}

/** Stores a question of the person that has to be looked up. */
export function askBack(dialogue: Dialogue, question: string): void {
  resume(dialogue, dialogue.lexicon.phrases.cannotAnswer);
  dialogue.question = question;
}

/** True for "What sizes do you have?", which the open question answers because it names them. */
function asksForChoices({ field }: Item, question: string): boolean {
  if (field.choices.length === 0) return false;
  const asked = [...stemsOf(question)];
  const named = [...stemsOf(`${field.path.join(" ")} ${field.about}`)];
  return named.some((stem) => asked.some((other) => other.startsWith(stem) || stem.startsWith(other)));
}

function partsFor(dialogue: Dialogue, open: Item, text: string): Parts {
  const { lexicon, calendar } = dialogue;
  const takesWords = (open.field.kind === "TEXT" && !open.field.isName) || open.field.kind === "LIST";
  const isTyped = !takesWords && open.field.kind !== "TEXT" && open.field.kind !== "BOOLEAN";
  return splitQuestion(text, lexicon, {
    mayBeUnmarked: !takesWords,
    answers: (sentence) => isTyped && understandAnswer(open.field, sentence, lexicon, calendar) !== undefined,
  });
}

function readAnswer(dialogue: Dialogue, { field }: Item, text: string): unknown {
  const { lexicon, calendar, half } = dialogue;
  const value = understandAnswer(field, text, lexicon, calendar);
  if (value !== undefined || field.kind !== "DATE_TIME") return value;
  half.date = parseDate(text, lexicon, calendar) ?? half.date;
  half.time = parseTime(text, lexicon, field.hours) ?? half.time;
  const moment = joinDateTime(half.date, half.time, calendar);
  return moment !== undefined && field.accepts(moment) ? moment : undefined;
}

/** Asks for the missing half of a day and a time. */
function askForRest(dialogue: Dialogue, { field }: Item): boolean {
  const { half, lexicon } = dialogue;
  if (field.kind !== "DATE_TIME" || (half.date === undefined) === (half.time === undefined)) return false;
  if (++dialogue.misses > MAX_HALVES) return false;
  dialogue.lead = half.time === undefined ? lexicon.phrases.andTime : lexicon.phrases.andDay;
  dialogue.asks = false;
  return true;
}

const MAX_HALVES = 2;

/**
 * Stores answers to questions that were not asked yet and returns their number. `open` has used its part of the text.
 */
export function takeMore(dialogue: Dialogue, text: string, open: Item | undefined): number {
  const asked = dialogue.items[dialogue.at];
  if (asked && dialogue.phase === "ASKING" && takesAll(asked.field)) return 0;
  const taken = new Set(open ? takenBy(open.field) : []);
  // One word chooses for one question: the same choices of a later one are asked about there.
  const offered = new Set(open ? choicesOf(open) : []);
  let count = 0;
  for (const item of [...dialogue.items, ...dialogue.others]) {
    const kinds = takenBy(item.field);
    const isTaken = kinds.some((kind) => taken.has(kind)) && !isOfRange(item.field, text, dialogue.lexicon);
    if (item === open || dialogue.answers.has(item) || isTaken) continue;
    if (choicesOf(item).some((choice) => offered.has(choice))) continue;
    const value = readVolunteered(item.field, text, dialogue.lexicon, dialogue.calendar);
    if (value === undefined) continue;
    if (!mustConfirm(dialogue, item, value, text)) dialogue.answers.set(item, value);
    for (const kind of kinds) taken.add(kind);
    for (const choice of choicesOf(item)) offered.add(choice);
    count++;
  }
  return count;
}

function choicesOf({ field }: Item): string[] {
  return field.choices.map(({ spoken }) => spoken.toLowerCase());
}

/** True for a field of free words, which may contain anything. */
function takesAll(field: Field): boolean {
  return (field.kind === "TEXT" && !field.isName) || field.kind === "LIST";
}

function hearOther(dialogue: Dialogue, text: string, volunteered: number): void {
  const { lexicon } = dialogue;
  if (volunteered > 0) {
    const open = dialogue.items[dialogue.at] as Item;
    return dialogue.answers.has(open) ? goOn(dialogue) : sayAndAsk(dialogue, lexicon.phrases.acknowledgements[0]);
  }
  const weak = lexicon.weakCorrection.exec(text);
  if (weak && replaceAny(dialogue, text.slice(weak.index + weak[0].length)))
    return sayAndAsk(dialogue, lexicon.phrases.corrected);
  // "No" to a question for something is an answer: there is none.
  if (saysNothing(text, lexicon)) return goOn(dialogue);
  if (isBareYesNo(text, lexicon) && parseYesNo(text, lexicon) === false) return goOn(dialogue);
  if (++dialogue.misses > 1) return goOn(dialogue);
  sayAndAsk(dialogue, text.endsWith("?") ? lexicon.phrases.cannotAnswer : lexicon.phrases.notUnderstood);
}
