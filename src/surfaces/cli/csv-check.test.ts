import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { isRowFault } from "#src/interactions/call-jobs/contact.ts";
import { readCsv } from "#src/interactions/call-jobs/csv.ts";
import { checkCsv, readRecords } from "./csv-check.ts";

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const MESSY = '\ufeffcustomerNumber,note\r\n"+12025550100","a, ""b""\r\nc"\r\n\r\n+12025550110,\n  \n+12025550111,last';

test.each([1, 2, 7, 1000])("records are the same as another reader's, in chunks of %i", async (size) => {
  const found: string[][] = [];
  const lines: number[] = [];
  for await (const record of readRecords(inChunks(MESSY, size))) {
    found.push(record.fields);
    lines.push(record.line);
  }
  const options = {
    bom: true,
    record_delimiter: ["\r\n", "\n"],
    skip_records_with_empty_values: true,
    relax_column_count: true,
  };
  expect(found).toEqual(parse(MESSY, options));
  expect(lines).toEqual([1, 2, 5, 7]);
});

test("counts rows, names bad lines, and knows when nobody can be rung", async () => {
  const good = await checkCsv(inChunks("name,CustomerNumber\nA,+12025550100\nB,+442079460113\n", 5));
  expect(good).toMatchObject({
    rows: 2,
    badRows: 0,
    numberColumn: "CustomerNumber",
    onlyFictional: true,
    columns: ["name", "CustomerNumber"],
  });
  const german = await checkCsv(inChunks("Name;Phone_Number\nA, B;+12025550100\n", 5));
  expect(german).toMatchObject({ rows: 1, badRows: 0, numberColumn: expect.any(String) as string });
  const bad = await checkCsv(inChunks('customerNumber\n0301234\n\n+4930123456\n ""\n', 5));
  expect(bad).toMatchObject({ rows: 2, badRows: 1, onlyFictional: false, faults: [{ line: 2 }] });
  expect(await checkCsv(inChunks("mobile\n1\n", 5))).toMatchObject({
    numberColumn: null,
    rows: 1,
    onlyFictional: false,
  });
  expect(await checkCsv(inChunks("", 5))).toMatchObject({ numberColumn: null, rows: 0, columns: [] });
});

test("a bad number says which one it likely means", async () => {
  const { faults } = await checkCsv(inChunks("phone\n0044 20 7946 0100\n020 7946 0100\n", 100));
  expect(faults.map(({ message }) => message)).toEqual([
    '"0044 20 7946 0100" is not a number such as +12025550100. Did you mean +442079460100?',
    '"020 7946 0100" is not a number such as +12025550100',
  ]);
});

test.each([
  ["bars", "name|number|note\nA|+4930123456|x\n"],
  ["a first line that names the separator", "sep=;\r\nname;number\r\nA, B;+4930123456\r\n"],
  ["more semicolons than commas", "name, first;number;note\nA;+4930123456;x\n"],
  ["line ends of an old Mac", "name,number\rA,+4930123456\r"],
  ["an inch sign", 'name,number\nA 5" pipe,+4930123456\nB 5" pipe,+12025550100\n'],
])(
  "a file with %s is read as the server reads it, so that somebody is asked before real people ring",
  async (_, text) => {
    const check = await checkCsv(inChunks(text, 100));
    const rows: object[] = [];
    for await (const batch of readCsv(Readable.from([Buffer.from(text)]), 10)) rows.push(...batch);
    expect(rows.filter((row) => !isRowFault(row))).toHaveLength(rows.length);
    expect(check).toMatchObject({ rows: rows.length, badRows: 0, onlyFictional: false });
  },
);
