import { accept, askFirst, type Dialogue, finish, type Item, pause } from "./dialogue.ts";
import { askBack, takeMore } from "./hear-answer.ts";
import { understandAnswer } from "./understand/answer.ts";
import { splitQuestion } from "./understand/question.ts";
import { parseYesNo } from "./understand/yes-no.ts";
import { toTokens } from "./words.ts";

/** Processes the first reaction: an answer to the opening line's question, a question, or a greeting. */
export function hearOpening(dialogue: Dialogue, text: string): void {
  const { lexicon } = dialogue;
  const { statement, question } = splitQuestion(text, lexicon, { mayBeUnmarked: true, answers: () => false });
  const isAboutMore = question !== undefined && toTokens(question).length > MAX_GREETING_WORDS;
  if (dialogue.items.length === 0) {
    dialogue.phase = "CHATTING";
    return isAboutMore ? askBack(dialogue, question) : pause(dialogue, lexicon.phrases.chatAnswer);
  }
  if (answerOpening(dialogue, text)) return;
  // "Can you put me down for Tuesday at ten?" asks for what the call is about.
  const isProposal = question !== undefined && lexicon.proposal.test(question);
  const said = isProposal ? text : statement;
  const taken = said === "" ? 0 : takeMore(dialogue, said, undefined);
  askFirst(dialogue, "");
  if (isAboutMore && !(isProposal && taken > 0)) askBack(dialogue, question);
}

/** Longest question, in words, that still counts as a greeting: "Yes, who is it?" */
const MAX_GREETING_WORDS = 3;
const MAX_SHORT_WORDS = 6;

/**
 * Processes an answer to the question in the opening line: the first field, or whether this is the right person or
 * time. Returns false when the text answers none.
 */
function answerOpening(dialogue: Dialogue, text: string): boolean {
  const { lexicon, calendar, heard } = dialogue;
  const asked = heard.includes("?")
    ? (heard
        .slice(0, heard.lastIndexOf("?"))
        .split(/[.!]\s/)
        .at(-1) ?? "")
    : "";
  const first = dialogue.items[0] as Item;
  if (asked === "") return false;
  if (asksFor(asked, first)) {
    const value = understandAnswer(first.field, text, lexicon, calendar);
    if (value === undefined) return false;
    takeMore(dialogue, text, first);
    accept(dialogue, first, value);
    return true;
  }
  if (toTokens(text).length > MAX_SHORT_WORDS || parseYesNo(text, lexicon) !== false) return false;
  if (lexicon.asksForTime.test(asked)) finish(dialogue, "DECLINED", lexicon.phrases.declined);
  else if (lexicon.asksIdentity.test(asked)) finish(dialogue, "WRONG_PERSON", lexicon.phrases.wrongPerson);
  else return false;
  return true;
}

/** True when an opening line already asks the first question: it shares two of its longer words. */
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
