import type { Intent, Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens } from "#src/engine/models/scripted/words.ts";
import { judgeOptOut } from "#src/engine/opt-out/judge.ts";

/** Order of the checks: a question whether one speaks to a human is not a request for one. */
const ORDER: Exclude<Intent, "OPT_OUT">[] = [
  "WRONG_PERSON",
  "ROBOT",
  "HUMAN",
  "SCREENING",
  "CALLBACK",
  "WHO",
  "WHY",
  "SOURCE",
  "HOW_LONG",
  "NOT_INTERESTED",
  "DONT_KNOW",
  "HOLD",
  "REPEAT",
  "GO_ON",
  "GOODBYE",
];
const BARE_PARDON =
  /^(?:sorry|what|huh|pardon(?: me)?|excuse me|perdone|perdón|cómo|mande|entschuldigung|wie|was|comment|quoi|förlåt|va|ursäkta)[?!. ]*$/i;

const BARE_HELLO = /^(?:hello|hallo|hola|diga|bueno|all[oô]|hallå)[?!. ]*$/i;

/** True for a "hello?" in the middle of a call, by which a person checks the line. */
export function isBareHello(text: string): boolean {
  return BARE_HELLO.test(text);
}

/** Words of an utterance that only tells us to go on: "we'd like to go on Sunday" does not. */
const LONGEST_GO_ON = 5;

/** Returns the intent of a person who does not answer; undefined when there is none. */
export function findIntent(text: string, lexicon: Lexicon): Intent | undefined {
  if (judgeOptOut(text, lexicon.code).verdict === "CERTAIN") return "OPT_OUT";
  if (BARE_PARDON.test(text)) return "REPEAT";
  const isLong = toTokens(text).length > LONGEST_GO_ON;
  return ORDER.find((intent) => lexicon.intents[intent].test(text) && !(intent === "GO_ON" && isLong));
}

/** Returns the text without the sentences that only ask to wait. */
export function dropFillers(text: string, lexicon: Lexicon): string {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => !lexicon.intents.HOLD.test(sentence)).join(" ");
}

/** True when the whole of a text is a yes or a no. */
export function isBareYesNo(text: string, lexicon: Lexicon): boolean {
  const tokens = toTokens(text);
  return tokens.length <= 3 && (lexicon.yes.exec(text)?.index === 0 || lexicon.no.exec(text)?.index === 0);
}
