import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { dropRemarks, toLetters } from "./spelled.ts";

const EMAIL = /[^\s@,;:<>()]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/i;
const UNDERSCORE = "underscore|under score|guion bajo|guión bajo|unterstrich|tiret bas|understreck|underscore";
const DASH = "dash|hyphen|minus|guion|guión|bindestrich|tiret|trait d'union|bindestreck|streck";
const PLUS = "plus|más";
const MARKS = /^[._+-]$/;

/** Returns an e-mail address, written or in words; undefined when there is none. */
export function parseEmail(text: string, lexicon: Lexicon): string | undefined {
  const written = EMAIL.exec(text)?.[0];
  if (written !== undefined) return written.replace(/[.]+$/, "");
  const tokens = toTokens(text, lexicon);
  const at = tokens.lastIndexOf("@");
  if (at < 1) return undefined;
  const name = joinName(tokens.slice(0, at), lexicon);
  const domain = joinDomain(tokens.slice(at + 1));
  return EMAIL.exec(`${name}@${domain}`)?.[0];
}

/** Splits a spoken address into words, letters and marks. */
function toTokens(text: string, lexicon: Lexicon): string[] {
  const marks: [string, string][] = [
    [UNDERSCORE, "_"],
    [lexicon.emailDot.source, "."],
    [DASH, "-"],
    [PLUS, "+"],
  ];
  let spoken = ` ${toLetters(dropRemarks(text.toLowerCase()))} `;
  spoken = spoken.replaceAll(new RegExp(lexicon.emailAt.source, "giu"), " @ ");
  for (const [words, mark] of marks) {
    const pattern = words.startsWith("(?") ? new RegExp(words, "giu") : wholeWords(words, "giu");
    spoken = spoken.replaceAll(pattern, ` ${mark} `);
  }
  // A comma is a pause, and so is a hyphen between spelled letters.
  spoken = spoken.replaceAll(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}](?![\p{L}\p{N}]))/gu, " ").replaceAll(/[,;:!?]/g, " ");
  const tokens = spoken
    .replace(/[.\s]+$/, "")
    .split(/\s+/)
    .filter((token) => token !== "");
  // Behind a dot, "at" is the country and no sign.
  return tokens.map((token, i) => (token === "@" && tokens[i - 1] === "." ? "at" : token));
}

/** Joins the words before the "at" from their end: letters and digits belong together, other words only by a mark. */
function joinName(tokens: string[], lexicon: Lexicon): string {
  const parts = mergeLetters(tokens.map((token) => digitsOf(token, lexicon) ?? token));
  let name = "";
  let isOpen = true;
  for (const part of parts.toReversed()) {
    const isMark = MARKS.test(part);
    const isNumber = /^\d+$/.test(name.replace(/[._+-].*$/, "")) && name !== "";
    if (!isMark && !isOpen && !isNumber) break;
    name = part + name;
    isOpen = isMark;
  }
  return name.replace(/^[._+-]+/, "");
}

/** Merges single letters to a word, and drops a word that is spelled right behind it: "roy, r o y". */
function mergeLetters(tokens: string[]): string[] {
  const merged: string[] = [];
  let row = "";
  const close = (): void => {
    if (row === "") return;
    if (row.length > 1 && merged.at(-1) === row) merged.pop();
    merged.push(row);
    row = "";
  };
  for (const token of tokens) {
    if (/^\p{L}$/u.test(token)) {
      row += token;
      continue;
    }
    // Digits that follow spelled letters belong to them.
    if (/^\d+$/.test(token) && row !== "") {
      row += token;
      continue;
    }
    close();
    merged.push(token);
  }
  close();
  return merged;
}

function joinDomain(tokens: string[]): string {
  let domain = "";
  let isOpen = true;
  for (const token of mergeLetters(tokens)) {
    const isMark = MARKS.test(token);
    if (!isMark && !isOpen) break;
    domain += token;
    isOpen = isMark;
  }
  return domain.replace(/[._+-]+$/, "");
}

/** Returns the digits of a number word: "eighty-two", "seventy". */
function digitsOf(token: string, lexicon: Lexicon): string | undefined {
  const parts = token.split("-");
  const values = parts.map((part) => (Object.hasOwn(lexicon.numbers, part) ? (lexicon.numbers[part] as number) : NaN));
  const sum = values.reduce((all, value) => all + value, 0);
  return token.length > 2 && Number.isFinite(sum) ? String(sum) : undefined;
}
