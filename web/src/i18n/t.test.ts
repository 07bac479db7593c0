import { createElement, type ReactElement } from "react";
import { afterEach, expect, test } from "vitest";
import { setCatalogue } from "./catalogue.ts";
import { shortenKeys } from "./keys.ts";
import { chooseLanguage, chooseLocale } from "./language.ts";
import { rich } from "./rich.ts";
import { plural, t, translateName } from "./t.ts";

afterEach(() => setCatalogue(null));

test("the language is the first that the dashboard speaks, and English without one", () => {
  expect(chooseLanguage(["fr-FR", "es-MX", "de"])).toBe("es");
  expect(chooseLanguage(["", "DE-at"])).toBe("de");
  expect(chooseLanguage(["fr", "constructor"])).toBe("en");
});

test("formats follow the browser's locale of the language", () => {
  expect(chooseLocale("de", ["en-GB", "de-AT", "de"])).toBe("de-AT");
  expect(chooseLocale("es", ["en-GB"])).toBe("es");
});

test("texts without a translation are English, without the note on their sense", () => {
  expect(t`Call ${"Ada"} ${2}?`).toBe("Call Ada 2?");
  expect(t`[verb] Call`).toBe("Call");
  expect(plural(1, "{n} row of {0}", "{n} rows of {0}", "a list")).toBe("1 row of a list");
  expect(plural(1_234, "{n} row", "{n} rows")).toBe("1,234 rows");
  expect(translateName("Open")).toBe("Open");
});

test("a translation may change the order, and a value is put in as it is", () => {
  setCatalogue(
    shortenKeys({ "Put {0} on {1}": "Auf {1}: {0}", "{n} day|{n} days": { one: "{n} Tag", other: "{n} Tage" } }),
  );
  expect(t`Put ${"$& {1}"} on ${"the list"}`).toBe("Auf the list: $& {1}");
  expect([1, 0, 2].map((count) => plural(count, "{n} day", "{n} days"))).toEqual(["1 Tag", "0 Tage", "2 Tage"]);
});

test("names of constants are words of their own", () => {
  setCatalogue(shortenKeys({ Open: "Öffnen", "[name] Open": "Offen" }));
  expect([t`Open`, translateName("Open")]).toEqual(["Öffnen", "Offen"]);
});

test("a text with elements keeps each of them, where the language has it", () => {
  setCatalogue(shortenKeys({ "Read {0} first.": "Erst {0} lesen." }));
  const link = createElement("a");
  const { props } = rich`Read ${link} first.` as ReactElement<{ children: unknown[] }>;
  expect(props.children).toEqual(["Erst ", link, " lesen."]);
});
