import { fold } from "./fold.ts";
import type { OptOutLanguage, OptOutPhrases } from "./language.ts";
import { LANGUAGES } from "./languages/languages.ts";
import { rememberJudgements } from "./remember.ts";
import { scoreAnswer, scoreOptOut } from "./score.ts";
import type { OptOutVerdict } from "./verdict.ts";

/** The verdict on one utterance, and its language. */
export interface OptOutJudgement {
  verdict: OptOutVerdict;
  /** ISO 639-1; null where nothing was found. */
  language: string | null;
}

const NOTHING: OptOutJudgement = { verdict: "NONE", language: null };
const RANK: Record<OptOutVerdict, number> = { NONE: 0, UNCERTAIN: 1, CERTAIN: 2 };

/** The patterns of one language, compiled once. */
interface Patterns {
  code: string;
  plain: RegExp;
  forbidding: RegExp;
  innocent: RegExp;
  keeps: RegExp;
  limits: RegExp;
  limitsBefore: RegExp;
  instead: RegExp;
  bare: RegExp;
  keywords: ReadonlySet<string>;
  yes: RegExp;
  no: RegExp;
  phrases: OptOutPhrases;
}

/** Longest text, in characters, that is tried as a bare stop; a limit keeps the repetition in the pattern fast. */
const LONGEST_BARE = 60;

const toWords = (folded: string): string => folded.replaceAll(/[.,!? ]+/g, " ").trim();
const words = (source: string, flags = ""): RegExp => new RegExp(`(?<![a-z0-9])(?:${source})(?![a-z0-9])`, flags);
const anyOf = (sources: string[], flags = ""): RegExp => words(sources.join("|"), flags);

function compile(language: OptOutLanguage): Patterns {
  return {
    code: language.code,
    plain: anyOf(language.plain, "g"),
    forbidding: anyOf(language.forbidding, "g"),
    innocent: anyOf([...language.innocent, ...language.keeps], "g"),
    keeps: anyOf(language.keeps),
    // Only within the same part of the sentence, at most a few words away.
    limits: new RegExp(`^(?: [a-z0-9]+){0,3} (?:${language.limits})(?![a-z0-9])`),
    limitsBefore: new RegExp(`(?<![a-z0-9])(?:${language.limits})(?: [a-z0-9]+){0,2} ?$`),
    instead: words(language.instead),
    bare: new RegExp(`^(?:(?:${language.polite}) )*(?:${language.bare})(?: (?:${language.polite}|${language.bare}))*$`),
    keywords: new Set(language.keywords.split(" ")),
    yes: words(language.yes, "g"),
    no: words(language.no, "g"),
    phrases: language.phrases,
  };
}

/** "From today on", in all languages. */
const FROM_NOW =
  /(?<![a-z0-9])(?:(?:from|as of|starting) (?:today|now)(?: on)?|ab (?:heute|sofort|jetzt)|a partir de (?:hoy|ahora|hoje|agora)|desde (?:hoy|ahora)|a partir d ?(?:aujourd hui|maintenant)|a partir de maintenant|da (?:oggi|adesso|ora)(?: in poi)?|vanaf (?:vandaag|nu)|fran och med (?:i dag|idag|nu)|fra (?:i dag|idag|nu|na)(?: af| av)?|od (?:dzis|dzisiaj|teraz)|tasta lahtien|bugunden itibaren|ode? dneska?)(?![a-z0-9])/;

const PATTERNS: readonly Patterns[] = LANGUAGES.map(compile);
const BY_CODE = new Map(PATTERNS.map((patterns) => [patterns.code, patterns]));
/** Norwegian has two written forms, each with a code of its own. */
const WRITTEN_AS: Record<string, string> = { nb: "no", nn: "no" };

function findPatterns(language: string): Patterns | undefined {
  const code = language.slice(0, 2).toLowerCase();
  return BY_CODE.get(WRITTEN_AS[code] ?? code);
}

const ENGLISH = PATTERNS[0] as Patterns;

/**
 * Judges whether a person's utterance asks for no more contact, in every language at once; `usual` (BCP 47) wins a tie.
 * The patterns know plain words for it. What is learnt from sentences is weighed against them: it turns a listing that it
 * doubts into a question, asks about wordings that no pattern has, and lists nobody by itself.
 */
