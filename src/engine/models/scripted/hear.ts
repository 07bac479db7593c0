import { introduce, nameTopic } from "./briefing.ts";
import {
  type Dialogue,
  finish,
  goOn,
  type Item,
  join,
  openQuestion,
  pause,
  resume,
  sayAndAsk,
  toSpeech,
} from "./dialogue.ts";
import type { Field } from "./fields.ts";
import { askBack, hearAnswer, hearConfirmation, takeStatement } from "./hear-answer.ts";
import { callLater, hearCallbackTime, hearOffer } from "./hear-callback.ts";
import { hearCorrection, replaceAny, takeCorrections } from "./hear-correction.ts";
import { hearOpening } from "./hear-opening.ts";
import type { Intent, Lexicon } from "./lexicon-shape.ts";
import { detectLanguage, wantedLanguage } from "./lexicon.ts";
import { fill } from "./questions.ts";
import { understandAnswer } from "./understand/answer.ts";
import { isCodeField, readCode } from "./understand/code.ts";
import { dropFillers, findIntent, isBareHello, isBareYesNo } from "./understand/intent.ts";
import { splitQuestion } from "./understand/question.ts";
import { hasYesNo, parseYesNo } from "./understand/yes-no.ts";
import { normalise, toTokens, wholeWords } from "./words.ts";

/** Share of a question that the person must have heard before a plain "yes", or any words, answers it. */
const HEARD_ENOUGH = 0.4;

/** Processes one utterance of the person and decides what to say next. */
export function hear(dialogue: Dialogue, utterance: string): void {
  const heardEnough = hasHeardEnough(dialogue);
  const { lexicon, callback, wasOffered } = dialogue;
  const wasCheckedOn = lexicon.stillThere.test(dialogue.heard.slice(-40));
  if (callback && dialogue.heard.includes(lexicon.phrases.callbackWhen)) callback.wasAsked = true;
  Object.assign(dialogue, {
    question: undefined,
    wasOffered: false,
    updates: [],
    leadWasSaid: false,
    isUnconfirmed: false,
  });
  const text = normalise(utterance);
  dialogue.lexicon = detectLanguage(text, dialogue.lexicon);
  const optsOut = findIntent(text, dialogue.lexicon) === "OPT_OUT";
  if (callback?.wasAsked && !callback.isSettled && !optsOut) hearCallbackTime(dialogue, text);
  else if (dialogue.phase === "ENDED") hearAfterEnd(dialogue, text);
  else if (wasOffered && !optsOut && hearOffer(dialogue, text)) return;
  else if (dialogue.phase === "ASKING" && isBack(dialogue, text, wasCheckedOn)) sayAndAsk(dialogue, "");
  else if (!optsOut && hearConfirmation(dialogue, text)) return;
  else if (speakOther(dialogue, text)) return;
  else if (dialogue.phase === "ASKING" && !optsOut) hearAsked(dialogue, text, heardEnough);
  else react(dialogue, text, heardEnough);
}

/** Processes a reply to a question: corrections of earlier answers first, then what is left of it. */
function hearAsked(dialogue: Dialogue, text: string, heardEnough: boolean): void {
  const { at } = dialogue;
  dialogue.stalled++;
  const rest = takeCorrections(dialogue, text);
  if (rest !== null || !hearCorrection(dialogue, text)) hearRest(dialogue, rest, text, heardEnough);
  // A question that stays open for that long is left open: nothing may loop.
  if (dialogue.phase === "ASKING" && dialogue.at === at && dialogue.stalled >= MOST_STALLED) goOn(dialogue);
}

/** `rest` is what corrections left of the text; null when there were none. */
function hearRest(dialogue: Dialogue, rest: string | null, text: string, heardEnough: boolean): void {
  const isAnswer = rest !== null && isBareYesNo(rest, dialogue.lexicon) && answerTo(dialogue, rest) !== undefined;
  if (rest !== null && !isAnswer && toTokens(rest).length <= 1) {
    sayAndAsk(dialogue, dialogue.lexicon.phrases.corrected);
    return;
  }
  react(dialogue, rest ?? text, heardEnough);
  if (rest !== null && dialogue.phase === "ASKING") dialogue.lead = dialogue.lexicon.phrases.corrected;
}

/** Turns of a person about one question, with all that they ask and wish besides. */
const MOST_STALLED = 6;

const MAX_WISH_WORDS = 12;

/** Switches the language after a request such as "Do you speak Spanish?" */
function speakOther(dialogue: Dialogue, text: string): boolean {
  const open = dialogue.phase === "ASKING" ? dialogue.items[dialogue.at]?.field : undefined;
  const isFreeText = open?.kind === "TEXT" || open?.kind === "LIST";
  if (isFreeText || toTokens(text).length > MAX_WISH_WORDS) return false;
  const wanted = wantedLanguage(text, dialogue.lexicon);
  if (!wanted || (open?.kind === "CHOICE" && answerTo(dialogue, text) !== undefined)) return false;
  const isOther = wanted !== dialogue.lexicon;
  dialogue.lexicon = wanted;
  resume(dialogue, isOther ? wanted.phrases.acknowledgements[2] : "");
  return true;
}

