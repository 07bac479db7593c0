import { crc32Of, storeZip, type ZipEntry } from "./zip.ts";

/** Value of a cell. */
export type Cell = string | number | null;

/** Longest text that Excel opens. */
const MOST_CHARACTERS = 32_767;
/** Digits of a number that Excel keeps; a longer one is written as text. */
const MOST_EXACT = 999_999_999_999_999;
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/**
 * A workbook of one sheet, compressed row by row as it grows. Texts are stored as texts, so a spreadsheet never runs one
 * as a formula and never rounds a phone number.
 */
export class Workbook {
  readonly #deflate = new CompressionStream("deflate-raw");
  readonly #writer = this.#deflate.writable.getWriter();
  readonly #compressed = new Response(this.#deflate.readable).arrayBuffer();
  #crc = 0;
  #bytes = 0;
  #rows = 0;

  /** Adds rows below the ones before. */
  async add(rows: Cell[][]): Promise<void> {
    const start = this.#rows === 0 ? SHEET_START : "";
    await this.#write(start + rows.map((cells) => toRow(cells, ++this.#rows)).join(""));
  }

  /** Returns the file; nothing can be added any more. */
  async finish(): Promise<Blob> {
    await this.#write(`${this.#rows === 0 ? SHEET_START : ""}</sheetData></worksheet>`);
    await this.#writer.close();
    const sheet: ZipEntry = {
      name: "xl/worksheets/sheet1.xml",
      data: new Uint8Array(await this.#compressed),
      isDeflated: true,
      crc: this.#crc,
      bytes: this.#bytes,
    };
    return new Blob(storeZip([...PARTS.map(([name, text]) => toEntry(name, text)), sheet]), { type: XLSX_TYPE });
  }

  async #write(text: string): Promise<void> {
    const data = new TextEncoder().encode(text);
    this.#crc = crc32Of(data, this.#crc);
    this.#bytes += data.length;
    await this.#writer.write(data);
  }
}

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OPEN_XML = "http://schemas.openxmlformats.org";
const MAIN = `${OPEN_XML}/spreadsheetml/2006/main`;
const RELATIONS = `${OPEN_XML}/officeDocument/2006/relationships`;
const PACKAGE = `${OPEN_XML}/package/2006`;
/** The first row, the header, stays in view. */
const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

const PARTS: [name: string, text: string][] = [
  [
    "[Content_Types].xml",
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

function toEntry(name: string, text: string): ZipEntry {
  const data = new TextEncoder().encode(text);
  return { name, data, isDeflated: false, crc: crc32Of(data), bytes: data.length };
}

function toRow(cells: Cell[], row: number): string {
  return `<row r="${row}">${cells.map((cell, column) => toCell(cell, `${nameOfColumn(column)}${row}`)).join("")}</row>`;
}

function toCell(value: Cell, place: string): string {
  if (value === null || value === "") return "";
  if (typeof value === "number" && Math.abs(value) <= MOST_EXACT) return `<c r="${place}"><v>${value}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${toText(String(value))}</t></is></c>`;
}

/** Returns a text as XML. Excel reads _x0041_ as a letter, so such a text gets its underscore as one. */
function toText(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  return short
    .replaceAll(NOT_IN_XML, "")
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Returns the name of a column: A, B, … Z, AA. */
function nameOfColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? nameOfColumn(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}