export const judgeOptOut = rememberJudgements((text, usual): OptOutJudgement => {
  const folded = fold(text);
  const found = judgeByPatterns(folded, usual);
  const verdict = weigh(found.verdict, folded);
  return verdict === "NONE" ? NOTHING : { verdict, language: found.language ?? guessLanguage(folded, usual) };
});

/** In so few words the patterns are not weighed: "I don't want any more calls from you" says what it means. */
const FEW_WORDS = 9;
/** Score from which an utterance is listed if the patterns are certain of it; below the other it is not even asked about. */
const LISTED_FROM = 0.65;
const DOUBTED_FROM = 0.1;
/** Score from which any other utterance is asked about. */
const ASKED_FROM = 0.33;

function weigh(found: OptOutVerdict, folded: string): OptOutVerdict {
  if (found === "CERTAIN" && countWords(folded) <= FEW_WORDS) return "CERTAIN";
  const score = scoreOptOut(folded, found);
  if (found !== "CERTAIN") return score >= ASKED_FROM ? "UNCERTAIN" : "NONE";
  if (score >= LISTED_FROM) return "CERTAIN";
  return score >= DOUBTED_FROM ? "UNCERTAIN" : "NONE";
}

/** Returns the number of words; what is said again counts once: "Don't call me. Don't call me!" */
function countWords(folded: string): number {
  return [...new Set(folded.split(/[.,!?] ?/))].join(" ").trim().split(" ").length;
}

/** Judges a folded utterance by the patterns alone. */
export function judgeByPatterns(folded: string, usual: string): OptOutJudgement {
  let best = NOTHING;
  const cues = countCues(folded);
  for (const patterns of inOrder(usual)) {
    if (!cues.has(patterns)) continue;
    const verdict = judgeIn(folded, patterns);
    if (RANK[verdict] > RANK[best.verdict]) best = { verdict, language: patterns.code };
    if (verdict === "CERTAIN") return best;
  }
  return best;
}

/** Cues by which another language must be ahead of the usual one: languages share words. */
const AHEAD = 2;

/** Returns the language of a text by its cues: the usual one, unless another is well ahead; null when neither is there. */
function guessLanguage(folded: string, usual: string): string | null {
  const cues = countCues(folded);
  const own = findPatterns(usual);
  const ownCues = own ? (cues.get(own) ?? 0) : 0;
  const [most] = [...cues].toSorted(([, one], [, other]) => other - one);
  if (most && most[1] >= ownCues + AHEAD) return most[0].code;
  return own && ownCues > 0 ? own.code : null;
}

const CUE_LETTERS = 4;
const BY_CUE = indexCues();

function indexCues(): Map<string, Patterns[]> {
  const index = new Map<string, Patterns[]>();
  for (const [i, { cues }] of LANGUAGES.entries()) {
    for (const cue of new Set(cues.split(" ").map((word) => word.slice(0, CUE_LETTERS)))) {
      index.set(cue, [...(index.get(cue) ?? []), PATTERNS[i] as Patterns]);
    }
  }
  return index;
}

/** Returns the languages of which the text contains cues, and how many. Most utterances contain none. */
function countCues(folded: string): ReadonlyMap<Patterns, number> {
  const counts = new Map<Patterns, number>();
  for (const word of folded.split(/[^a-z0-9]+/)) {
    for (const patterns of BY_CUE.get(word.slice(0, CUE_LETTERS)) ?? []) {
      counts.set(patterns, (counts.get(patterns) ?? 0) + 1);
    }
  }
  return counts;
}

function inOrder(usual: string): readonly Patterns[] {
  const own = findPatterns(usual);
  return own ? [own, ...PATTERNS.filter((patterns) => patterns !== own)] : PATTERNS;
}

