const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Name of a BCP 47 language: `en-US` as `American English`, `de-DE` as `German (Germany)`; the code when unknown. */
export function nameLanguage(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
