const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING = 0x3d;

/** Returns the number of base64 characters that encode this many bytes. */
export function countBase64(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Writes `count` bytes, starting at `at`, to `out` as ASCII base64; returns the number of characters. */
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

/** Decodes base64 into `out`; returns the number of bytes, or -1 when the text is not base64 or does not fit. */
export function readBase64(text: string, out: Buffer): number {
  const { length } = text;
  if (length % 4 !== 0) return -1;
  let expected = (length / 4) * 3;
  if (length > 0 && text.charCodeAt(length - 1) === PADDING)
    expected -= text.charCodeAt(length - 2) === PADDING ? 2 : 1;
  if (expected > out.length) return -1;
  // Node skips characters outside the alphabet, so a text with any decodes to fewer bytes than its length implies.
  return out.write(text, 0, "base64") === expected ? expected : -1;
}
