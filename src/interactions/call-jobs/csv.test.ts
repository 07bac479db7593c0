import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { AppError } from "#src/platform/kernel/errors.ts";
import { readCsv } from "./csv.ts";

async function* cut(text: string, chunkBytes: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function read(text: string, chunkBytes = 1_000_000): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of readCsv(cut(text, chunkBytes), 10)) rows.push(...batch);
  return rows;
}

const numbersOf = (rows: unknown[]) =>
  rows.map(
    (row) => (row as { customerNumber?: string; code?: string }).customerNumber ?? (row as { code: string }).code,
  );

test("separator, line ends and BOM are told from the header", async () => {
  const expected = [{ customerNumber: "+12025550100", contactName: "Ä, B", rowData: { town: "Köln; Deutz" }, line: 2 }];
  for (const text of [
    '\uFEFFcustomerNumber,name,town\r\n+12025550100,"Ä, B",Köln; Deutz\r\n',
    'Customer Number;Name;town\n+12025550100;"Ä, B";"Köln; Deutz"',
    "phone\tname\ttown\n+12025550100\tÄ, B\tKöln; Deutz\n",
    'phone,name,town\r+12025550100,"Ä, B",Köln; Deutz\r',
    "phone|name|town\n+12025550100|Ä, B|Köln; Deutz\n",
  ]) {
    expect(await read(text)).toMatchObject(expected);
  }
});

test("a first line says what parts the cells, and is no header", async () => {
  const expected = [{ customerNumber: "+12025550100", rowData: { "a,b,c,d": "x|y" }, line: 3 }];
  for (const text of [
    "sep=;\nphone;a,b,c,d\n+12025550100;x|y\n",
    '\uFEFFsep=;\r\nphone;"a,b,c,d"\r\n+12025550100;x|y\r\n',
    '"sep=;"\rphone;"a,b,c,d"\r+12025550100;x|y\r',
    "SEP=^\nphone^a,b,c,d\n+12025550100^x|y\n",
  ]) {
    expect(await read(text), text).toMatchObject(expected);
  }
});

test("mixed line ends, blank lines and quoted line breaks keep rows and line numbers apart", async () => {
  const text = 'phone,note\n+12025550100,"a\nb"\r\n\r\n,\n+12025550101,c\n';
  expect(await read(text)).toMatchObject([{ line: 3, rowData: { note: "a\nb" } }, { line: 6 }]);
});

test("a line break within quotes is one line, whichever it is, also of the header and before a bad line", async () => {
  const text = (end: string) =>
    ['phone,"no', 'te"', '+12025550100,"a', "", 'b"', "+12025550101", '+12025550102,"x', 'y"z', "abc,d", ""].join(end);
  for (const end of ["\n", "\r\n", "\r"]) {
    expect((await read(text(end))).map((row) => (row as { line: number }).line)).toEqual([5, 6, 8, 9]);
  }
});

test.each(["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"])(
  "a spreadsheet's own file is told apart: %j",
  async (start) => {
    const file = Buffer.from(`${start}\u0000and,\nmore`, "latin1");
    const reading = readCsv(Readable.from([file]), 10)
      [Symbol.asyncIterator]()
      .next();
    await expect(reading).rejects.toMatchObject({ details: [{ path: "file", code: "NOT_CSV" }] });
  },
);

test("rows are the same however the file is cut into pieces", async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `+1202555${String(1000 + i)},"Zoë ""${i}"", ü"`);
  const text = `phone,name\r\n${lines.join("\r\n")}\r\n`;
  const whole = await read(text);
  // The header must be in the first piece; uploads come in pieces of at least a few kilobytes.
  for (const size of [16, 17, 63, 997]) expect(await read(text, size)).toEqual(whole);
});

test("a bad line is a fault of its own and does not touch the others", async () => {
  const text = 'phone,name\n+12025550100,a\nabc,b\n+12025550101\n,c\n+12025550102,"d"x\n+12025550103,e\n';
  expect(numbersOf(await read(text))).toEqual([
    "+12025550100",
    "E164",
    "COLUMN_COUNT",
    "REQUIRED",
    "+12025550102",
    "+12025550103",
  ]);
});

test.each([
  ["CSV_QUOTE_NOT_CLOSED", "a quote that is never closed", '"b'],
  ["CSV_MAX_RECORD_SIZE", "a record that is too long", "b".repeat(1_100_000)],
  ["CSV_MAX_RECORD_SIZE", "a long record within a quote that is never closed", `"${"b\n".repeat(600_000)}`],
])("%s: %s is one fault, where it begins, with what came before it taken", async (code, _what, cell) => {
  // The parser begins again at any piece that begins with the end of a line.
  const after = `${"c".repeat(996)},+12025550102,c\n`.repeat(200);
  const rows = await read(`phone,name\n+12025550100,"a\nb"\n\n+12025550101,${cell}\n${after}`, 1_013);
  expect(rows).toMatchObject([
    { customerNumber: "+12025550100", line: 3 },
    { line: 5, code, message: expect.stringContaining("nothing from here on was read") as string },
  ]);
});

test("a batch ends after its rows, or with the row that reaches its bytes", async () => {
  const long = "x".repeat(40);
  const text = `phone,note\n${Array.from({ length: 9 }, (_, i) => `+1202555010${i},${i < 5 ? "" : long}\n`).join("")}`;
  const sizes: number[] = [];
  for await (const batch of readCsv(cut(text, 7), 4, 100)) sizes.push(batch.length);
  expect(sizes).toEqual([4, 3, 2]);
});

test("contextData is kept as it is written", async () => {
  const text =
    'phone,contextData\n+12025550100,"{""b"":1.0,""a"":2}"\n+12025550101,[1]\n+12025550102,{\n+12025550103,\n';
  expect(await read(text)).toMatchObject([
    { contextData: '{"b":1.0,"a":2}' },
    { column: "contextData" },
    { column: "contextData" },
    { contextData: null },
  ]);
});

test.each(["", "phone,phone\n1,2\n", "name\nx\n", "phone,\n1,2\n", "phone,__proto__\n1,2\n"])(
  "the header of %j is refused",
  async (text) => {
    await expect(read(text)).rejects.toBeInstanceOf(AppError);
  },
);

test("a header with two columns of one meaning is refused with both", async () => {
  await expect(read("phone,street,number\n+12025550100,High Street,7\n")).rejects.toMatchObject({
    details: [
      { code: "DUPLICATE_COLUMN", message: expect.stringMatching(/customerNumber: phone and number/) as string },
    ],
  });
});

test("a header without a number column is refused with the columns that it has", async () => {
  await expect(read("tel,town\n+12025550100,Cologne\n")).rejects.toMatchObject({
    details: [
      {
        message:
          "The header needs a column customerNumber (or phoneNumber, phone, number). It has tel, town: rename the one with the numbers.",
      },
    ],
  });
});

test("a number in another form is refused with the one that it likely means", async () => {
  const [row] = await read("phone\n+44 20 7946 0100\n");
  expect(row).toMatchObject({
    message:
      "customerNumber must be an E.164 number with its country code, such as +12025550100. Did you mean +442079460100?",
  });
});
