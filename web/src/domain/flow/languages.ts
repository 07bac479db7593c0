import { nameLanguage } from "#web/ui/format/language.ts";

/** Languages that speech providers understand and speak, as BCP 47. */
const CODES =
  "en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA ar-AE ar-EG ar-SA bg-BG bn-IN ca-ES cs-CZ da-DK de-DE de-AT de-CH el-GR es-ES es-MX es-AR es-CL es-CO es-US et-EE fa-IR fi-FI fil-PH fr-FR fr-BE fr-CA fr-CH gu-IN he-IL hi-IN hr-HR hu-HU id-ID it-IT it-CH ja-JP kn-IN ko-KR lt-LT lv-LV ml-IN mr-IN ms-MY nb-NO nl-NL nl-BE pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sr-RS sv-SE sw-KE ta-IN te-IN th-TH tr-TR uk-UA ur-PK vi-VN zh-CN zh-HK zh-TW";
const WELL_FORMED = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** A language that can be chosen: its name with its code, so that both are found. */
export interface LanguageChoice {
  value: string;
  label: string;
}

const CHOICES = CODES.split(" ")
  .map(toChoice)
  .toSorted((a, b) => a.label.localeCompare(b.label));

function toChoice(code: string): LanguageChoice {
  return { value: code, label: `${nameLanguage(code)} · ${code}` };
}

/** Returns the languages to choose from, with the chosen one and with a code that was typed in full. */
export function languageChoices(chosen: string, typed: string): LanguageChoice[] {
  const more = [chosen, typed.trim()].filter((code, i, all) => WELL_FORMED.test(code) && all.indexOf(code) === i);
  const unknown = more.filter((code) => !CHOICES.some(({ value }) => value.toLowerCase() === code.toLowerCase()));
  return [...unknown.map(toChoice), ...CHOICES];
}

/** True when a voice made for these languages can say a text in this one; one without languages says any. */
export function speaksLanguage(languages: readonly string[], language: string): boolean {
  const primary = (code: string) => code.split("-", 1)[0]?.toLowerCase();
  return languages.length === 0 || languages.some((code) => primary(code) === primary(language));
}
