import { describe, expect, it } from "vitest";
import type { Column } from "./columns.ts";
import { sortRows } from "./columns.ts";
import { toCsv } from "./csv.ts";
import { beginFile } from "./table-file.ts";

interface Row {
  name: string | null;
  count: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: "name", header: "Name", cell: () => null, value: (row) => row.name },
  { id: "count", header: "Count", cell: () => null, value: (row) => row.count },
  { id: "menu", header: "", cell: () => null },
];

describe("CSV of a table", () => {
  it("keeps formulas from being run and numbers of phones as they are", () => {
    const names = ["=1+1", "+12025550100", "+cmd|calc", "-2", "@SUM(A1)", "\tx", "＝1"];
    const lines = toCsv(
      names.map((name) => ({ name, count: -3 })),
      COLUMNS,
    ).split("\r\n");
    expect(lines.slice(1, -1)).toEqual([
      "'=1+1,-3",
      "+12025550100,-3",
      "'+cmd|calc,-3",
      "'-2,-3",
      "'@SUM(A1),-3",
      "'\tx,-3",
      "'＝1,-3",
    ]);
  });

  it("quotes what would break a line, and leaves out columns without a value", () => {
    expect(toCsv([{ name: 'say "hi",\nnow', count: null }], COLUMNS)).toBe('Name,Count\r\n"say ""hi"",\nnow",\r\n');
  });
});

it("begins a file with a byte order mark, without which Excel takes UTF-8 for another encoding", async () => {
  const file = await beginFile("csv", COLUMNS);
  await file.add([{ name: "Jürgen", count: 1 }]);
  const bytes = await (await file.finish()).arrayBuffer();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  expect(text).toBe("\uFEFFName,Count\r\nJürgen,1\r\n");
});

describe("sorting a table", () => {
  it("orders numbers as numbers and keeps rows without a value last either way", () => {
    const rows = [10, null, 9, 100].map((count) => ({ name: null, count }));
    const counts = (isDescending: boolean) =>
      sortRows(rows, COLUMNS, { id: "count", isDescending }).map(({ count }) => count);
    expect(counts(false)).toEqual([9, 10, 100, null]);
    expect(counts(true)).toEqual([100, 10, 9, null]);
  });
});
