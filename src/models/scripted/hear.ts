import { introduce, nameTopic } from "./briefing.ts";
import { accept, type Dialogue, finish, goOn, type Item, sayAndAsk, toSpeech } from "./dialogue.ts";
import { hearCorrection, replaceLast } from "./hear-correction.ts";
import type { Intent } from "./lexicon-shape.ts";
import { detectLanguage } from "./lexicon.ts";
import { fill } from "./questions.ts";
import { joinDateTime, understandAnswer } from "./understand/answer.ts";
import { parseDate } from "./understand/date.ts";
import { dropFillers, findIntent, isBareHello, isBareYesNo, parseYesNo } from "./understand/intent.ts";
import { parseTime } from "./understand/time.ts";
import { normalise, toTokens } from "./words.ts";

/** So much of a question must have been heard for a plain "yes", or any words, to answer it. */
const HEARD_ENOUGH = 0.4;

/** Takes in one utterance of the person and settles what to say next. */
export function hear(dialogue: Dialogue, utterance: string): void {
  const said = toSpeech(dialogue);
  const heardEnough = dialogue.phase !== "ASKING" || dialogue.heard.length >= said.length * HEARD_ENOUGH;
  const wasCheckedOn = dialogue.lexicon.stillThere.test(dialogue.heard.slice(-40));
  const text = normalise(utterance);
  dialogue.lexicon = detectLanguage(text, dialogue.lexicon);
  if (dialogue.phase === "ENDED") hearAfterEnd(dialogue, text);
  else if (wasCheckedOn && dialogue.phase === "ASKING" && dialogue.lexicon.hereIAm.test(text)) sayAndAsk(dialogue, "");
  else if (dialogue.phase === "ASKING" && isBareHello(text)) sayAndAsk(dialogue, "");
  else if (dialogue.phase === "ASKING" && hearCorrection(dialogue, text)) return;
  else react(dialogue, text, heardEnough);
}

function react(dialogue: Dialogue, utterance: string, heardEnough: boolean): void {
  const { lexicon } = dialogue;
  let text = utterance;
  let intent = findIntent(text, lexicon);
  if (intent === "HOLD") {
    const rest = dropFillers(text, lexicon);
    if (rest !== text && !isMereCourtesy(dialogue, rest)) {
      text = rest;
      intent = findIntent(rest, lexicon);
    }
  }
  if (intent && !isAnswerAllTheSame(dialogue, intent, text)) return INTENTS[intent](dialogue, text);
  if (dialogue.phase === "OPENING") hearOpening(dialogue, text);
  else if (dialogue.phase === "CHATTING") finish(dialogue, "COMPLETED", lexicon.phrases.chatGoodbye);
  else hearAnswer(dialogue, text, heardEnough);
}

function isMereCourtesy(dialogue: Dialogue, rest: string): boolean {
  return (
    toTokens(rest).length <= 3 &&
    parseYesNo(rest, dialogue.lexicon) === undefined &&
    answerTo(dialogue, rest) === undefined
  );
}

function answerTo(dialogue: Dialogue, text: string): unknown {
  const open = dialogue.items[dialogue.at];
  if (!open || open.field.kind === "TEXT" || open.field.kind === "LIST") return undefined;
  return understandAnswer(open.field, text, dialogue.lexicon, dialogue.calendar);
}

/** "Yes, go ahead" answers a question, and so does a date with a "sorry" or a "bye" around it. */
function isAnswerAllTheSame(dialogue: Dialogue, intent: Intent, text: string): boolean {
  const open = dialogue.phase === "ASKING" ? dialogue.items[dialogue.at] : undefined;
  if (!open) return false;
  if (intent === "CALLBACK") return open.field.isForCallback;
  if (intent === "NOT_INTERESTED") return open.field.kind === "BOOLEAN";
  if (!["HOLD", "REPEAT", "GO_ON", "GOODBYE"].includes(intent)) return false;
  if (open.field.kind === "BOOLEAN") return isBareYesNo(text.split(/[,.!;]/)[0] ?? "", dialogue.lexicon);
  return answerTo(dialogue, text) !== undefined;
}

const INTENTS: Record<Intent, (dialogue: Dialogue, text: string) => void> = {
  OPT_OUT: (d) => finish(d, "OPTED_OUT", d.lexicon.phrases.optOut),
  WRONG_PERSON: (d) => finish(d, "WRONG_PERSON", d.lexicon.phrases.wrongPerson),
  HUMAN: (d) => finish(d, "HUMAN", d.lexicon.phrases.human),
  CALLBACK: callLater,
  NOT_INTERESTED: (d) => finish(d, "DECLINED", d.lexicon.phrases.declined),
  GOODBYE: (d) => finish(d, "DECLINED", d.lexicon.phrases.declined),
  ROBOT: (d) => sayAndAsk(d, capitalised(introduce(d.briefing, d.lexicon))),
  WHO: (d) => sayAndAsk(d, capitalised(introduce(d.briefing, d.lexicon))),
  WHY: (d) => sayAndAsk(d, nameTopic(d.briefing, d.lexicon) || capitalised(introduce(d.briefing, d.lexicon))),
  SOURCE: (d) => sayAndAsk(d, d.lexicon.phrases.source),
  HOW_LONG: (d) => sayAndAsk(d, howLong(d)),
  SCREENING: (d) =>
    pause(d, `${capitalised(introduce(d.briefing, d.lexicon))} ${nameTopic(d.briefing, d.lexicon)}`.trim()),
  HOLD: (d) => pause(d, d.lexicon.phrases.takeYourTime),
  REPEAT: (d) =>
    d.phase === "ASKING" ? sayAndAsk(d, "") : pause(d, d.heard || capitalised(introduce(d.briefing, d.lexicon))),
  GO_ON: (d) => sayAndAsk(d, ""),
  DONT_KNOW: (d) => (d.phase === "ASKING" ? goOn(d) : sayAndAsk(d, "")),
};

