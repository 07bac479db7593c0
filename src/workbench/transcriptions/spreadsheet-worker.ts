import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/node";
import { cellText } from "#src/platform/kernel/cell-text.ts";
import { dialectOf, parserOptionsOf } from "#src/platform/kernel/csv-delimiter.ts";
import { answerWork } from "#src/platform/kernel/off-thread-work.ts";
import { repackXml } from "#src/platform/kernel/zip-archive.ts";

const ARCHIVE = { maxEntries: 1_000, maxBytes: 32 * 1024 * 1024 };
const ZIP_START = "PK\u0003\u0004";
const MAX_CELLS = 1_000_000;

await answerWork(async ({ path }: { path: string }): Promise<string[][]> => {
  const file = await readFile(path);
  const rows = file.toString("latin1", 0, 4) === ZIP_START ? await readXlsx(file) : readCsv(file);
  if (rows.reduce((sum, row) => sum + row.length, 0) > MAX_CELLS) throw new Error(`has more than ${MAX_CELLS} cells.`);
  return rows;
});

/** Returns the first sheet's cells as texts. */
async function readXlsx(file: Buffer): Promise<string[][]> {
  const archive = repackXml(file, ARCHIVE);
  try {
    return (await readSheet(archive)).map((row) => row.map(cellText));
  } catch (error) {
    throw new Error("is not a spreadsheet that can be read.", { cause: error });
  }
}

function readCsv(file: Buffer): string[][] {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch (error) {
    throw new Error("is neither XLSX nor UTF-8 text.", { cause: error });
  }
  const options = { bom: true, skip_empty_lines: true, relax_quotes: true, relax_column_count: true } as const;
  try {
    return parse(text, { ...options, ...parserOptionsOf(dialectOf(text)) });
  } catch (error) {
    throw new Error("is not valid CSV.", { cause: error });
  }
}
