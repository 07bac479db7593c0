/**
 * Returns the primary language of a BCP 47 tag as speech providers name it: en for en-US. They know Norwegian by one
 * code, and not its two written forms.
 */
export function primaryLanguage(language: string): string {
  const primary = language.split("-", 1)[0]?.toLowerCase() ?? "";
  return primary === "nb" || primary === "nn" ? "no" : primary;
}

/** Returns the same for speech-to-text, which knows Filipino as Tagalog. */
export function recognisedLanguage(language: string): string {
  const primary = primaryLanguage(language);
  return primary === "fil" ? "tl" : primary;
}
