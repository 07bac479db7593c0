/** Form of an E.164 number, as schemas state it. */
export const E164_PATTERN = "^\\+[1-9]\\d{6,14}$";
const E164 = new RegExp(E164_PATTERN);

/** True for an E.164 number with its plus sign (ITU-T E.164: at most 15 digits). Form only, not existence. */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/**
 * Returns the E.164 number that a text in another common way of writing means ("0044 20 7946 0100", "+44 (0)20-7946
 * 0100"), or null where the text leaves its country open. In Italy and San Marino the zero is a part of the number.
 */
export function toLikelyE164(text: string): string | null {
  const digits = text
    .replace(/^(?!\s*(?:\+|00)\s*(?:39|378)\D)(.*?)\(0\)/s, "$1")
    .replaceAll(/[\s().\-/]/g, "")
    .replace(/^00/, "+");
  return isE164(digits) ? digits : null;
}

/** Numbers set aside for fiction, as a pattern that JavaScript and PostgreSQL read alike. */
export const FICTIONAL_PATTERN = "^(?:\\+120255501|\\+4420794601|\\+612555001)([0-9]{2})$";
const FICTIONAL = new RegExp(FICTIONAL_PATTERN);

/**
 * Returns the last two digits of a number set aside for fiction (+1 202 555 01nn and its twins +44 20 7946 01nn and +61
 * 2 5550 01nn), or null. Such numbers are simulated in every workspace.
 */
export function fictionalCode(number: string): number | null {
  const digits = FICTIONAL.exec(number)?.[1];
  return digits === undefined ? null : Number(digits);
}
