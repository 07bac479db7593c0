import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/**
 * A sentence of a person in a call or a chat. "+" wants no further contact, "?" may want that, "-" only sounds like it,
 * "o" is ordinary talk. "y" and "n" answer the question whether contact should end: it should, or may go on.
 */
export interface Sentence {
  /** ISO 639-1. */
  language: string;
  sign: "+" | "?" | "-" | "o" | "y" | "n";
  text: string;
}

const LEARNT = ["./sentences/", "../../../src/engine/opt-out/held-out/"];

/** Returns the sentences from which the weights of opt-outs are learnt, each once. */
export function readSentences(): Sentence[] {
  const byText = new Map<string, Sentence>();
  for (const folder of LEARNT) {
    for (const sentence of readFolder(folder)) {
      const key = `${"yn".includes(sentence.sign) ? sentence.language : ""} ${sentence.text}`;
      if (!byText.has(key)) byText.set(key, sentence);
    }
  }
  return [...byText.values()];
}

/** Returns the sentences of people who had seen neither patterns nor sentences; nothing is learnt from them. */
export function readBlind(): Sentence[] {
  return readFolder("./blind/");
}

function readFolder(folder: string): Sentence[] {
  const url = new URL(folder, import.meta.url);
  const files = readdirSync(url).filter((name) => name.endsWith(".txt"));
  return files.toSorted().flatMap((file) =>
    readFileSync(new URL(file, url), "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, sign, text] = /^([-+?oyn]) (.+)$/.exec(line) ?? [];
        if (sign === undefined || text === undefined) return [];
        return [{ language: file.slice(0, 2), sign: sign as Sentence["sign"], text }];
      }),
  );
}

/** Returns the digest of the sentences, which the weights that were learnt from them carry. */
export function digestOf(sentences: readonly Sentence[]): Buffer {
  const lines = sentences.map(({ language, sign, text }) => `${language} ${sign} ${text}\n`);
  return createHash("sha256").update(lines.join("")).digest();
}
