const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING = 0x3d;

/** How many letters so many bytes make. */
export function countBase64(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Writes `count` bytes from `at` on as base64 to `out`, as ASCII; gives the number of letters. */
export function writeBase64(bytes: Uint8Array, at: number, count: number, out: Uint8Array, outAt: number): number {
  let to = outAt;
  let from = at;
  for (const end = at + count - 2; from < end; from += 3) {
    const word = ((bytes[from] as number) << 16) | ((bytes[from + 1] as number) << 8) | (bytes[from + 2] as number);
    out[to] = CODES[word >> 18] as number;
    out[to + 1] = CODES[(word >> 12) & 63] as number;
    out[to + 2] = CODES[(word >> 6) & 63] as number;
    out[to + 3] = CODES[word & 63] as number;
    to += 4;
  }
  const left = at + count - from;
  if (left === 0) return to - outAt;
  const word = ((bytes[from] as number) << 16) | (left === 2 ? (bytes[from + 1] as number) << 8 : 0);
  out[to] = CODES[word >> 18] as number;
  out[to + 1] = CODES[(word >> 12) & 63] as number;
  out[to + 2] = left === 2 ? (CODES[(word >> 6) & 63] as number) : PADDING;
  out[to + 3] = PADDING;
  return to + 4 - outAt;
}

/** Reads base64 into `out`; gives the number of bytes, or -1 when the text is not base64 or does not fit. */
export function readBase64(text: string, out: Buffer): number {
  const { length } = text;
  if (length % 4 !== 0) return -1;
  let expected = (length / 4) * 3;
  if (length > 0 && text.charCodeAt(length - 1) === PADDING)
    expected -= text.charCodeAt(length - 2) === PADDING ? 2 : 1;
  if (expected > out.length) return -1;
  // Node passes over what is no letter, so that a text with such comes out shorter than its length tells.
  return out.write(text, 0, "base64") === expected ? expected : -1;
}
