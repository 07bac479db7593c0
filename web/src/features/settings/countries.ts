/** Codes that Intl knows but that are not countries to call. */
const NO_COUNTRIES = new Set("EU EZ UN ZZ XA XB QO DD SU YU CS FX NT TP BU ZR AN UK CP DG EA IC TA AC CQ".split(" "));
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

/** All countries by code, named in the viewer's language. */
export function listCountries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(LOCALE, { type: "region", fallback: "none" });
  return LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`))
    .filter((code) => !NO_COUNTRIES.has(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label));
}
import { LOCALE } from "#web/i18n/language.ts";
