/** Characters that GSM 7-bit text encodes in one septet (3GPP TS 23.038, section 6.2.1). */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Characters that also need an escape (section 6.2.1.1). */
const EXTENDED = new Set("\f^{}\\[~]|€");

/**
 * Returns the number of SMS as which a text is sent and billed: 160 septets or 70 UTF-16 units alone, 153 or 67 in each
 * part of several.
 */
export function countSegments(text: string): number {
  const septets = countSeptets(text);
  if (septets === null) return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  return septets <= 160 ? 1 : Math.ceil(septets / 153);
}

/** Null when the text needs UCS-2. */
function countSeptets(text: string): number | null {
  let septets = 0;
  for (const character of text) {
    if (BASIC.has(character)) septets += 1;
    else if (EXTENDED.has(character)) septets += 2;
    else return null;
  }
  return septets;
}
