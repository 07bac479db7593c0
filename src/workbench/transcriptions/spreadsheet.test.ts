import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zip } from "#kit/documents.ts";
import { repackXml } from "#src/platform/kernel/zip-archive.ts";
import { readSpreadsheet, toSpreadsheet } from "./spreadsheet.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spreadsheet-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(file: Buffer | string) {
  const path = join(folder, "sheet");
  writeFileSync(path, file);
  return readSpreadsheet(path);
}

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Returns the parts of a workbook with one sheet (ECMA-376). */
function workbook(rows: string): Record<string, string> {
  return {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "xl/workbook.xml": `<workbook ${NS} xmlns:r="${REL}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet ${NS}><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet ${NS}><sheetData>${rows}</sheetData></worksheet>`,
  };
}

const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = `<row r="1">${text("A1", "File name")}${text("B1", "agent")}${text("C1", "day")}</row>`;
const LINE = `<row r="2">${text("A2", "x.wav")}<c r="B2"><v>42.5</v></c><c r="C2" s="1"><v>46347</v></c></row>`;

describe("XLSX", () => {
  test("the first sheet's cells are read as texts, dates as days", async () => {
    const sheet = await read(zip(workbook(HEADER + LINE)));
    // 46347 days after 1899-12-30 is 2026-11-21.
    expect(sheet).toEqual({
      columns: ["agent", "day"],
      rows: [{ matchBy: "FILE_NAME", matchKey: "x.wav", cells: { agent: "42.5", day: "2026-11-21" } }],
      lines: 1,
    });
  });

  test("a time is a time and no instant of 1899, and a sum has no remains of its arithmetic", async () => {
    const heads = ["file name", "opens", "closes", "midnight", "appointment", "price"];
    const header = heads.map((name, i) => text(`${"ABCDEF"[i]}1`, name)).join("");
    const cell = (at: string, style: number, value: string) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
    // Formats 20 and 22 are h:mm and m/d/yy h:mm (ECMA-376, 18.8.30).
    const cells = [
      cell("B2", 2, "0.375"),
      cell("C2", 2, "0.77083333333333337"),
      cell("D2", 2, "0"),
      cell("E2", 3, "46347.395833333336"),
      cell("F2", 0, "0.30000000000000004"),
    ];
    const line = `<row r="2">${text("A2", "x.wav")}${cells.join("")}</row>`;
    const { rows } = await read(zip(workbook(`<row r="1">${header}</row>${line}`)));
    const times = { opens: "09:00", closes: "18:30", midnight: "00:00", appointment: "2026-11-21 09:30" };
    expect(rows[0]?.cells).toEqual({ ...times, price: "0.3" });
  });

  test("an archive that unpacks to more than 32 MiB is refused, whatever its directory claims", async () => {
    const parts = workbook(HEADER + LINE);
    const bomb = zip({ ...parts, "xl/sharedStrings.xml": Buffer.alloc(200 * 1024 * 1024, " ") });
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(read(bomb)).rejects.toThrow("file: is too large unpacked.");
  });

  test("a row or column far out is refused, not filled up to", async () => {
    const far = `<row r="4000000000">${text("A4000000000", "x.wav")}</row>`;
    await expect(read(zip(workbook(HEADER + far)))).rejects.toThrow(/^file: /);
  });

  test("a part that only a reader of local headers would find is not there any more", () => {
    const parts = zip(workbook(HEADER + LINE));
    const hidden = zip({ "xl/hidden.xml": "<x/>" });
    const offset = hidden.length;
    const joined = Buffer.concat([hidden, parts]);
    // The directory behind it counts from the start of the whole file.
    const shifted = Buffer.from(joined);
    const end = shifted.length - 22;
    const start = shifted.readUInt32LE(end + 16) + offset;
    shifted.writeUInt32LE(start, end + 16);
    for (let at = start; shifted.readUInt32LE(at) === 0x02014b50; at += 46 + shifted.readUInt16LE(at + 28)) {
      shifted.writeUInt32LE(shifted.readUInt32LE(at + 42) + offset, at + 42);
    }
    const repacked = repackXml(shifted, { maxEntries: 100, maxBytes: 1_000_000 });
    expect(repacked.includes("xl/hidden.xml")).toBe(false);
    expect(repacked.includes("xl/worksheets/sheet1.xml")).toBe(true);
  });

  test("damaged archives are refused", async () => {
    const whole = zip(workbook(HEADER + LINE));
    for (const file of [
      whole.subarray(0, 100),
      whole.subarray(0, -30),
      Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(500)]),
    ]) {
      await expect(read(file)).rejects.toThrow(/^file: /);
    }
    const reasons = new Set<string>();
    for (let at = 0; at < whole.length; at += 37) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] as number) ^ 0xff;
      try {
        repackXml(broken, { maxEntries: 100, maxBytes: 1_000_000 });
      } catch (error) {
        reasons.add(String(error).replace(/ \d+ .*$/, ""));
      }
    }
    expect([...reasons].filter((reason) => !/^Error: (is|has)\b/.test(reason))).toEqual([]);
  });
});

describe("CSV", () => {
  test("separator, BOM, quotes and blank lines are as spreadsheets write them", async () => {
    const sheet = await read('\ufeffExternal ID;File;"agent;s"\r\ne1;A.WAV;"x;y"\r\n\r\n;b.wav;\r\n;;nobody\r\n');
    expect(sheet).toEqual({
      columns: ["agent;s"],
      rows: [
        { matchBy: "EXTERNAL_ID", matchKey: "e1", cells: { "agent;s": "x;y" } },
        { matchBy: "FILE_NAME", matchKey: "a.wav", cells: { "agent;s": "x;y" } },
        { matchBy: "FILE_NAME", matchKey: "b.wav", cells: {} },
      ],
      lines: 2,
    });
  });

  test.each([
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x41]), "is neither XLSX nor UTF-8 text"],
    ["nothing", "", "needs a column fileName or externalId"],
    ["no column that names a recording", "a,b\n1,2\n", "needs a column fileName or externalId"],
    ["a column twice", "file,a,a\n", "has the column a twice"],
    ["a column without a heading", "file,\n", "has no heading in column 2"],
    ["__proto__", "file,__proto__\n", "has a heading that is not allowed"],
    ["a recording twice", "file\nx.wav\nX.WAV\n", "names x.wav again in line 3"],
    ["a cell that is too long", `file,a\nx,${"y".repeat(3_000)}\n`, "has a cell that is too long in line 2"],
    ["a quote that is never closed", 'file,a\nx,"y\n', "is not valid CSV"],
  ])("%s is refused", async (_name, file, message) => {
    await expect(read(file)).rejects.toThrow(message);
  });
});

test("more than 100,000 rows or 100 columns are refused", () => {
  expect(() => toSpreadsheet([["file"], ...Array.from({ length: 100_001 }, () => ["x"])])).toThrow("100000 rows");
  expect(() => toSpreadsheet([["file", ...Array.from({ length: 100 }, (_, i) => `c${i}`)]])).toThrow("100 columns");
});
