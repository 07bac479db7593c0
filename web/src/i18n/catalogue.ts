import { type Catalogue, keyOf, type Translation } from "./keys.ts";
import { LANGUAGE, type Language } from "./language.ts";

const LOADERS: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  de: () => import("./catalogues/de.json"),
  es: () => import("./catalogues/es.json"),
};

let catalogue: Catalogue | null = null;

/** Loads the catalogue of the page's language; it must be there before any module with texts is. */
export async function loadCatalogue(): Promise<void> {
  if (LANGUAGE !== "en") setCatalogue((await LOADERS[LANGUAGE]()).default);
}

/** Sets the translations by short key; null goes back to English. */
export function setCatalogue(translations: Catalogue | null): void {
  catalogue = translations;
}

/** Returns the translation of an English message, or null where there is none. */
export function findTranslation(message: string): Translation | null {
  return catalogue?.[keyOf(message)] ?? null;
}
