/** One part of the search text. A call matches when any of these fields does. */
export interface SearchPart {
  /** Start of a word of the name. */
  word?: string;
  /** Start of the number, with its plus. */
  start?: string;
  /** Digits anywhere in the number. */
  digits?: string;
}

const MOST_PARTS = 5;
const LONGEST_WORD = 60;
const LONGEST_NUMBER = 15;
/** Fewer digits after a leading zero may be the end of a number; more are a national number with its trunk prefix. */
const SHORTEST_AT_HOME = 6;
const SHORTEST_PIECE = 3;

/** Parses the text of a search for calls. Each part narrows the list. */
export function readSearch(text: string): SearchPart[] {
  if (/^[\d\s+()./-]*$/.test(text)) return readNumber(text);
  // Splits names as the database function name_words does.
  const words = text.split(/[\s.,;:()"'/_-]+/).filter((word) => word !== "");
  return words.slice(0, MOST_PARTS).map((word) => ({
    word: word.slice(0, LONGEST_WORD),
    ...(isPiece(word) ? { digits: word } : {}),
  }));
}

function isPiece(word: string): boolean {
  return /^\d+$/.test(word) && word.length >= SHORTEST_PIECE && word.length <= LONGEST_NUMBER;
}

function readNumber(text: string): SearchPart[] {
  const digits = text.replace(/\D/g, "");
  if (digits === "") return [];
  if (/^\s*\(?\s*\+/.test(text)) return [{ start: `+${digits.slice(0, LONGEST_NUMBER)}` }];
  if (digits.length < SHORTEST_PIECE) return [{ start: `+${digits}` }];
  const isLong = digits.length >= SHORTEST_AT_HOME;
  if (isLong && digits.startsWith("00")) return [{ start: `+${digits.slice(2, 2 + LONGEST_NUMBER)}` }];
  return [{ digits: (isLong && digits.startsWith("0") ? digits.slice(1) : digits).slice(0, LONGEST_NUMBER) }];
}
