/** Languages that PostgreSQL 15 and later stems, by the first part of their BCP 47 tag. */
const CONFIGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: "arabic",
    ca: "catalan",
    da: "danish",
    de: "german",
    el: "greek",
    en: "english",
    es: "spanish",
    eu: "basque",
    fi: "finnish",
    fr: "french",
    ga: "irish",
    hi: "hindi",
    hu: "hungarian",
    hy: "armenian",
    id: "indonesian",
    it: "italian",
    lt: "lithuanian",
    nb: "norwegian",
    ne: "nepali",
    nl: "dutch",
    nn: "norwegian",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sr: "serbian",
    sv: "swedish",
    ta: "tamil",
    tr: "turkish",
    yi: "yiddish",
  }),
);

/**
 * Returns the text search configuration for a language tag; 'simple', which stems nothing, for none and for any other.
 */
export function searchConfigOf(language: string | null): string {
  return CONFIGS.get(language?.split("-", 1)[0]?.toLowerCase() ?? "") ?? "simple";
}
