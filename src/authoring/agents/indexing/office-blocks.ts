import mammoth from "mammoth";
import readWorkbook from "read-excel-file/node";
import { cellText } from "#src/platform/kernel/cell-text.ts";
import { repackXml } from "#src/platform/kernel/zip-archive.ts";
import type { Block } from "./blocks.ts";
import { htmlToBlocks } from "./html-blocks.ts";
import { tableToBlocks } from "./table-blocks.ts";
import { UnreadableError } from "./unreadable.ts";

/** Limits of an unpacked archive; a document of 20 MB rarely holds more text than this. */
const ARCHIVE = { maxEntries: 5_000, maxBytes: 64 * 1024 * 1024 };
const MAX_CELLS = 1_000_000;

/** Reads a Word document's headings, paragraphs, lists and tables. Its pictures are left out. */
export async function docxToBlocks(bytes: Uint8Array): Promise<Block[]> {
  const buffer = repack(bytes);
  return reading("Word document", async () => {
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false });
    return htmlToBlocks(value);
  });
}

/** Reads all sheets of a workbook, each under its name, as rows with the names of their columns. */
export async function xlsxToBlocks(bytes: Uint8Array): Promise<Block[]> {
  const buffer = repack(bytes);
  const sheets = await reading("spreadsheet", () => readWorkbook(buffer));
  const cells = sheets.reduce((sum, { data }) => sum + data.reduce((count, row) => count + row.length, 0), 0);
  if (cells > MAX_CELLS) throw new UnreadableError(`It has more than ${MAX_CELLS} cells. Split it.`);
  return sheets.flatMap(({ sheet, data }): Block[] => {
    const rows = tableToBlocks(data.map((row) => row.map(cellText)));
    if (rows.length === 0 || sheets.length === 1) return rows;
    return [{ kind: "HEADING", level: 1, text: sheet, page: null }, ...rows];
  });
}

/** Repacks an archive without pictures and other parts that are not text, so that the rest stays below the limit. */
function repack(bytes: Uint8Array): Buffer {
  try {
    return repackXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), ARCHIVE);
  } catch (error) {
    const reason = error instanceof Error && /^(is|has) /.test(error.message) ? error.message : "is a damaged archive.";
    throw new UnreadableError(`It ${reason}`);
  }
}

async function reading<T>(kind: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw new UnreadableError(`It is not a ${kind} that can be read.`);
  }
}
