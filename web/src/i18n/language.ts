/** The languages of the dashboard, by their own names. English is in the sources, the others in a catalogue each. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

/** Code of a language of the dashboard, as `<html lang>` has it. */
export type Language = keyof typeof LANGUAGES;

const STORED_AS = "parley:language";

/** Returns the first language of a list that the dashboard speaks, such as `de` for `de-AT`; English without one. */
export function chooseLanguage(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** Returns the locale to format in: that of the list which speaks the language, such as `de-AT`, or the language. */
export function chooseLocale(language: Language, wanted: readonly string[]): string {
  return wanted.find((tag) => new RegExp(`^${language}(-|$)`, "i").test(tag)) ?? language;
}

/** Languages that the browser asks for; nothing outside of one, as in tests. */
const WANTED = "document" in globalThis ? navigator.languages : [];

/** The language of this page. It stays what it is until the page is loaded anew. */
export const LANGUAGE: Language = chooseLanguage([readStored(), ...WANTED]);

/** The locale of the page's numbers, dates and names. */
export const LOCALE: string = chooseLocale(LANGUAGE, WANTED);

/** Remembers a language in this browser, for the next page that is loaded. */
export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {
    // A browser that stores nothing keeps to its own languages.
  }
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

function readStored(): string {
  try {
    return localStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}