function hasHeardEnough(dialogue: Dialogue): boolean {
  if (dialogue.phase !== "ASKING") return true;
  const question = openQuestion(dialogue);
  const wanted = question === "" ? toSpeech(dialogue) : question;
  if (question === "") return dialogue.heard.length >= wanted.length * HEARD_ENOUGH;
  return dialogue.heard.includes(wanted.slice(0, Math.ceil(wanted.length * HEARD_ENOUGH)));
}

/** True for "Hello?", "I'm here" and "I'm back": the person is there, but has not answered. */
function isBack({ lexicon, heard }: Dialogue, text: string, wasCheckedOn: boolean): boolean {
  const hadWaited = heard.includes(lexicon.phrases.takeYourTime) || wasCheckedOn;
  return isBareHello(text) || (wasCheckedOn && lexicon.hereIAm.test(text)) || (hadWaited && lexicon.amBack.test(text));
}

function react(dialogue: Dialogue, utterance: string, heardEnough: boolean): void {
  const { lexicon } = dialogue;
  let text = utterance;
  let intent = deniesName(dialogue, text) ? "WRONG_PERSON" : findIntent(text, lexicon);
  if (intent === "HOLD" && (dialogue.phase !== "ASKING" || answerTo(dialogue, text) === undefined)) {
    const rest = dropFillers(text, lexicon);
    if (rest !== text && !isMereCourtesy(dialogue, rest)) {
      text = rest;
      intent = findIntent(rest, lexicon);
    }
  }
  if (intent && !isAnswerAllTheSame(dialogue, intent, text)) return INTENTS[intent](dialogue, text);
  if (dialogue.phase === "OPENING") hearOpening(dialogue, text);
  else if (dialogue.phase === "CHATTING") hearChat(dialogue, text);
  else hearAnswer(dialogue, text, heardEnough);
}

const MAX_DENIAL_WORDS = 6;

/** True for "I'm not Anna" in reply to a question for Anna. */
function deniesName({ briefing, lexicon, items, at, phase }: Dialogue, text: string): boolean {
  const { contactName } = briefing.known;
  const words = toTokens(text);
  if (typeof contactName !== "string" || words.length > MAX_DENIAL_WORDS) return false;
  if (phase === "ASKING" && items[at]?.field.isName) return false;
  const names = toTokens(contactName);
  const named = words.findIndex((word) => names.includes(word));
  return named > 0 && lexicon.denials.test(words.slice(0, named).join(" "));
}

/**
 * Processes an utterance when there is nothing to ask: a question is looked up, anything else ends the conversation.
 */
function hearChat(dialogue: Dialogue, text: string): void {
  const { question } = splitQuestion(text, dialogue.lexicon, { mayBeUnmarked: true, answers: () => false });
  if (question === undefined) finish(dialogue, "COMPLETED", dialogue.lexicon.phrases.chatGoodbye);
  else askBack(dialogue, question);
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
  if (!open || open.field.kind === "LIST") return undefined;
  if (open.field.kind === "TEXT") return longCodeIn(open.field, text, dialogue.lexicon);
  return understandAnswer(open.field, text, dialogue.lexicon, dialogue.calendar);
}

/** Returns a code of several digits, which no words around it hide: "hang on, it's on the letter, four four one seven". */
function longCodeIn(field: Field, text: string, lexicon: Lexicon): string | undefined {
  const code = isCodeField(field) ? readCode(field, text, lexicon) : undefined;
  return code !== undefined && /\d\D?\d\D?\d/.test(code) ? code : undefined;
}

/** True when a clause beside the one with an intent answers the question: "I can't say for sure, so put me down as a maybe". */
function isAnsweredBeside(dialogue: Dialogue, intent: Intent, text: string, { field }: Item): boolean {
  if (field.kind === "LIST" || (field.kind === "TEXT" && intent !== "CALLBACK")) return false;
  const { lexicon } = dialogue;
  if (field.choices.some(({ spoken }) => toTokens(text).join(" ").includes(toTokens(spoken).join(" ")))) return true;
  if (intent === "CALLBACK" && ASKS_CALL.test(text)) return false;
  const others = text.split(BESIDE).filter((clause) => !lexicon.intents[intent as "CALLBACK"].test(clause));
  const rest = others.join(", ");
  if (rest === "" || answerTo(dialogue, rest) === undefined) return false;
  return field.kind !== "BOOLEAN" || hasYesNo(rest, lexicon);
}

const BESIDE = /[,.;!–—]+\s+|\s(?=(?:but|so|aber|also|pero|así que|mais|donc|alors|men|så)\s)/iu;
/** Asks for a call in so many words. */
const ASKS_CALL = wholeWords(
  "(?:call|ring|phone|try|reach) (?:me|us|again|back|later)|call ?back|(?:ruf|rufen|melde[nt]?)(?: \\p{L}+){0,4}|anrufen|zurückrufen|rückruf|ll[aá]m\\p{L}+|vuelv\\p{L}+ a llamar|rappel\\p{L}*|rappell\\p{L}*|ring\\p{L}*|återkom\\p{L}*",
);

