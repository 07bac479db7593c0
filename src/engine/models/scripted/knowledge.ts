import { stemsOf, toSentences, wholeWords } from "./words.ts";

interface Passage {
  title: string;
  text: string;
  /** Share of the best passage's score, from 0 to 1. */
  score: number;
}

const MAX_PASSAGES = 5;
const MAX_ANSWER_CHARACTERS = 320;
/** A sentence shorter than this is said together with the next one. */
const SHORT_SENTENCE_CHARACTERS = 90;
/** Share of the question's words that an answer must have, with the title above it. */
const ENOUGH = 0.45;
/** Part of a sentence's weight that does not depend on the search. */
const OWN_WEIGHT = 0.6;

/**
 * Returns the sentence of the found passages that shares the most words with the question, where the search ranked its
 * passage high, with the next sentence when it is short. Undefined when nothing was found, or when no passage is about
 * the question: a name or a number of it that none of them has is not answered by something else.
 */
export function findAnswer(found: string, question: string): string | undefined {
  const passages = readPassages(found);
  const wanted = weighWords(question);
  const named = identifiersOf(question);
  const asksWhere = WHERE.test(question);
  let best: { sentences: string[]; at: number; score: number } | undefined;
  for (const { title, text, score: ofSearch } of passages) {
    const ofTitle = countShared(wanted, title) * TITLE_WEIGHT;
    for (const { heading, sentences } of toParagraphs(text)) {
      for (const [at, sentence] of sentences.entries()) {
        const context = `${title} ${heading} ${sentence}`;
        if (!named.every((name) => hasToken(`${context} ${sentences.join(" ")}`, name))) continue;
        const covered = countShared(wanted, context);
        const shared = countShared(wanted, `${heading} ${sentence}`) + ofTitle + namedIn(sentence, named);
        const ofPlace = asksWhere && NAMES_PLACE.test(sentence) ? PLACE_WEIGHT : 0;
        const isAbout = covered >= ENOUGH * sumOf(wanted) && (covered > 0 || named.length > 0);
        const score = (shared + ofPlace) * (OWN_WEIGHT + (1 - OWN_WEIGHT) * ofSearch);
        if (isAbout && shared > 0 && (!best || score > best.score)) best = { sentences, at, score };
      }
    }
  }
  if (!best) return undefined;
  const first = best.sentences[best.at] ?? "";
  const second = first.length < SHORT_SENTENCE_CHARACTERS ? (best.sentences[best.at + 1] ?? "") : "";
  return cut(first.includes("|") ? toRow(first) : `${first} ${second}`.trim());
}

interface Paragraph {
  heading: string;
  sentences: string[];
}

const MAX_HEADING_WORDS = 7;

/** Splits a passage into paragraphs; a short line without a full stop is the heading of what follows, no answer. */
function toParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let heading = "";
  for (const part of text.split(/\n\s*\n/)) {
    const lines = part
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    while (lines.length > 0 && isHeading(lines[0] as string) && (lines.length > 1 || part !== text))
      heading = (lines.shift() as string).replace(/^#+\s*/, "");
    if (lines.length === 0) continue;
    const isTable = lines.some((line) => line.includes("|"));
    const rows = lines.filter((line) => !/^[|\s:-]+$/.test(line));
    paragraphs.push({ heading, sentences: isTable ? rows : toSentences(lines.join(" ").replaceAll(/\s+/g, " ")) });
  }
  return paragraphs;
}

function isHeading(line: string): boolean {
  return !/[.!?:;,|]$/.test(line) && !line.includes("|") && line.split(/\s+/).length <= MAX_HEADING_WORDS;
}

/** Says a row of a table as its cells. */
function toRow(row: string): string {
  const cells = row.split("|").map((cell) => cell.trim());
  return cells.filter((cell) => cell !== "").join(", ");
}

const IDENTIFIER = /(?<![\p{L}\p{N}])(?=[\p{L}-]*\d)[\p{L}\p{N}][\p{L}\p{N}-]*/gu;
const IDENTIFIER_WEIGHT = 2;
const GERMAN = wholeWords("ist|sind|gibt|kann|können|haben|hat|wie|wo|wann|der|die|das|ich|sie|ein|eine");

