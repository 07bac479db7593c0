import { detectLanguage, type Language } from "./language.ts";
import type { Attitude, PersonaFile, Words } from "./persona-schema.ts";
import { PHRASES, type PhraseName, POSTAL_CODES } from "./phrases.ts";
import { type Question, readQuestion } from "./question.ts";
import { fillIn, pickWords } from "./words.ts";

const NAMES = [
  "Anna Berg",
  "James Carter",
  "Maria Lopez",
  "Lukas Weber",
  "Claire Moreau",
  "Erik Lind",
  "Sofia Romano",
  "Peter Novak",
] as const;

const NEGATIVE_OPTION = /\b(?:no|none|not|never|cancel|decline|reject|ninguno|nein|kein|non|aucun|nej|ingen)\b/i;

/** Facts that every persona has, with or without its file. */
export const OWN_FACTS = ["name", "email", "phone", "postalCode", "date", "time"] as const;

/** The knowledge of a persona and its wording; the same file and seed give the same person. */
export class Person {
  readonly seed: number;
  readonly #facts: Map<string, string>;
  readonly #phrases: PersonaFile["phrases"];
  #language: Language | undefined;

  constructor(file: Pick<PersonaFile, "facts" | "phrases" | "language">, seed: number) {
    // Taken modulo the number of choices, so it must be a whole number from 0.
    this.seed = Math.abs(Math.trunc(seed)) || 0;
    this.#language = file.language;
    this.#phrases = file.phrases;
    this.#facts = new Map(Object.entries(file.facts).map(([name, value]) => [name, String(value)]));
    const name = this.#know("name", NAMES[this.seed % NAMES.length] ?? NAMES[0]);
    this.#know("email", `${toAddress(name)}@example.com`);
    this.#know("phone", "+1 202 555 0147");
    this.#know("date", `2031-03-${10 + (this.seed % 10)}`);
    this.#know("time", "14:30");
  }

  /** The language in which the person was addressed; English until that is clear. */
  get language(): Language {
    return this.#language ?? "en";
  }

  /** All facts of the person, by name. */
  get facts(): ReadonlyMap<string, string> {
    return new Map([["postalCode", POSTAL_CODES[this.language]], ...this.#facts]);
  }

  /** Returns the person's words for a phrase; `value` fills its placeholder. */
  phrase(name: PhraseName, value = ""): string {
    const own = this.#phrases[name];
    const text = (own && pickWords(own, this.language, this.seed)) ?? PHRASES[this.language][name];
    return this.#fill(text).replace("{0}", () => value);
  }

  /** Returns words of the file in the person's language, or in another when there are none. */
  word(words: Words): string {
    const texts = pickWords(words, this.language, this.seed) ?? pickWords(words, "en", this.seed);
    return this.#fill(texts ?? pickWords(Object.values(words).flat(), "en", this.seed) ?? "");
  }

  /** Reads what the agent said; the first clear language stays for the call. */
  understand(text: string): Question {
    this.#language ??= detectLanguage(text);
    return readQuestion(text);
  }

  /** Returns the answer of a person with this attitude. */
  answer(question: Question, attitude: Attitude): string {
    return attitude === "AGREES" ? this.#agree(question) : this.#decline(question);
  }

  /** Returns a wrong answer to a question for data, or null when none can be wrong. */
  mistake(question: Question): string | null {
    switch (question.kind) {
      case "EMAIL":
        return this.phrase("email", this.#fact("email").replace(/@([^.]*).*$/s, " at $1"));
      case "PHONE":
        return this.phrase("phone", "12");
      case "POSTAL_CODE":
        return this.phrase("postalCode", "12");
      case "DATE":
        return this.phrase("date", "2031-02-31");
      case "TIME":
        return this.phrase("time", "27:90");
      case "NUMBER":
        return this.phrase("number", String(question.to === Infinity ? -1 : question.to + 90));
      case "CHOICE":
        return this.phrase("choice", question.options.map((option) => option.slice(0, 2)).join(""));
      default:
        return null;
    }
  }

  #agree(question: Question): string {
    switch (question.kind) {
      case "YES_NO":
        return this.phrase("yes");
      case "CHOICE":
        return this.phrase("choice", this.#choose(question.options));
      case "NUMBER":
        return this.phrase("number", this.#facts.get("number") ?? this.#pickNumber(question.from, question.to));
      case "NAME":
        return this.phrase("name", this.#fact("name"));
      case "EMAIL":
        return this.phrase("email", this.#fact("email"));
      case "PHONE":
        return this.phrase("phone", this.#fact("phone"));
      case "POSTAL_CODE":
        return this.phrase("postalCode", this.#fact("postalCode"));
      case "DATE":
        return this.phrase("date", this.#fact("date"));
      case "TIME":
        return this.phrase("time", this.#fact("time"));
      case "OPEN":
        return this.#facts.get("open") ?? this.phrase("open");
      case "STATEMENT":
        return this.phrase("okay");
      case "GOODBYE":
        return this.phrase("goodbye");
    }
  }

  #decline(question: Question): string {
    if (question.kind === "YES_NO") return this.phrase("no");
    if (question.kind === "STATEMENT" || question.kind === "GOODBYE") return this.#agree(question);
    const refusal = question.kind === "CHOICE" && question.options.find((option) => NEGATIVE_OPTION.test(option));
    return refusal ? this.phrase("choice", refusal) : this.phrase("ratherNot");
  }

  #choose(options: string[]): string {
    const wanted = this.#facts.get("choice")?.toLowerCase();
    const found = wanted === undefined ? undefined : options.find((option) => option.toLowerCase().includes(wanted));
    return found ?? options[this.seed % options.length] ?? "";
  }

  // High in a range, as a content person would answer; a small count without a range.
  #pickNumber(from: number, to: number): string {
    return String(to === Infinity ? 2 + (this.seed % 3) : Math.max(from, to - 1));
  }

  #know(name: string, value: string): string {
    const known = this.#facts.get(name) ?? value;
    this.#facts.set(name, known);
    return known;
  }

  #fact(name: (typeof OWN_FACTS)[number]): string {
    return this.facts.get(name) ?? "";
  }

  #fill(text: string): string {
    const facts = this.facts;
    return fillIn(text, (name) => facts.get(name));
  }
}

/** Returns the part of an e-mail address before the @, from a name in any script. */
function toAddress(name: string): string {
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/g, ".").replaceAll(/^\.|\.$/g, "") || "someone";
}
