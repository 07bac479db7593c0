import { findPatterns, type PersonalKind, type Span, standInDigits } from "./patterns.ts";
import { StandIns } from "./stand-ins.ts";
import { COMMON_WORDS, foldWord, foldWords, readWords } from "./words.ts";

/** The number of removed things of one kind. */
export interface Removed {
  kind: PersonalKind;
  count: number;
}

/** A value known to be personal, split into words. */
interface Known {
  kind: PersonalKind;
  words: string[];
  /** Also a common word: personal only when written with a capital. */
  needsCapital: boolean;
  write: (original: string, standIns: StandIns) => string;
}

/** Shorter values (a storey, initials) identify nobody by themselves. */
const SHORTEST_VALUE = 3;
const SHORTEST_NUMBER = 4;
const MOST_DEPTH = 20;

/**
 * Removes personal data from texts and values. First add everything personal and read all texts; from then on each
 * thing is replaced by the same stand-in wherever it occurs.
 */
export class PersonalData {
  readonly #year: number;
  readonly #vocabulary: string;
  readonly #known = new Map<string, Known[]>();
  readonly #seenWords = new Set<string>();
  /** Keys of the contact's own data, which are removed even where the flow contains them. */
  readonly #own = new Set<string>();
  readonly #standIns: StandIns;
  readonly #removed = new Map<string, PersonalKind>();

  /** `vocabulary` holds the flow's own texts, which are not personal. */
  constructor(thisYear: number, vocabulary: string) {
    this.#year = thisYear;
    this.#vocabulary = ` ${foldWords(vocabulary).join(" ")} `;
    this.#standIns = new StandIns((word) => this.#seenWords.has(foldWord(word)) || this.#seenWords.has(word));
  }

