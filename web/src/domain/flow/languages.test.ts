import { expect, test } from "vitest";
import { languageChoices, speaksLanguage } from "./languages.ts";

test("languages are found by name and by code, the stored one among them", () => {
  const choices = languageChoices("en-US", "");
  expect(choices.find(({ value }) => value === "de-AT")?.label).toBe("Austrian German · de-AT");
  expect(choices.map(({ label }) => label)).toEqual(
    choices.map(({ label }) => label).toSorted((a, b) => a.localeCompare(b)),
  );
  expect(languageChoices("gsw-CH", "eu-ES").slice(0, 2)).toEqual([
    { value: "gsw-CH", label: "Swiss German (Switzerland) · gsw-CH" },
    { value: "eu-ES", label: "Basque (Spain) · eu-ES" },
  ]);
  expect(languageChoices("", "German")).toHaveLength(choices.length);
});

test("a voice says the language of its primary tag, and any where none is named", () => {
  expect(speaksLanguage(["en"], "en-GB")).toBe(true);
  expect(speaksLanguage(["de-DE", "EN-us"], "en-GB")).toBe(true);
  expect(speaksLanguage(["de"], "en-GB")).toBe(false);
  expect(speaksLanguage([], "en-GB")).toBe(true);
});