/**
 * True when the utterance answers the open question in spite of its intent: "Yes, go ahead", or a date with a "sorry"
 * or a "bye" around it.
 */
function isAnswerAllTheSame(dialogue: Dialogue, intent: Intent, text: string): boolean {
  const open = dialogue.phase === "ASKING" ? dialogue.items[dialogue.at] : undefined;
  if (!open) return false;
  if (intent === "CALLBACK" && open.field.isForCallback) return true;
  if (intent === "CALLBACK" || intent === "DONT_KNOW") return isAnsweredBeside(dialogue, intent, text, open);
  if (intent === "NOT_INTERESTED") {
    // "No, I'm not interested" answers only the question for an interest.
    const isOther = INTEREST.test(text) && !INTEREST.test(open.field.about);
    return !isOther && open.field.kind === "BOOLEAN" && parseYesNo(text, dialogue.lexicon) !== undefined;
  }
  if (!["HOLD", "REPEAT", "GO_ON", "GOODBYE"].includes(intent)) return false;
  if (open.field.kind === "BOOLEAN") {
    const isGoOn = intent === "GO_ON" && hasYesNo(text, dialogue.lexicon);
    return isGoOn || isBareYesNo(text.split(/[,.!;]/)[0] ?? "", dialogue.lexicon);
  }
  return answerTo(dialogue, text) !== undefined;
}

const INTEREST = /interest|interes|intérêt|intéress|intress/i;

const INTENTS: Record<Intent, (dialogue: Dialogue, text: string) => void> = {
  OPT_OUT: (d) => finish(d, "OPTED_OUT", d.lexicon.phrases.optOut),
  WRONG_PERSON: (d) => finish(d, "WRONG_PERSON", d.lexicon.phrases.wrongPerson),
  HUMAN: (d) => finish(d, "HUMAN", d.lexicon.phrases.human),
  CALLBACK: callLater,
  NOT_INTERESTED: (d) => finish(d, "DECLINED", d.lexicon.phrases.declined),
  GOODBYE: (d) => finish(d, "DECLINED", d.lexicon.phrases.declined),
  ROBOT: (d, text) => explain(d, text, whoWeAre(d)),
  WHO: (d, text) => explain(d, text, whoWeAre(d)),
  WHY: (d, text) => explain(d, text, nameTopic(d.briefing, d.lexicon) || whoWeAre(d)),
  SOURCE: (d, text) => explain(d, text, d.lexicon.phrases.source),
  HOW_LONG: (d, text) => explain(d, text, undefined),
  SCREENING: (d) => pause(d, join(whoWeAre(d), nameTopic(d.briefing, d.lexicon))),
  HOLD: (d) => pause(d, d.lexicon.phrases.takeYourTime),
  REPEAT: (d) => (d.phase === "ASKING" ? sayAndAsk(d, "") : pause(d, d.heard || whoWeAre(d))),
  GO_ON: (d) => sayAndAsk(d, ""),
  DONT_KNOW: (d, text) => {
    if (d.phase === "ASKING") goOn(d);
    else if (d.phase === "CHATTING") hearChat(d, text);
    else sayAndAsk(d, "");
  },
};

/** Answers a question about the call itself; an answer in the same utterance is stored. */
function explain(dialogue: Dialogue, text: string, reported: string | undefined): void {
  const isLast = dialogue.phase === "ASKING" && takeStatement(dialogue, text);
  const words = reported ?? howLong(dialogue);
  if (isLast) finish(dialogue, "COMPLETED", join(words, dialogue.lexicon.phrases.goodbye));
  else sayAndAsk(dialogue, words);
}

function whoWeAre(dialogue: Dialogue): string {
  const sentence = introduce(dialogue.briefing, dialogue.lexicon);
  return (sentence[0] ?? "").toUpperCase() + sentence.slice(1);
}

function howLong(dialogue: Dialogue): string {
  const { phrases } = dialogue.lexicon;
  const left = dialogue.items.slice(dialogue.at).filter((item) => !dialogue.answers.has(item)).length;
  return left <= 1 ? phrases.oneLeft : fill(phrases.someLeft, { count: String(left) });
}

function hearAfterEnd(dialogue: Dialogue, text: string): void {
  const { phrases, explicitCorrection, weakCorrection } = dialogue.lexicon;
  if (findIntent(text, dialogue.lexicon) === "OPT_OUT") return finish(dialogue, "OPTED_OUT", phrases.optOut);
  const marker = explicitCorrection.exec(text) ?? weakCorrection.exec(text);
  const corrected = marker !== null && replaceAny(dialogue, text.slice(marker.index + marker[0].length));
  const { question } = splitQuestion(text, dialogue.lexicon, { mayBeUnmarked: true, answers: () => corrected });
  if (question !== undefined && !corrected) return askBack(dialogue, question);
  finish(
    dialogue,
    dialogue.end ?? "COMPLETED",
    corrected ? `${phrases.corrected} ${phrases.chatGoodbye}` : phrases.chatGoodbye,
  );
}
