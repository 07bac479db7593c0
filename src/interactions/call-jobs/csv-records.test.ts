import { expect, test } from "vitest";
import { readRecords } from "./csv-records.ts";

async function* cut(text: string, pieceBytes: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Returns the records and faults of a CSV, with the lines that `skippedLines` others stand before. */
async function read(text: string, skippedLines = 0, pieceBytes = 1_000_000): Promise<unknown[]> {
  const items: unknown[] = [];
  try {
    for await (const some of readRecords(cut(text, pieceBytes))) {
      for (const item of some) {
        items.push({ ...item, bytes: undefined, line: item.line - skippedLines });
      }
    }
  } catch (error) {
    items.push(String(error));
  }
  return items;
}

/** A file whose first line names the separator is left to the parser as a whole. */
const readByParser = (text: string) => read(`sep=,\n${text}`, 1);

const TOKENS = [
  "a",
  "é",
  " ",
  ",",
  ",",
  ",",
  "\n",
  "\n",
  "\r\n",
  "\r",
  '"',
  '""',
  '"b,c"',
  ',"d ""e""",',
  '"f\ng"',
  ";",
];

/** Texts of a fixed sequence (Lehmer), so that each run compares the same ones. */
function* texts(count: number): Iterable<string> {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let i = 0; i < count; i++) {
    // Some have no quote and no lone carriage return, so that they are read to the end without the parser.
    const tokens = TOKENS.slice(0, i % 3 === 0 ? 9 : TOKENS.length);
    yield Array.from({ length: 1 + next(40) }, () => tokens[next(tokens.length)]).join("");
  }
}

test("lines that are cut without the parser are what the parser makes of them", async () => {
  for (const text of texts(600)) {
    const file = `phone,name,note\n${text}`;
    const expected = await readByParser(file);
    expect(await read(file), JSON.stringify(file)).toEqual(expected);
    expect(await read(file, 0, 17), JSON.stringify(file)).toEqual(expected);
    expect(await read(`\uFEFF${file}`, 0, 2), JSON.stringify(file)).toEqual(expected);
  }
});

test("a line longer than a piece, and one longer than the parser takes, are read as by the parser", async () => {
  for (const length of [100_000, 300_000, 1_200_000]) {
    const file = `phone,name\n1,a\n2,${"b".repeat(length)}\n3,c\n`;
    expect(await read(file, 0, 16_384)).toEqual(await readByParser(file));
  }
});
