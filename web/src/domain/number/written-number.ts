/**
 * Returns a phone number without what people write between its digits ("+49 (0)30 90-1820" as +4930901820), and with a
 * plus sign for 00. Whatever else it holds stays, so that a text that is no number does not become one. In Italy and San
 * Marino the zero is a part of the number.
 */
export function toPlainNumber(written: string): string {
  return written
    .replace(/^(?!\s*(?:\+|00)\s*(?:39|378)\D)(.*?)\(0\)/s, "$1")
    .replaceAll(/[\s().\p{Dash_Punctuation}\p{Format}/]/gu, "")
    .replace(/^00/, "+");
}
