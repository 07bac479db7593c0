/** Pattern of an e-mail address: one @ between two texts without white space (compare RFC 5321, 4.1.2). */
export const EMAIL_PATTERN = "^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$";

const EMAIL = new RegExp(EMAIL_PATTERN);

/** True for a text with the form of an e-mail address. Does not check that mail arrives there. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}