/** Returns the codes and numbers of a question, such as NW-9 and 16, and its proper names. */
function identifiersOf(question: string): string[] {
  const codes: string[] = question.match(IDENTIFIER) ?? [];
  // In German every noun has a capital.
  const names = GERMAN.test(question)
    ? []
    : [...question.matchAll(/(?<=\b(?:in|at|from|near|en|de|à|i|från)\s)\p{Lu}\p{L}{2,}/gu)];
  return [...codes, ...names.map(([name]) => name)].map((name) => name.toLowerCase());
}

function hasToken(text: string, token: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replaceAll("-", "");
  return (text.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? []).some((word) => plain(word) === plain(token));
}

function namedIn(sentence: string, named: string[]): number {
  return named.filter((name) => hasToken(sentence, name)).length * IDENTIFIER_WEIGHT;
}

function sumOf(weights: ReadonlyMap<string, number>): number {
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}

const TITLE_WEIGHT = 0.5;
const PLACE_WEIGHT = 0.5;
/** Weight of a name inside the question ("Sunday"), which says most about its subject. */
const NAME_WEIGHT = 1.5;
const WHERE = wholeWords("where|wo|dónde|où|var");
const NAMES_PLACE = wholeWords(
  "(?:is|are|be|find us|park|liegt|liegen|ist|sind|está|están|se encuentra|est|sont|se trouve|ligger|finns) (?:located |right )?(?:at|in|near|behind|beside|next to|opposite|bei|an|am|im|hinter|neben|en|detrás|junto|à|au|derrière|dans|på|vid|bakom|i)",
);

/** Returns the stems of a question with their weights. */
function weighWords(question: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const stem of stemsOf(question)) weights.set(stem, 1);
  for (const name of question.match(/(?<=\s)\p{Lu}\p{L}+/gu) ?? [])
    for (const stem of stemsOf(name)) weights.set(stem, NAME_WEIGHT);
  return weights;
}

/** Sums the weights of shared words; "cost" and "costs", or "park" and "parking", count as one word. */
function countShared(wanted: ReadonlyMap<string, number>, text: string): number {
  const stems = [...stemsOf(text)];
  let shared = 0;
  for (const [stem, weight] of wanted)
    if (stems.some((other) => other.startsWith(stem) || stem.startsWith(other))) shared += weight;
  return shared;
}

/** Cuts a long text after a whole word. */
function cut(text: string): string {
  if (text.length <= MAX_ANSWER_CHARACTERS) return /[.!?…]$/.test(text) ? text : `${text}.`;
  return `${text.slice(0, text.lastIndexOf(" ", MAX_ANSWER_CHARACTERS))}…`;
}

/** Reads passages as a JSON list of {title, text}, or as plain text; none when the search failed or found nothing. */
function readPassages(found: string): Passage[] {
  const content = found.trim();
  if (content === "" || /^(?:failed\b|nothing found)/i.test(content)) return [];
  try {
    const value: unknown = JSON.parse(content);
    const list = Array.isArray(value) ? value : [value];
    return list.slice(0, MAX_PASSAGES).flatMap((one, i) => readPassage(one, 1 / (1 + i / MAX_PASSAGES)));
  } catch {
    return [{ title: "", text: content.slice(0, 5_000), score: 1 }];
  }
}

/** Reads a passage; one without a score has that of its place. */
function readPassage(value: unknown, ofPlace: number): Passage[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ title: "", text: value, score: ofPlace }];
  if (value === null || typeof value !== "object") return [];
  const { title, text, content, headings, score } = value as Record<string, unknown>;
  const body = typeof text === "string" ? text : typeof content === "string" ? content : "";
  const above = [title, ...(Array.isArray(headings) ? (headings as unknown[]) : [])];
  const heading = above.filter((part) => typeof part === "string").join(" ");
  const found = typeof score === "number" && score >= 0 && score <= 1 ? score : ofPlace;
  return body.trim() === "" ? [] : [{ title: heading, text: body, score: found }];
}
