import { SegmentedControl } from "@mantine/core";
import { LANGUAGE, type Language, LANGUAGES, rememberLanguage } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** Loads the page anew: texts are read once, wherever they stand. A form that holds changes asks before it is left. */
function change(language: Language): void {
  rememberLanguage(language);
  window.location.reload();
}

/** Choice of the dashboard's language. */
export function LanguageControl() {
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t`Language of the dashboard`}
      value={LANGUAGE}
      onChange={(value) => change(value as Language)}
      data={CHOICES}
    />
  );
}
