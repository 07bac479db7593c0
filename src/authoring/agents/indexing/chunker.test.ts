import fc from "fast-check";
import { expect, test } from "vitest";
import { textToBlocks } from "./blocks.ts";
import { chunkBlocks, MAX_CHUNK_CHARS } from "./chunker.ts";

const chunkText = (text: string) => chunkBlocks(textToBlocks(text)).map((passage) => passage.text);

const sentence = (n: number) => `Sentence number ${n} says something that is of no importance at all here.`;

test("a short text is one chunk; ends of lines and empty lines are tidied", () => {
  expect(chunkText("# Hours  \r\nMonday to Friday\r\n\r\n\r\n  \r\nClosed on Sunday\t\n")).toEqual([
    "# Hours\nMonday to Friday\n\nClosed on Sunday",
  ]);
  expect(chunkText(" \n\t\n ")).toEqual([]);
});

test("paragraphs that do not fit together are parted between them, with the end of one before the next", () => {
  const first = `${"alpha ".repeat(80)}end of the first.`;
  const second = `${"beta ".repeat(100)}end of the second.`;
  const chunks = chunkText(`${first}\n\n${second}`);
  expect(chunks[0]).toBe(first);
  expect(chunks[1]).toMatch(/^alpha .*end of the first\.\n\nbeta .*end of the second\.$/s);
  expect(chunks).toHaveLength(2);
});

test("a long paragraph is parted between sentences", () => {
  const chunks = chunkText(Array.from({ length: 40 }, (_, i) => sentence(i)).join(" "));
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks) expect(chunk).toMatch(/here\.$/);
  for (let n = 0; n < 40; n++) expect(chunks.some((chunk) => chunk.includes(sentence(n)))).toBe(true);
});

test("a sentence without end is parted between words, one without spaces between characters", () => {
  for (const chunk of chunkText("word ".repeat(1_000))) expect(chunk).toMatch(/^(word ?)+$/);
  const faces = chunkText("😀".repeat(2_000));
  for (const chunk of faces) expect(chunk).toMatch(/^😀+$/u);
});

test("any text: no chunk is too long, empty or ill-formed, and nothing but space is lost", () => {
  const word = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom("\n", "\n\n", " ", ". ", "。"));
  const texts = fc.array(word, { maxLength: 400 }).map((words) => words.join("").toWellFormed());
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 6 }), (part, times) => {
      const text = part.repeat(times);
      const chunks = chunkText(text);
      let at = 0;
      const solid = text.replaceAll(/\s/g, "");
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS);
        expect(chunk.trim()).not.toBe("");
        expect(chunk.isWellFormed()).toBe(true);
        // Each chunk continues the text after repeating the end of the chunk before.
        const found = solid.lastIndexOf(chunk.replaceAll(/\s/g, ""), at);
        expect(found).toBeGreaterThanOrEqual(0);
        at = Math.max(at, found + chunk.replaceAll(/\s/g, "").length);
      }
      expect(at).toBe(solid.length);
    }),
    { numRuns: 200 },
  );
});
