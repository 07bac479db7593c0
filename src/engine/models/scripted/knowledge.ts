import { stemsOf, toSentences, wholeWords } from "./words.ts";

interface Passage {
  title: string;
  text: string;
}

const MAX_PASSAGES = 5;
const MAX_ANSWER_CHARACTERS = 320;
/** A sentence shorter than this is said together with the next one. */
const SHORT_SENTENCE_CHARACTERS = 90;

/**
 * Returns the sentence of the found passages that shares the most words with the question, with the next sentence when
 * it is short. Undefined when nothing was found.
 */
export function findAnswer(found: string, question: string): string | undefined {
  const passages = readPassages(found);
  if (passages.length === 0) return undefined;
  const wanted = weighWords(question);
  const asksWhere = WHERE.test(question);
  let best: { sentences: string[]; at: number; score: number } | undefined;
  for (const { title, text } of passages) {
    const ofTitle = countShared(wanted, title) * TITLE_WEIGHT;
    for (const paragraph of text.split(/\n\s*\n/)) {
      const sentences = toSentences(paragraph.replaceAll(/\s+/g, " ").trim());
      for (const [at, sentence] of sentences.entries()) {
        const ofPlace = asksWhere && NAMES_PLACE.test(sentence) ? PLACE_WEIGHT : 0;
        const shared = countShared(wanted, sentence) + ofTitle;
        const score = shared + ofPlace;
        // A passage without any word of the question does not answer it.
        if (shared > 0 && (!best || score > best.score)) best = { sentences, at, score };
      }
    }
  }
  if (!best) return undefined;
  const first = best.sentences[best.at] ?? "";
  const second = first.length < SHORT_SENTENCE_CHARACTERS ? (best.sentences[best.at + 1] ?? "") : "";
  return cut(`${first} ${second}`.trim());
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
    return list.slice(0, MAX_PASSAGES).flatMap(readPassage);
  } catch {
    return [{ title: "", text: content.slice(0, 5_000) }];
  }
}

function readPassage(value: unknown): Passage[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ title: "", text: value }];
  if (value === null || typeof value !== "object") return [];
  const { title, text, content } = value as Record<string, unknown>;
  const body = typeof text === "string" ? text : typeof content === "string" ? content : "";
  return body.trim() === "" ? [] : [{ title: typeof title === "string" ? title : "", text: body }];
}
