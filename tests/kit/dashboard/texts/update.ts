// Brings the dashboard's catalogues up to date with its texts; what is new is to be translated by hand.
// node tests/kit/dashboard/texts/update.ts
import { TRANSLATED, updateCatalogue } from "./catalogues.ts";

for (const language of TRANSLATED) {
  const { added, dropped } = updateCatalogue(language);
  console.log(`${language}: ${added} messages to translate, ${dropped} dropped`);
}
