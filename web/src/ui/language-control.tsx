import { SegmentedControl } from "@mantine/core";
import { changeLanguage, LANGUAGE, type Language, LANGUAGES } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** Choice of the dashboard's language; the page is loaded anew in it. */
export function LanguageControl() {
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t`Language of the dashboard`}
      value={LANGUAGE}
      onChange={(value) => changeLanguage(value as Language)}
      data={CHOICES}
    />
  );
}
