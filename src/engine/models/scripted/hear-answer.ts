import { type Dialogue, goOn, type Item, record, resume, sayAndAsk } from "./dialogue.ts";
import type { Field } from "./fields.ts";
import { replaceAny } from "./hear-correction.ts";
import { joinDateTime, understandAnswer } from "./understand/answer.ts";
import { saysNothing } from "./understand/choice.ts";
import { parseDate } from "./understand/date.ts";
import { isBareYesNo, parseYesNo } from "./understand/intent.ts";
import { splitQuestion, type Parts } from "./understand/question.ts";
import { parseTime } from "./understand/time.ts";
import { readVolunteered, takenBy } from "./understand/volunteered.ts";
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
  if (value !== undefined) record(dialogue, open, value);
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

/** Stores what a text states besides its question. Returns true when that was the last answer. */
export function takeStatement(dialogue: Dialogue, text: string): boolean {
  const open = dialogue.items[dialogue.at] as Item;
  const { statement } = partsFor(dialogue, open, text);
  const value = statement === "" || open.field.kind === "TEXT" ? undefined : readAnswer(dialogue, open, statement);
  if (value === undefined) return false;
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
  half.time = parseTime(text, lexicon) ?? half.time;
  const moment = joinDateTime(half.date, half.time);
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
  const taken = new Set(open ? takenBy(open.field.kind) : []);
  // One word chooses for one question: the same choices of a later one are asked about there.
  const offered = new Set(open ? choicesOf(open) : []);
  let count = 0;
  for (const item of [...dialogue.items, ...dialogue.others]) {
    const kinds = takenBy(item.field.kind);
    if (item === open || dialogue.answers.has(item) || kinds.some((kind) => taken.has(kind))) continue;
    if (choicesOf(item).some((choice) => offered.has(choice))) continue;
    const value = readVolunteered(item.field, text, dialogue.lexicon, dialogue.calendar);
    if (value === undefined) continue;
    dialogue.answers.set(item, value);
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
