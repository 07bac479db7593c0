import { parentPort, workerData } from "node:worker_threads";
import { type Chunk, extractChunks, type Source } from "./extract.ts";
import { UnreadableError } from "./unreadable.ts";

/** What the worker answers: the chunks, or why there are none. */
export type Extracted = { chunks: Chunk[] } | { fault: string };

/** Extracts, and turns an unreadable source into an answer. */
async function extract(source: Source): Promise<Extracted> {
  try {
    return { chunks: await extractChunks(source) };
  } catch (error) {
    if (error instanceof UnreadableError) return { fault: error.message };
    // Deep nesting in a stranger's document, not a fault of ours.
    if (error instanceof RangeError) return { fault: "It is built in a way that cannot be read." };
    throw error;
  }
}

parentPort?.postMessage(await extract(workerData as Source));