/** Says something and waits, without the open question. */
function pause(dialogue: Dialogue, lead: string): void {
  dialogue.lead = lead;
  dialogue.asks = false;
}

function howLong(dialogue: Dialogue): string {
  const { phrases } = dialogue.lexicon;
  const left = dialogue.items.length - dialogue.at;
  return left <= 1 ? phrases.oneLeft : fill(phrases.someLeft, { count: String(left) });
}

function capitalised(sentence: string): string {
  return (sentence[0] ?? "").toUpperCase() + sentence.slice(1);
}

function callLater(dialogue: Dialogue, text: string): void {
  const { lexicon, calendar } = dialogue;
  const date = parseDate(text, lexicon, calendar);
  const time = parseTime(text, lexicon);
  for (const item of dialogue.callbackItems) {
    const value =
      item.field.kind === "TEXT" ? timeInWords(text, date, time) : callbackValue(dialogue, item, text, date, time);
    if (value !== undefined) dialogue.answers.set(item, value);
  }
  finish(dialogue, "CALLBACK", lexicon.phrases.callback);
}

function callbackValue(
  dialogue: Dialogue,
  item: Item,
  text: string,
  date: string | undefined,
  time: string | undefined,
): unknown {
  // "Call me at five" means today.
  if (item.field.kind === "DATE_TIME") return joinDateTime(date ?? dialogue.calendar.today, time);
  return item.field.choices.length > 0 || date !== undefined || time !== undefined
    ? understandAnswer(item.field, text, dialogue.lexicon, dialogue.calendar)
    : undefined;
}

function timeInWords(text: string, date: string | undefined, time: string | undefined): string {
  return date === undefined && time === undefined ? text : [date, time].filter((part) => part !== undefined).join(" ");
}

function hearOpening(dialogue: Dialogue, text: string): void {
  const { lexicon, heard } = dialogue;
  if (dialogue.items.length === 0) {
    dialogue.phase = "CHATTING";
    return pause(dialogue, lexicon.phrases.chatAnswer);
  }
  const asked = heard.includes("?")
    ? (heard
        .slice(0, heard.lastIndexOf("?"))
        .split(/[.!]\s/)
        .at(-1) ?? "")
    : "";
  const first = dialogue.items[0] as Item;
  if (asked !== "" && asksFor(asked, first)) {
    const value = understandAnswer(first.field, text, lexicon, dialogue.calendar);
    if (value !== undefined) return accept(dialogue, first, value);
  } else if (asked !== "" && toTokens(text).length <= 6 && parseYesNo(text, lexicon) === false) {
    if (lexicon.asksForTime.test(asked)) return finish(dialogue, "DECLINED", lexicon.phrases.declined);
    if (lexicon.asksIdentity.test(asked)) return finish(dialogue, "WRONG_PERSON", lexicon.phrases.wrongPerson);
  }
  sayAndAsk(dialogue, "");
}

/** Whether an opening line already asks the first question: two of its longer words are in it. */
function asksFor(asked: string, item: Item): boolean {
  const stems = (words: string): Set<string> =>
    new Set(
      toTokens(words)
        .filter((word) => word.length >= 4)
        .map((word) => word.slice(0, 5)),
    );
  const inQuestion = stems(asked);
  const shared = [...stems(`${item.field.about} ${item.field.path.join(" ")}`)].filter((stem) => inQuestion.has(stem));
  return shared.length >= 2;
}

function hearAnswer(dialogue: Dialogue, text: string, heardEnough: boolean): void {
  const { lexicon, calendar } = dialogue;
  const open = dialogue.items[dialogue.at] as Item;
  const takesAnything = ["TEXT", "LIST", "BOOLEAN"].includes(open.field.kind);
  if (takesAnything && !heardEnough) return sayAndAsk(dialogue, "");
  const value = understandAnswer(open.field, text, lexicon, calendar);
  if (value !== undefined) return accept(dialogue, open, value);
  const weak = lexicon.weakCorrection.exec(text);
  if (weak && replaceLast(dialogue, text.slice(weak.index + weak[0].length)))
    return sayAndAsk(dialogue, lexicon.phrases.corrected);
  // "No" to a question for something is an answer: there is nothing.
  if (isBareYesNo(text, lexicon) && parseYesNo(text, lexicon) === false) return goOn(dialogue);
  if (++dialogue.misses > 1) return goOn(dialogue);
  sayAndAsk(dialogue, text.endsWith("?") ? lexicon.phrases.cannotAnswer : lexicon.phrases.notUnderstood);
}

function hearAfterEnd(dialogue: Dialogue, text: string): void {
  const { phrases, explicitCorrection, weakCorrection, intents } = dialogue.lexicon;
  if (intents.OPT_OUT.test(text)) return finish(dialogue, "OPTED_OUT", phrases.optOut);
  const marker = explicitCorrection.exec(text) ?? weakCorrection.exec(text);
  const corrected = marker !== null && replaceLast(dialogue, text.slice(marker.index + marker[0].length));
  finish(
    dialogue,
    dialogue.end ?? "COMPLETED",
    corrected ? `${phrases.corrected} ${phrases.chatGoodbye}` : phrases.chatGoodbye,
  );
}
