/**
 * Returns a phone number without what people write between its digits ("+49 (0)30 90-1820" as +4930901820), and with a
 * plus sign for 00. Whatever else it holds stays, so that a text that is no number does not become one.
 */
export function toPlainNumber(written: string): string {
  return written.replaceAll(/\(0\)|[\s().\p{Dash_Punctuation}\p{Format}/]/gu, "").replace(/^00/, "+");
}
