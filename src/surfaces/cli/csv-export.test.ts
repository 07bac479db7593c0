import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallRow } from "@parley/sdk";
import { parse } from "csv-parse/sync";
import { expect, onTestFinished, test } from "vitest";
import { exportCsv } from "./csv-export.ts";

const row = (over: object) =>
  ({ attempt: 1, rowData: null, extractedFields: {}, contextData: null, ...over }) as unknown as CallRow;

test("an export that is cut off at any moment leaves no people in the folder of temporary files", async () => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true });
  });
  process.env.TMPDIR = folder;
  const seen: string[][] = [];
  const look = () => void seen.push(readdirSync(folder));
  async function* rows() {
    yield row({ id: "r1", customerNumber: "+12025550100" });
    look();
  }
  await exportCsv(rows(), () => Promise.resolve(look()));
  expect(seen).toEqual([[], [], []]);
});

test("an export has a column for every key of any row, and another reader gets the same cells back", async () => {
  async function* rows() {
    yield row({
      id: "r1",
      customerNumber: "+12025550100",
      rowData: { city: "Köln, Süd" },
      extractedFields: { kept: true },
    });
    yield row({
      id: "r2",
      customerNumber: "+12025550110",
      contactName: "one\u2028two\u2029three\u0085four",
      rowData: { "=evil": "=1" },
      error: { code: "X", message: 'a "b"\nc' },
    });
  }
  let text = "";
  await exportCsv(rows(), (part) => Promise.resolve(void (text += part)));
  const found = parse(text, { columns: true }) as Record<string, string>[];
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject({
    rowId: "r1",
    customerNumber: "+12025550100",
    "rowData.city": "Köln, Süd",
    "rowData.=evil": "",
    "extracted.kept": "true",
  });
  expect(found[1]).toMatchObject({
    rowId: "r2",
    contactName: "one\u2028two\u2029three\u0085four",
    "rowData.city": "",
    "rowData.=evil": "'=1",
    error: 'a "b"\nc',
    "extracted.kept": "",
  });
});
