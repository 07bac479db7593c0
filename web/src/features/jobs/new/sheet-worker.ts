import { readSheet } from "read-excel-file/web-worker";

/** Reads the first sheet of a file in a thread of its own, so that the page goes on meanwhile. */
self.addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  readSheet(data).then(
    (rows) => self.postMessage({ rows: rows.map((row) => row.map(toText)) }),
    () => self.postMessage({ rows: null }),
  );
});

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  // Spreadsheets store a date as a day without a time.
  if (cell instanceof Date) return cell.toISOString().replace("T00:00:00.000Z", "");
  return String(cell as string | number | boolean);
}