  /** The number of different things replaced so far, by kind. */
  get removed(): Removed[] {
    const counts = new Map<PersonalKind, number>();
    for (const kind of this.#removed.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  /** Reads a text that will be cleaned later, so that no stand-in is a word of it. */
  read(text: string): void {
    for (const word of foldWords(text)) this.#seenWords.add(word);
    for (const { key } of findPatterns(text, this.#year)) this.#seenWords.add(key);
  }

  /** Adds the contact's own number or address. */
  addOwn(text: string): void {
    this.read(text);
    for (const { key } of findPatterns(text, this.#year)) this.#own.add(key);
  }

  /** Adds a person's name. */
  addName(name: string): void {
    const words = readWords(name).filter(({ folded }) => folded.length > 1 && !/^\d+$/.test(folded));
    this.read(name);
    for (const [i, { folded }] of words.entries()) {
      const write = (original: string, by: StandIns) => inCaseOf(original, by.name(folded, i === 0));
      this.#add({ kind: "NAME", words: [folded], needsCapital: COMMON_WORDS.has(folded), write });
    }
  }

  /** Adds a value of the contact's data: everything in it counts as personal, whatever its form. */
  addValue(value: unknown, depth = 0): void {
    if (depth > MOST_DEPTH || value === null || value === undefined) return;
    if (typeof value === "string") this.#addText(value);
    else if (typeof value === "number") this.#addNumber(value);
    else if (typeof value === "object") {
      for (const one of Array.isArray(value) ? value : Object.values(value)) this.addValue(one, depth + 1);
    }
  }

  #addText(text: string): void {
    this.read(text);
    const words = foldWords(text);
    const isPattern = findPatterns(text, this.#year).some((span) => span.start === 0 && span.end === text.length);
    if (isPattern || words.join("").length < SHORTEST_VALUE || this.#isVocabulary(words)) return;
    if (words.length === 1 && COMMON_WORDS.has(words[0] as string)) return;
    const isDigits = words.every((word) => /^\d+$/.test(word));
    if (isDigits && words.join("").length < SHORTEST_NUMBER) return;
    const key = words.join(" ");
    this.#add({ kind: "DATA", words, needsCapital: false, write: (original, by) => writeValue(original, key, by) });
  }

  #addNumber(value: number): void {
    const digits = String(value).replaceAll(/\D/g, "");
    if (digits.length < SHORTEST_NUMBER) return;
    const texts = new Set([
      String(value),
      value.toFixed(2),
      value.toLocaleString("en-US"),
      value.toLocaleString("de-DE"),
    ]);
    for (const text of texts) this.#addText(text);
  }

  #add(known: Known): void {
    const [first] = known.words;
    if (first === undefined) return;
    const same = this.#known.get(first) ?? [];
    if (same.some(({ words }) => words.join(" ") === known.words.join(" "))) return;
    // Longest first, so that a full name is matched before a first name.
    this.#known.set(
      first,
      [...same, known].sort((a, b) => b.words.length - a.words.length),
    );
  }

  #isVocabulary(words: string[]): boolean {
    return this.#vocabulary.includes(` ${words.join(" ")} `);
  }

  /** Returns the text with stand-ins. */
  clean(text: string): string {
    let cleaned = "";
    let at = 0;
    for (const span of joinSpans(this.#findSpans(text))) {
      cleaned += text.slice(at, span.start) + span.write(this.#standIns);
      this.#removed.set(`${span.kind} ${span.key}`, span.kind);
      at = span.end;
    }
    return cleaned + text.slice(at);
  }

  /** Cleans all texts and long numbers of a JSON value, including its keys. */
  cleanValue(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.clean(value);
    if (typeof value === "number") return this.#cleanNumber(value);
    if (value === null || typeof value !== "object" || depth > MOST_DEPTH) return depth > MOST_DEPTH ? null : value;
    if (Array.isArray(value)) return value.map((one) => this.cleanValue(one, depth + 1));
    const entries = Object.entries(value).map(([key, one]) => [this.clean(key), this.cleanValue(one, depth + 1)]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  #cleanNumber(value: number): number {
    const text = String(value);
    if (!/^\d{4,15}(?:\.\d{1,6})?$/.test(text)) return value;
    const cleaned = Number(this.clean(text));
    return Number.isNaN(cleaned) ? value : cleaned;
  }

  #findSpans(text: string): Span[] {
    const patterns = findPatterns(text, this.#year).filter(
      (span) => this.#own.has(span.key) || !this.#isVocabulary(foldWords(text.slice(span.start, span.end))),
    );
    return [...patterns, ...this.#findKnown(text)];
  }

  #findKnown(text: string): Span[] {
    const words = readWords(text);
    const spans: Span[] = [];
    for (const [i, word] of words.entries()) {
      const candidates = [word.folded, ...genitives(word.folded)].flatMap((first) => this.#known.get(first) ?? []);
      const known = candidates.find((one) =>
        one.words.every((expected, k) => k === 0 || words[i + k]?.folded === expected),
      );
      const last = words[i + (known?.words.length ?? 1) - 1];
      if (!known || !last) continue;
      const original = text.slice(word.start, last.end);
      if (known.needsCapital && !/^\p{Lu}/u.test(original)) continue;
      const key = known.words.join(" ");
      spans.push({ kind: known.kind, start: word.start, end: last.end, key, write: (by) => known.write(original, by) });
    }
    return spans;
  }
}

/** Returns the word without a genitive "s": "Annas" in German and Swedish, "Ada's" without its apostrophe. */
function genitives(folded: string): string[] {
  return folded.length > 3 && folded.endsWith("s") ? [folded.slice(0, -1)] : [];
}

function inCaseOf(original: string, standIn: string): string {
  if (original.length > 1 && original === original.toUpperCase()) return standIn.toUpperCase();
  return original === original.toLowerCase() ? standIn.toLowerCase() : standIn;
}

function writeValue(original: string, key: string, by: StandIns): string {
  const digits = original.replaceAll(/\D/g, "");
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(original);
  if (isDate) return `2031${original.slice(4)}`;
  if (digits !== "" && !/\p{L}/u.test(original)) {
    const standIn = standInDigits(by, digits);
    let at = 0;
    return original.replaceAll(/\d/g, () => standIn[at++] ?? "0");
  }
  return by.thing(key, key.split(" ").length > 4);
}

/** Sorts spans and merges those that overlap: the longer one writes, and covers both. */
function joinSpans(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (!last || span.start >= last.end) joined.push({ ...span });
    else if (span.end > last.end) {
      const isLonger = span.end - span.start > last.end - last.start;
      joined[joined.length - 1] = { ...(isLonger ? span : last), start: last.start, end: span.end };
    }
  }
  return joined;
}
