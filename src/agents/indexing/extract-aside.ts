import { Worker } from "node:worker_threads";
import { codeOf } from "#src/kernel/errors.ts";
import type { Extracted } from "./extract-worker.ts";
import { type Chunk, extractChunks, type Source, UnreadableError } from "./extract.ts";

/** Below this, starting a thread costs more than the worst document of that size. */
const INLINE_BYTES = 16 * 1024;
const DEADLINE_MS = 30_000;
const MAX_HEAP_MB = 768;
/** Threads at once; one process may be given sixteen large documents at a time. */
const MAX_THREADS = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Makes chunks of a source without holding up the process: a large one is read in a thread of its own, which has a
 * deadline and a memory limit, since a few MB of hostile HTML can keep a parser busy for minutes.
 */
export async function extractAside(source: Source): Promise<Chunk[]> {
  if (source.bytes.length <= INLINE_BYTES) return extractChunks(source);
  if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await extractInThread(source);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function extractInThread(source: Source): Promise<Chunk[]> {
  const worker = new Worker(new URL("./extract-worker.ts", import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const answer = await listen(worker);
    if ("fault" in answer) throw new UnreadableError(answer.fault);
    return answer.chunks;
  } finally {
    await worker.terminate();
  }
}

function listen(worker: Worker): Promise<Extracted> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new UnreadableError(`It could not be read within ${DEADLINE_MS / 1000} s.`)),
      DEADLINE_MS,
    );
    worker.once("message", (answer: Extracted) => {
      clearTimeout(timer);
      resolve(answer);
    });
    worker.once("error", (error) => {
      clearTimeout(timer);
      const isTooMuch = codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isTooMuch ? new UnreadableError("Reading it takes too much memory. Split it.") : error);
    });
  });
}
