import { readSheet } from "read-excel-file/web-worker";
import { cellText } from "./cell-text.ts";

/** Reads the first sheet of a file in a thread of its own, so that the page goes on meanwhile. */
self.addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  readSheet(data).then(
    (rows) => self.postMessage({ rows: rows.map((row) => row.map(cellText)) }),
    () => self.postMessage({ rows: null }),
  );
});
