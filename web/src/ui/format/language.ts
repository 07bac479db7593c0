import { LANGUAGE } from "#web/i18n/language.ts";

const names = new Intl.DisplayNames(LANGUAGE, { type: "language", fallback: "none" });

/** Name of a BCP 47 language in the page's: `en-US` as `American English`; the code when unknown. */
export function nameLanguage(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
