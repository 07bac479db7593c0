import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toSentences, toTokens } from "#src/engine/models/scripted/words.ts";

/** An utterance split into statement and question. */
export interface Parts {
  /** The stating part; empty when there is none. */
  statement: string;
  /** The asking part; undefined when there is none. */
  question: string | undefined;
}

/** Rules that separate a question from an answer. */
export interface QuestionRules {
  /** True when a question may lack its mark; false where any words are an answer. */
  mayBeUnmarked: boolean;
  /** True when a sentence gives the answer in the form of a question: "how about Friday?". */
  answers(sentence: string): boolean;
}

const MAX_QUESTION_CHARACTERS = 300;
const CLAUSE_START = /[,;:–-]\s+|\s(?=(?:but|and|aber|und|pero|y|mais|et|men|och)\s)/g;

/** Splits an utterance into what it states and what it asks. */
export function splitQuestion(text: string, lexicon: Lexicon, rules: QuestionRules): Parts {
  const statements: string[] = [];
  const questions: string[] = [];
  for (const sentence of toSentences(text)) {
    const at = questionAt(sentence, lexicon, rules);
    if (at > 0) statements.push(sentence.slice(0, at).replace(/[\s,;:–-]+$/, ""));
    if (at === -1) statements.push(sentence);
    else questions.push(sentence.slice(at).trim());
  }
  const question = questions.join(" ").slice(0, MAX_QUESTION_CHARACTERS);
  return { statement: statements.join(" "), question: question === "" ? undefined : question };
}

const SHORT_WORDS = 3;

/** Returns the index in a sentence at which its question begins; -1 when it asks nothing. */
function questionAt(sentence: string, lexicon: Lexicon, rules: QuestionRules): number {
  const isMarked = sentence.trimEnd().endsWith("?");
  if (!isMarked && !rules.mayBeUnmarked) return -1;
  if (isMarked && isProposal(sentence, lexicon) && rules.answers(sentence)) return -1;
  // "Why not?" asks nothing.
  if ([lexicon.yes, lexicon.no].some((words) => isPhraseAtStart(words.exec(sentence)))) return -1;
  if (startsQuestion(sentence, lexicon)) return 0;
  for (const mark of sentence.matchAll(CLAUSE_START)) {
    const at = mark.index + mark[0].length;
    if (startsQuestion(sentence.slice(at, at + MAX_QUESTION_CHARACTERS), lexicon)) return at;
  }
  if (!isMarked || rules.answers(sentence)) return -1;
  const begins = (words: RegExp): boolean => words.exec(sentence)?.index === 0;
  return begins(lexicon.yes) || begins(lexicon.no) ? -1 : 0;
}

function isPhraseAtStart(match: RegExpExecArray | null): boolean {
  return match?.index === 0 && match[0].includes(" ");
}

function isProposal(sentence: string, lexicon: Lexicon): boolean {
  return lexicon.proposal.test(sentence) || toTokens(sentence).length <= SHORT_WORDS;
}

/** "How nice that you call", which asks nothing. */
const EXCLAIMS =
  /^(?:(?:how|what an?|what) (?:nice|lovely|good|great|kind|funny|perfect|shame|pity|coincidence|luck|timing|surprise)|(?:wie|was) (?:schön|gut|nett|praktisch|für ein)|(?:qué) (?:bien|bueno|alegría|casualidad|suerte|oportun\p{L}*|pena)|(?:comme|que|quel(?:le)?) (?:c'est|bonne?|chance|coïncidence|plaisir|dommage)|(?:vad|så) (?:bra|kul|roligt|trevligt|snällt|skönt|synd|lägligt))(?!\p{L})/iu;

function startsQuestion(sentence: string, lexicon: Lexicon): boolean {
  const bare = sentence
    .slice(0, MAX_QUESTION_CHARACTERS)
    .replace(lexicon.questionLead, "")
    .replace(/^[¿¡\s]+/, "");
  return !EXCLAIMS.test(bare) && lexicon.questionStart.exec(bare)?.index === 0;
}