function judgeIn(folded: string, patterns: Patterns): OptOutVerdict {
  if (folded.length <= LONGEST_BARE && patterns.bare.test(toWords(folded))) return "CERTAIN";
  const text = folded.replace(patterns.innocent, " ");
  let verdict: OptOutVerdict = "NONE";
  for (const { index, 0: found } of text.matchAll(patterns.plain)) {
    const rest = text.slice(index + found.length);
    // "On Sundays I don't want to be disturbed" limits it before.
    const isLimitedBefore = patterns.limitsBefore.test(text.slice(0, index)) && !FROM_NOW.test(text);
    if (!isLimitedBefore && !patterns.limits.test(rest) && !patterns.instead.test(rest)) return "CERTAIN";
    verdict = "UNCERTAIN";
  }
  for (const { index, 0: found } of text.matchAll(patterns.forbidding)) {
    const rest = text.slice(index + found.length);
    if (patterns.limits.test(rest)) continue;
    if (!patterns.instead.test(rest) && !patterns.limitsBefore.test(text.slice(0, index))) return "CERTAIN";
    verdict = "UNCERTAIN";
  }
  return verdict;
}

/** True when a whole message is a stop word of any language, as carriers define it for SMS and WhatsApp. */
export function isStopKeyword(text: string): boolean {
  const folded = fold(text).replaceAll(/[^a-z]/g, "");
  return PATTERNS.some(({ keywords }) => keywords.has(folded));
}

/** Scores of an answer, by what its words say, from which it is a wish for the end, and below which it is none. */
const ANSWERED: Record<"YES" | "NO" | "NEITHER", { endsFrom: number; goesOnBelow: number }> = {
  YES: { endsFrom: 0.4, goesOnBelow: 0.25 },
  NO: { endsFrom: 1, goesOnBelow: 0.6 },
  NEITHER: { endsFrom: 0.5, goesOnBelow: 0.2 },
};
/** In so few words a no is not weighed. */
const SHORT_NO = 4;

const NO = "(?:no|nope|nein|nee|non|nao|nej|nei|nie|ei|hayir|ne)";
const JUST =
  "(?:just|only|nur|bloss|solo|solamente|seulement|juste|soltanto|alleen|apenas|somente|bara|kun|bare|tylko|vain|sadece|jen|jenom|but|aber|pero|men|ale|mutta)";

/** Limits the wish to something else: "no, just unsubscribe me from the newsletter". */
const ONLY = new RegExp(`^${NO}(?: \\w+)?[.,!].*(?<![a-z0-9])${JUST}(?![a-z0-9])`);

/** A no by itself: "No, please call again" sounds like a wish for the end to what is learnt. */
const PLAIN_NO = new RegExp(`^${NO}[.,!]`);

/**
 * Reads the answer to the question whether contact should end: by its yes and no, weighed against what is learnt from
 * answers, since people also say "No, don't call me" and "Of course you can". Null when it is neither.
 */
export function readOptOutAnswer(text: string, language: string): boolean | null {
  const { verdict } = judgeOptOut(text, language);
  if (verdict === "CERTAIN") return true;
  const folded = fold(text);
  if (PATTERNS.some(({ keeps }) => keeps.test(folded))) return false;
  const said = readYesOrNo(folded, verdict, language);
  if (said === false && countWords(folded) <= SHORT_NO) return false;
  const { endsFrom, goesOnBelow } = ANSWERED[said === null ? "NEITHER" : said ? "YES" : "NO"];
  const score = scoreAnswer(folded, judgeByPatterns(folded, language).verdict);
  if (score >= endsFrom) return true;
  return score < goesOnBelow ? false : null;
}

/** Returns what the words of an answer say; the later one counts. Null when there is none, or a no beside the wish. */
function readYesOrNo(folded: string, verdict: OptOutVerdict, language: string): boolean | null {
  // The wish is said again, in words that hold a negation themselves: "I want nothing more from you".
  if (verdict === "UNCERTAIN" && !ONLY.test(folded)) return PLAIN_NO.test(folded) ? null : true;
  for (const patterns of inOrder(language)) {
    const yes = lastOf(folded, patterns.yes);
    const no = lastOf(folded, patterns.no);
    if (yes !== no) return yes > no;
  }
  return null;
}

function lastOf(text: string, pattern: RegExp): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}

/** Returns the phrases for a language (BCP 47 or ISO 639-1), in English where there are none. */
export function optOutPhrases(language: string): OptOutPhrases {
  return (findPatterns(language) ?? ENGLISH).phrases;
}

const QUESTIONS = new Map(PATTERNS.map(({ code, phrases }) => [phrases.ask, code]));

/** Returns the language of the question whether contact should end; null for any other text. */
export function languageOfQuestion(text: string): string | null {
  return QUESTIONS.get(text) ?? null;
}
