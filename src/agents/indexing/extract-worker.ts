import { parentPort, workerData } from "node:worker_threads";
import { extractChunks, type Source, UnreadableError } from "./extract.ts";

/** What the worker answers: the chunks, or why there are none. */
export type Extracted = { chunks: ReturnType<typeof extractChunks> } | { fault: string };

/** Extracts, and turns an unreadable source into an answer. */
function extract(source: Source): Extracted {
  try {
    return { chunks: extractChunks(source) };
  } catch (error) {
    if (error instanceof UnreadableError) return { fault: error.message };
    throw error;
  }
}

parentPort?.postMessage(extract(workerData as Source));
