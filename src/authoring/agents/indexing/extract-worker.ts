import { parentPort, workerData } from "node:worker_threads";
import { type Chunk, extractChunks, type Source } from "./extract.ts";
import { UnreadableError } from "./unreadable.ts";

/** Message of the worker: the chunks, or the reason why there are none. */
export type Extracted = { chunks: Chunk[] } | { fault: string };

/** Extracts the chunks, and returns the reason when the source is unreadable. */
async function extract(source: Source): Promise<Extracted> {
  try {
    return { chunks: await extractChunks(source) };
  } catch (error) {
    if (error instanceof UnreadableError) return { fault: error.message };
    // Deep nesting in a customer's document, not a fault of ours.
    if (error instanceof RangeError) return { fault: "It is built in a way that cannot be read." };
    throw error;
  }
}

parentPort?.postMessage(await extract(workerData as Source));
