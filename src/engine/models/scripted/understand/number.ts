import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";

const DIGITS = /(?<![\p{L}\p{N}.,:])([-−] ?)?(\d{1,3}(?:[.,   ']\d{3})+(?!\d)|\d+)([.,]\d+)?(?![\d:])/u;

/**
 * Returns the number that a person says, in digits or words up to the thousands; undefined when there is none, or more
 * than one.
 */
export function parseNumber(said: string, lexicon: Lexicon): number | undefined {
  const text = toFractions(said);
  const sign = lexicon.minus.test(text) ? -1 : 1;
  const inDigits = parseDigits(text, lexicon);
  if (inDigits !== undefined && !isNumberBefore(text, lexicon)) return sign * inDigits;
  const fraction = fractionOf(text, lexicon);
  const words = fraction ? text.replace(fraction.pattern, " ") : text;
  const whole = parseWords(toTokens(words.replaceAll("-", " ")), lexicon);
  if (whole === undefined) return undefined;
  if (!fraction) return sign * whole;
  // "Twelve and a half thousand" has its half before the thousand, "two thousand and a half" behind it.
  const isOfThousand = THOUSAND.test(text.slice(fraction.end));
  const isShort = !isOfThousand && whole >= 1000 && whole % 1000 === 0;
  return sign * (whole + fraction.value * (isOfThousand || isShort ? 1000 : 1));
}

/** True when a number in words comes before the digits: "two, the older one is 12". An article is none. */
function isNumberBefore(text: string, lexicon: Lexicon): boolean {
  const before = text.slice(0, /\d/.exec(text)?.index);
  const clause = /^(.*?)[,;.!?]\s/.exec(before)?.[1];
  const value = clause === undefined ? undefined : parseWords(toTokens(clause.replaceAll("-", " ")), lexicon);
  return value !== undefined && value > 1;
}

const THOUSAND = /^\s*(?:thousand|grand|k(?!\p{L})|tausend|mil(?!\p{L})|mille|tusen)/iu;
const QUARTERS: [RegExp, number][] = [
  [wholeWords("(?:and )?(?:a|one) quarter|ein ?viertel|y cuarto|et quart|och en kvarts?"), 0.25],
  [wholeWords("(?:and )?three[ -]quarters|drei ?viertel|y tres cuartos|trois quarts|tre kvart"), 0.75],
];

/** Returns the fraction of "two and a half" and where it ends. */
function fractionOf(text: string, lexicon: Lexicon): { pattern: RegExp; value: number; end: number } | undefined {
  for (const [pattern, value] of [[lexicon.half, 0.5] as [RegExp, number], ...QUARTERS]) {
    const match = pattern.exec(text);
    if (match) return { pattern, value, end: match.index + match[0].length };
  }
  return undefined;
}

/** Writes German fractions in several words: "dreieinhalb", "anderthalbtausend". */
function toFractions(text: string): string {
  return text
    .replaceAll(/anderthalb/giu, "eineinhalb")
    .replaceAll(/(?<=\p{L})einhalb(?:e[rnms]?)?(?=tausend|(?!\p{L}))/giu, " einhalb ");
}

function parseDigits(text: string, lexicon: Lexicon): number | undefined {
  const match = DIGITS.exec(text);
  if (!match) return undefined;
  const [whole, minus = "", integer = "", fraction = ""] = match;
  // "1.200" is one thousand two hundred in German, and little more than one in English.
  const separator = /[.,   ']/.exec(integer)?.[0];
  const isGrouped = separator === undefined || separator === lexicon.thousandsSeparator || !/[.,]/.test(separator);
  const digits = isGrouped
    ? integer.replaceAll(/[.,   ']/g, "") + fraction.replace(",", ".")
    : integer.replace(",", ".");
  const value = Number(digits);
  const next = toTokens(text.slice(match.index + whole.length))[0];
  const factor = next === undefined ? 1 : (own(lexicon.numbers, next) ?? 1);
  return (minus === "" ? 1 : -1) * value * (factor >= 100 ? factor : 1);
}

/** Returns the first run of number words as a number; undefined when there is none or it is not one number. */
export function parseWords(tokens: string[], lexicon: Lexicon): number | undefined {
  const start = tokens.findIndex((token) => splitToken(token, lexicon) !== undefined);
  if (start === -1) return undefined;
  const sum = new NumberSum(lexicon);
  if (isArticle(tokens, start, lexicon)) return parseWords(tokens.slice(start + 1), lexicon);
  for (let i = start; i < tokens.length; i++) {
    const token = tokens[i] as string;
    if (i > start && lexicon.decimalWords.includes(token)) return addDecimals(sum.value, tokens.slice(i + 1), lexicon);
    const parts = splitToken(token, lexicon);
    if (parts === undefined) {
      if (lexicon.numberJoiners.includes(token)) continue;
      break;
    }
    for (const part of parts) if (!sum.add(part)) return undefined;
  }
  return sum.value;
}

const ARTICLES = new Set(["ein", "eine", "einen", "einer", "un", "una", "une", "en", "ett"]);
const MANY = 20;

/** True for the article of "eine Neun", which is the number one elsewhere. */
function isArticle(tokens: string[], at: number, lexicon: Lexicon): boolean {
  if (!ARTICLES.has(tokens[at] ?? "")) return false;
  // An adjective may stand between them: "eine glatte Neun".
  const isJoined = lexicon.numberJoiners.includes(tokens[at + 1] ?? "");
  const next =
    splitToken(tokens[at + 1] ?? "", lexicon) ?? (isJoined ? undefined : splitToken(tokens[at + 2] ?? "", lexicon));
  return next !== undefined && next.length === 1 && (next[0] as number) <= MANY && (next[0] as number) > 1;
}

function addDecimals(value: number, tokens: string[], lexicon: Lexicon): number | undefined {
  let digits = "";
  for (const token of tokens) {
    const digit = own(lexicon.numbers, token);
    if (digit === undefined || digit > 9) break;
    digits += digit;
  }
  return digits === "" ? value : Number(`${value}.${digits}`);
}

/** Splits "zweihundertfünf" into 2, 100, 5; undefined when a part of the word is no number. */
function splitToken(token: string, lexicon: Lexicon): number[] | undefined {
  const whole = own(lexicon.numbers, token);
  if (whole !== undefined) return [whole];
  if (!lexicon.compoundNumbers || token.length < 6 || token.length > 60) return undefined;
  const parts: number[] = [];
  for (let at = 0; at < token.length;) {
    const joiner = lexicon.numberJoiners.find((word) => token.startsWith(word, at));
    const length = longestNumberAt(token, at, lexicon);
    if (length === 0 && joiner === undefined) return undefined;
    if (length > 0) parts.push(own(lexicon.numbers, token.slice(at, at + length)) as number);
    at += length || (joiner as string).length;
  }
  return parts.length > 0 ? parts : undefined;
}

function longestNumberAt(token: string, at: number, lexicon: Lexicon): number {
  for (let length = Math.min(12, token.length - at); length > 1; length--) {
    if (own(lexicon.numbers, token.slice(at, at + length)) !== undefined) return length;
  }
  return 0;
}

/** Adds up number words in their order, and refuses what cannot be one number, such as "one two". */
class NumberSum {
  readonly #lexicon: Lexicon;
  #thousands = 0;
  #group = 0;
  #units = -1;
  #tens = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  get value(): number {
    return this.#thousands + this.#group;
  }

  add(part: number): boolean {
    if (part === 1000) return this.#multiplyByThousand();
    if (part >= 100) return this.#addHundreds(part);
    if (part >= 20) return this.#addTens(part);
    return this.#addUnits(part);
  }

  #multiplyByThousand(): boolean {
    if (this.#thousands > 0) return false;
    this.#thousands = (this.#group || 1) * 1000;
    this.#group = 0;
    return this.#startSlots();
  }

  #addHundreds(part: number): boolean {
    // "Twenty-two hundred" is a number, too.
    if (this.#group >= 100 || (this.#tens > 0 && part !== 100)) return false;
    this.#group = part === 100 ? (this.#group || 1) * 100 : this.#group + part;
    return this.#startSlots();
  }

  #addTens(part: number): boolean {
    if (this.#lexicon.code === "fr" && part === 20 && this.#units === 4 && this.#tens === 0) {
      this.#group += 76;
      this.#units = -1;
      this.#tens = 80;
      return true;
    }
    const mayFollowUnits = this.#lexicon.unitsBeforeTens && this.#units > 0 && this.#units < 10;
    if (this.#tens > 0 || (this.#units >= 0 && !mayFollowUnits)) return false;
    this.#group += part;
    this.#tens = part;
    return true;
  }

  #addUnits(part: number): boolean {
    // Soixante-dix, quatre-vingt-dix, dix-sept.
    const isFrenchTeen = this.#lexicon.code === "fr" && this.#units === 10 && part >= 7 && part <= 9;
    if (this.#units >= 0 && !isFrenchTeen) return false;
    if (part >= 10 && this.#tens > 0 && !(this.#lexicon.code === "fr" && (this.#tens === 60 || this.#tens === 80)))
      return false;
    this.#group += part;
    this.#units = part;
    return true;
  }

  #startSlots(): boolean {
    this.#units = -1;
    this.#tens = 0;
    return true;
  }
}

function own(numbers: Record<string, number>, word: string): number | undefined {
  return Object.hasOwn(numbers, word) ? numbers[word] : undefined;
}
