import { crc32, deflateRawSync, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractAside } from "./extract-aside.ts";
import type { SourceType } from "./extract.ts";
import { UnreadableError } from "./unreadable.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const read = (bytes: Uint8Array | string, mediaType: SourceType, limits?: Parameters<typeof extractAside>[1]) =>
  extractAside({ bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes, mediaType, charset: null }, limits);

/** A PDF written by hand from the format's description (ISO 32000-1, 7.5): one content stream for each page. */
function pdf(pages: (string | { filter: string; data: Buffer })[]): Buffer {
  const pageIds = pages.map((_, i) => 4 + i * 2);
  const objects: (string | Buffer)[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${pageIds.map((id) => `${id} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  pages.forEach((page, i) => {
    const { filter, data } = typeof page === "string" ? { filter: "", data: Buffer.from(page) } : page;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + i * 2} 0 R>>`,
      Buffer.concat([Buffer.from(`<</Length ${data.length}${filter}>>stream\n`), data, Buffer.from("\nendstream")]),
    );
  });
  const pieces = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let at = 9;
  objects.forEach((object, i) => {
    const piece = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    offsets.push(at);
    pieces.push(piece);
    at += piece.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

const line = (text: string, y: number, size = 11) => `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET\n`;

/** A ZIP archive written by hand from the format's description (APPNOTE 4.3), compressed. */
function zip(parts: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    locals.push(head, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a Word document with this body (ECMA-376). */
function docx(body: string, more: Record<string, string | Buffer> = {}): Buffer {
  return zip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

const paragraph = (text: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
const STYLES = {
  "word/styles.xml": `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
};

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
