import { describe, expect, it } from "vitest";
import { keyOf } from "../../web/src/i18n/keys.ts";
import { checkTranslation, readCatalogue, TRANSLATED } from "../kit/dashboard/texts/catalogues.ts";
import { findLiterals } from "../kit/dashboard/texts/find-literals.ts";
import { collectMessages } from "../kit/dashboard/texts/messages.ts";

const HINT = "Run node tests/kit/dashboard/texts/update.ts, then translate what it added.";

describe("texts of the dashboard", () => {
  const messages = collectMessages();

  it.each(TRANSLATED)("are complete in %s, with every place, and nothing besides", (language) => {
    const catalogue = readCatalogue(language);
    const faults = [...messages.values()].flatMap((message) =>
      checkTranslation(message, catalogue[message.text]).map((fault) => `“${message.text}” ${fault}`),
    );
    const unused = Object.keys(catalogue).filter((text) => !messages.has(text));
    expect([...faults, ...unused.map((text) => `“${text}” is used nowhere`)], HINT).toEqual([]);
  });

  it("have short keys of their own", () => {
    expect(new Set([...messages.keys()].map(keyOf)).size).toBe(messages.size);
  });

  it("are all in the catalogue", () => {
    const outside = findLiterals().map(({ file, line, text }) => `web/src/${file}:${line} ${text}`);
    expect(outside, "Write them as t`…`, or name them in find-literals.ts if they are no language.").toEqual([]);
  });
});
