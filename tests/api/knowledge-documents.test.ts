import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractAside } from "#src/authoring/agents/indexing/extract-aside.ts";
import type { SourceType } from "#src/authoring/agents/indexing/extract.ts";
import { UnreadableError } from "#src/authoring/agents/indexing/unreadable.ts";
import { docx, line, OFFICE, paragraph, pdf, RELATIONS, row, STYLES, WORD, zip } from "../kit/documents.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const read = (bytes: Uint8Array | string, mediaType: SourceType, limits?: Parameters<typeof extractAside>[2]) =>
  extractAside(
    "w",
    { bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes, mediaType, charset: null },
    limits,
  );

describe("PDF", () => {
  test("its text is read in paragraphs, with the page and the headings that larger letters make", async () => {
    const bytes = pdf([
      line("Opening hours", 720, 20) +
        line("The clinic is open on every week-", 690) +
        line("day from eight to six.", 676) +
        line("It is closed on Sunday.", 640),
      line("Prices", 720, 20) + line("A haircut costs 42 euros.", 690),
    ]);
    expect(await read(bytes, PDF)).toEqual([
      {
        text: "Opening hours\n\nThe clinic is open on every weekday from eight to six.\n\nIt is closed on Sunday.",
        headings: ["Opening hours"],
        page: 1,
        searchText: null,
      },
      { text: "Prices\n\nA haircut costs 42 euros.", headings: ["Prices"], page: 2, searchText: null },
    ]);
  });

  test("what is no PDF, is cut, has too many pages or no text says so", async () => {
    const whole = pdf([line("A text.", 700)]);
    await expect(read("%PDF-1.7 and nothing else", PDF)).rejects.toThrow("not a PDF that can be read");
    await expect(read(Buffer.alloc(50_000, "%PDF-1.7 "), PDF)).rejects.toThrow("not a PDF that can be read");
    await expect(read(pdf([""]), PDF)).rejects.toThrow("scanned");
    await expect(read(pdf(Array.from({ length: 2_001 }, () => "")), PDF)).rejects.toThrow("2001 pages; at most 2000");
    for (let end = 20; end < whole.length; end += 101) {
      const [ending] = await Promise.allSettled([read(whole.subarray(0, end), PDF)]);
      expect(ending.status === "fulfilled" || ending.reason instanceof UnreadableError).toBe(true);
    }
  });

  test("a stream that unpacks to more than may be held ends with a message, and the next document is read", async () => {
    const data = deflateSync(deflateSync(Buffer.alloc(400 * 1024 * 1024, " ")));
    const bomb = pdf([{ filter: "/Filter[/FlateDecode/FlateDecode]", data }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(read(bomb, PDF, { timeoutMs: 60_000, maxBuffersMb: 64 })).rejects.toThrow("too much memory");
    expect(await read(pdf([line("Still here.", 700)]), PDF)).toMatchObject([{ text: "Still here." }]);
  }, 90_000);
});

describe("DOCX", () => {
  test("headings, paragraphs and tables are read; a table that goes on says its first row again", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => row(`Service ${i}`, `${i} euros`));
    const body = `${paragraph("Prices", "Heading1")}${paragraph("All prices hold for a year.")}<w:tbl>${row("Service", "Price")}${rows.join("")}</w:tbl>`;
    const chunks = await read(docx(body, STYLES), DOCX);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[0]?.text).toMatch(
      /^Prices\n\nAll prices hold for a year\.\n\nService \| Price\nService 0 \| 0 euros\n/,
    );
    for (const { headings, text, searchText } of chunks) {
      expect(headings).toEqual(["Prices"]);
      expect(searchText ?? text).toContain("Prices");
      expect(text).toMatch(/(^|\n\n)Service \| Price\n(Service \d+ \| \d+ euros(\n|$))+$/);
    }
    expect(chunks.at(-1)?.text).toContain("Service 59 | 59 euros");
  });

  test("a bomb, a damaged archive, a deep nest and other archives end with a message", async () => {
    const bomb = docx(paragraph("x"), { "word/footnotes.xml": Buffer.alloc(300 * 1024 * 1024, " ") });
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(read(bomb, DOCX)).rejects.toThrow("It is too large unpacked.");
    await expect(read(docx("x").subarray(0, 200), DOCX)).rejects.toBeInstanceOf(UnreadableError);
    await expect(read(zip({ "a.xml": "<a/>" }), DOCX)).rejects.toThrow("not a Word document that can be read");
    await expect(read(docx("<w:p>"), DOCX)).rejects.toBeInstanceOf(UnreadableError);
    const deep = docx(`${"<w:tbl><w:tr><w:tc>".repeat(30_000)}${"</w:tc></w:tr></w:tbl>".repeat(30_000)}`);
    await expect(read(deep, DOCX)).rejects.toBeInstanceOf(UnreadableError);
  }, 60_000);

  test("an entity that would multiply itself is not expanded", async () => {
    const lol = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(20)}">`).join("");
    const text = `<!DOCTYPE x [<!ENTITY e0 "ha">${lol}]><w:document ${WORD}><w:body>${paragraph("&e12;")}</w:body></w:document>`;
    const [ending] = await Promise.allSettled([read(docx("", { "word/document.xml": text }), DOCX)]);
    const isShort = ending.status === "fulfilled" && JSON.stringify(ending.value).length < 10_000;
    expect(isShort || (ending.status === "rejected" && ending.reason instanceof UnreadableError)).toBe(true);
  });
});

describe("XLSX", () => {
  const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const cell = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = (...rows: string[][]) =>
    `<worksheet ${NS}><sheetData>${rows.map((cells, y) => `<row r="${y + 1}">${cells.map((value, x) => cell(`${"ABC"[x]}${y + 1}`, value)).join("")}</row>`).join("")}</sheetData></worksheet>`;
  const workbook = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "xl/workbook.xml": `<workbook ${NS} xmlns:r="${OFFICE}"><sheets><sheet name="Staff" sheetId="1" r:id="r1"/><sheet name="Rooms" sheetId="2" r:id="r2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": sheet(["Name", "Phone"], ["Ada", "17"], ["Bob", "18"]),
    "xl/worksheets/sheet2.xml": sheet(["Room", "Floor"], ["Blue", "2"]),
  };

  test("every sheet is read under its name, with the columns' names before the values", async () => {
    expect(await read(zip(workbook), XLSX)).toMatchObject([
      { text: "Staff\n\nName: Ada\nPhone: 17\n\nName: Bob\nPhone: 18", headings: ["Staff"] },
      { text: "Rooms\n\nRoom: Blue\nFloor: 2", headings: ["Rooms"] },
    ]);
  });

  test("a bomb and what is no workbook end with a message", async () => {
    const bomb = zip({ ...workbook, "xl/sharedStrings.xml": Buffer.alloc(300 * 1024 * 1024, " ") });
    await expect(read(bomb, XLSX)).rejects.toThrow("It is too large unpacked.");
    await expect(read(docx("x"), XLSX)).rejects.toThrow("not a spreadsheet that can be read");
  }, 60_000);
});

test("Markdown: headings, pipe tables and fences", async () => {
  const text =
    "# One #\nFirst.\n\n## Two\n```\n# no heading\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThree\n=====\nThird.";
  expect(await read(text, "text/markdown")).toMatchObject([
    { text: "One\n\nFirst.", headings: ["One"] },
    { text: "Two\n\n```\n# no heading\n```\n\n| a | b |\n| 1 | 2 |", headings: ["One", "Two"] },
    { text: "Three\n\nThird.", headings: ["Three"] },
  ]);
});
