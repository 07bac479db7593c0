/** One part of what was typed. A call fits that has any of these. */
export interface SearchPart {
  /** How a word of the name begins. */
  word?: string;
  /** How the number starts, with its plus. */
  start?: string;
  /** Digits that stand anywhere in the number. */
  digits?: string;
}

const MOST_PARTS = 5;
const LONGEST_WORD = 60;
const LONGEST_NUMBER = 15;
/** Fewer digits with a zero before them may be the end of a number; more are written as people dial at home. */
const SHORTEST_AT_HOME = 6;
const SHORTEST_PIECE = 3;

/** Reads what was typed into a search for calls; each part narrows the list. */
export function readSearch(text: string): SearchPart[] {
  if (/^[\d\s+()./-]*$/.test(text)) return readNumber(text);
  // As name_words of the database takes names apart.
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
