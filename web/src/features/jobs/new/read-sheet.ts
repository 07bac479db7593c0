/** Time after which a file is given up that would never be read. */
const TIMEOUT_MS = 60_000;
/** Rows and cells of a sheet that are read. */
const MOST_CELLS = 4_000_000;

/** Returns the first sheet of an XLSX as CSV, or null when it is none that can be read. */
export async function readSheetAsCsv(file: Blob): Promise<string | null> {
  const rows = await readRows(file);
  if (rows === null || rows.reduce((sum, row) => sum + row.length, 0) > MOST_CELLS) return null;
  return toCsv(rows);
}

function readRows(file: Blob): Promise<string[][] | null> {
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), { type: "module" });
  return new Promise<string[][] | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), TIMEOUT_MS);
    const settle = (rows: string[][] | null) => {
      clearTimeout(timer);
      resolve(rows);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<{ rows: string[][] | null }>) => settle(data.rows));
    worker.addEventListener("error", () => settle(null));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

/**
 * Returns rows as CSV, line by line as in the sheet, and each as wide as the header: a sheet has empty cells at the end
 * of some rows and not of others.
 */
export function toCsv(rows: string[][]): string {
  const width = widthOf(rows.find((row) => widthOf(row) > 0) ?? []);
  return rows.map((row) => `${toWidth(row, width).map(quote).join(",")}\r\n`).join("");
}

/** Number of cells up to the last one that is not empty. */
function widthOf(row: string[]): number {
  return row.findLastIndex((cell) => cell.trim() !== "") + 1;
}

function toWidth(row: string[], width: number): string[] {
  const used = widthOf(row);
  return Array.from({ length: used === 0 ? 0 : Math.max(width, used) }, (_, index) => row[index] ?? "");
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
