import { readSheet } from "read-excel-file/node";
import { expect, it } from "vitest";
import { Workbook } from "./xlsx.ts";

it("writes a sheet that is read back as it was, however many rows it is made of", async () => {
  const rows = [
    ["Name", "Number", "Cost", "Id"],
    ['=HYPERLINK("http://evil.example")', "+442070024981", 1.25, "12345678901234567890"],
    ['a <b> & "c" _x0041_ שלום\nline', null, -3, "007"],
  ];
  const workbook = new Workbook();
  await workbook.add(rows.slice(0, 1));
  await workbook.add(rows.slice(1));
  for (let i = 0; i < 20; i++)
    await workbook.add(Array.from({ length: 100 }, (_, n) => [`row ${i} ${n}`, "x", n, null]));
  const read = await readSheet(await workbook.finish());
  expect(read.slice(0, 3)).toEqual(rows);
  expect(read).toHaveLength(2_003);
  expect(read.at(-1)).toEqual(["row 19 99", "x", 99, null]);
});

it("writes a number that a spreadsheet would round as text, and leaves out what XML cannot hold", async () => {
  const workbook = new Workbook();
  await workbook.add([[1e18, "a\u0000\u0007b\uD800c", "x".repeat(40_000)]]);
  const read = await readSheet(await workbook.finish());
  expect(read[0]?.slice(0, 2)).toEqual(["1000000000000000000", "abc"]);
  expect(String(read[0]?.[2])).toHaveLength(32_767);
});
