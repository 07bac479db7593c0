import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { splitTakenBack } from "./corrected.ts";
import { isLike } from "./name.ts";
import { dropRemarks, toLetters } from "./spelled.ts";

const EMAIL = /[^\s@,;:<>()]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/i;
const UNDERSCORE = "underscore|under score|guion bajo|guión bajo|unterstrich|tiret bas|understreck|underscore";
const DASH = "dash|hyphen|minus|guion|guión|bindestrich|tiret|trait d'union|bindestreck|streck";
const PLUS = "plus|más";
const MARKS = /^[._+-]$/;

/** Returns an e-mail address, written or in words; undefined when there is none. A later one replaces a part of it. */
export function parseEmail(text: string, lexicon: Lexicon): string | undefined {
  const parts = splitTakenBack(text, lexicon, true);
  const last = parts.at(-1) ?? "";
  const own = readAddress(last, lexicon);
  if (own !== undefined || parts.length < 2) return own;
  const known = readAddress(parts.at(-2) ?? "", lexicon);
  const tail = toTokens(last.split(/[,;]\s/).at(-1) ?? "", lexicon);
  const domain = joinDomain(tail.slice(tail.lastIndexOf("@") + 1));
  if (known === undefined || !/\.\p{L}{2,}$/u.test(domain)) return known ?? readAddress(text, lexicon);
  const [name = "", former = ""] = known.split("@");
  return EMAIL.exec(`${name}@${domain.startsWith(".") ? (former.split(".")[0] ?? "") : ""}${domain}`)?.[0];
}

function readAddress(text: string, lexicon: Lexicon): string | undefined {
  const written = EMAIL.exec(text)?.[0];
  if (written !== undefined) return written.replace(/[.]+$/, "");
  const tokens = toTokens(text, lexicon);
  const at = tokens.lastIndexOf("@");
  if (at < 1) return undefined;
  const domain = joinDomain(tokens.slice(at + 1));
  const name = joinName(dropRepeated(tokens.slice(0, at), domain), lexicon);
  return EMAIL.exec(toAscii(`${name}@${domain}`, lexicon))?.[0];
}

const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** Writes letters with marks as addresses have them: "jpérez" is jperez, and in German "krüger" is krueger. */
function toAscii(address: string, { code }: Lexicon): string {
  const spelled = code === "de" ? address.replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter) : address;
  return spelled.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

const MAX_FILLERS = 2;

/** Drops a domain that is said twice: "anne dash sophie, with orange dot fr, so at orange dot fr". */
function dropRepeated(tokens: string[], domain: string): string[] {
  const parts = domain.split(/([._-])/).filter((part) => part !== "");
  for (let fillers = 0; fillers <= MAX_FILLERS; fillers++) {
    const from = tokens.length - fillers - parts.length;
    if (from < 1 || parts.some((part, i) => tokens[from + i] !== part)) continue;
    const kept = tokens.slice(0, from);
    if (/^(?:@|with|bei|chez|en|hos|de)$/.test(kept.at(-1) ?? "")) kept.pop();
    return kept;
  }
  return tokens;
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
  spoken = spoken
    .replaceAll(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}](?![\p{L}\p{N}]))/gu, " ")
    .replaceAll(/[,;:!?…]|\.{2,}/g, " ");
  const tokens = spoken
    .replace(/[.\s]+$/, "")
    .split(/\s+/)
    .filter((token) => token !== "");
  // Behind a dot, "at" is the country and no sign.
  return tokens.map((token, i) => (token === "@" && tokens[i - 1] === "." ? "at" : token));
}

/** A part of an address: a word, a mark, or letters that were said one by one. */
interface Part {
  text: string;
  isSpelled: boolean;
}

/** Joins the words before the "at" from their end: letters and digits belong together, other words only by a mark. */
function joinName(tokens: string[], lexicon: Lexicon): string {
  const parts = mergeLetters(tokens.map((token) => digitsOf(token, lexicon) ?? token));
  let name = "";
  let isOpen = true;
  for (const { text, isSpelled } of parts.toReversed()) {
    const isMark = MARKS.test(text);
    const isNumber = /^\d+$/.test(name.replace(/[._+-].*$/, "")) && name !== "";
    if (!isMark && !isOpen && !isNumber && !(isSpelled && text.length <= MAX_INITIALS)) break;
    name = text + name;
    isOpen = isMark;
  }
  return name.replace(/^[._+-]+/, "");
}

const MAX_INITIALS = 2;
/** Words between a name and its spelling: "Krüger, but with u e, so k r u e g e r". */
const MAX_BETWEEN = 5;

/** Merges single letters to a word, which replaces the word that it spells: "roy, r o y". */
function mergeLetters(tokens: string[]): Part[] {
  const merged: Part[] = [];
  let row = "";
  const close = (): void => {
    if (row === "") return;
    const like = row.length < 3 ? -1 : merged.findLastIndex(({ text }) => isLike(text, row));
    if (like !== -1 && merged.length - like <= MAX_BETWEEN) merged.splice(like);
    merged.push({ text: row, isSpelled: true });
    row = "";
  };
  for (const token of tokens) {
    // Digits that follow spelled letters belong to them.
    if (/^\p{L}$/u.test(token) || (/^\d+$/.test(token) && row !== "")) {
      row += token;
      continue;
    }
    close();
    merged.push({ text: token, isSpelled: false });
  }
  close();
  return merged;
}

function joinDomain(tokens: string[]): string {
  let domain = "";
  let isOpen = true;
  for (const { text } of mergeLetters(tokens)) {
    const isMark = MARKS.test(text);
    if (!isMark && !isOpen) break;
    domain += text;
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
