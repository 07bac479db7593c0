import { detectLanguage, type Language, PHRASES, type Phrases } from "./phrases.ts";
import { type Question, readQuestion } from "./question.ts";

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

/** A person with a name, an e-mail and a way to answer questions; the same seed is the same person. */
export class Person {
  readonly name: string;
  readonly email: string;
  readonly #seed: number;
  #language: Language | undefined;

  constructor(seed: number, language?: Language) {
    this.#seed = seed;
    this.#language = language;
    this.name = NAMES[seed % NAMES.length] ?? NAMES[0];
    this.email = `${this.name.toLowerCase().replace(" ", ".")}@example.com`;
  }

  /** The phrases of the language in which the person was addressed; English until that is clear. */
  get phrases(): Phrases {
    return PHRASES[this.#language ?? "en"];
  }

  /** Understands what the agent said; the first clear language stays for the call. */
  understand(text: string): Question {
    this.#language ??= detectLanguage(text);
    return readQuestion(text);
  }

  /** The answer of somebody who agrees to everything. */
  agree(question: Question): string {
    const say = this.phrases;
    switch (question.kind) {
      case "YES_NO":
        return say.yes;
      case "CHOICE":
        return fill(say.choice, question.options[this.#seed % question.options.length] ?? "");
      case "NUMBER":
        return fill(say.number, String(this.#pickNumber(question.from, question.to)));
      case "NAME":
        return fill(say.name, this.name);
      case "EMAIL":
        return fill(say.email, this.email);
      case "PHONE":
        return fill(say.phone, "+1 202 555 0147");
      case "DATE":
        return fill(say.date, `2031-03-${10 + (this.#seed % 10)}`);
      case "TIME":
        return fill(say.time, "14:30");
      case "OPEN":
        return say.open;
      case "STATEMENT":
        return say.okay;
      case "GOODBYE":
        return say.goodbye;
    }
  }

  /** The answer of somebody who wants nothing of it. */
  decline(question: Question): string {
    const say = this.phrases;
    if (question.kind === "YES_NO") return say.no;
    if (question.kind === "STATEMENT" || question.kind === "GOODBYE") return this.agree(question);
    const refusal = question.kind === "CHOICE" && question.options.find((option) => NEGATIVE_OPTION.test(option));
    return refusal ? fill(say.choice, refusal) : say.ratherNot;
  }

  /** A wrong answer to a question for data, or null where there is no wrong one. */
  mistake(question: Question): string | null {
    const say = this.phrases;
    switch (question.kind) {
      case "EMAIL":
        return fill(say.email, this.email.replace("@example.com", " at example"));
      case "PHONE":
        return fill(say.phone, "12");
      case "DATE":
        return fill(say.date, "2031-02-31");
      case "TIME":
        return fill(say.time, "27:90");
      case "NUMBER":
        return fill(say.number, String(question.to === Infinity ? -1 : question.to + 90));
      case "CHOICE":
        return fill(say.choice, question.options.map((option) => option.slice(0, 2)).join(""));
      default:
        return null;
    }
  }

  // High in a range, because that is what somebody content would say; a small count where there is none.
  #pickNumber(from: number, to: number): number {
    return to === Infinity ? 2 + (this.#seed % 3) : Math.max(from, to - 1);
  }
}

function fill(phrase: string, value: string): string {
  return phrase.replace("{0}", () => value);
}
