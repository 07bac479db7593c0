import { Worker } from "node:worker_threads";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { Turns } from "#src/platform/kernel/turns.ts";
import type { Extracted } from "./extract-worker.ts";
import { type Chunk, extractChunks, isTextType, type Source } from "./extract.ts";
import { UnreadableError } from "./unreadable.ts";

/** Largest text that is read on the main thread: below this, starting a thread costs more than the worst text takes. */
const INLINE_BYTES = 16 * 1024;
const MAX_HEAP_MB = 768;
const MB = 1024 * 1024;
/** Limit of threads at once; one process may be given sixteen large documents at a time. */
const turns = new Turns({ slots: 2 });
const WATCH_MS = 100;

/** Time and memory that one document may take. */
interface Limits {
  timeoutMs: number;
  /** Limit of memory outside the heap, where the unpacked data of streams is kept. */
  maxBuffersMb: number;
}
const LIMITS: Limits = { timeoutMs: 30_000, maxBuffersMb: 512 };

/**
 * Makes chunks of a source without blocking the process. All but small texts are read in a thread of their own with a
 * deadline and memory limits, since a few MB of hostile HTML or PDF can keep a parser busy for minutes. Threads are
 * shared out by workspace in turn.
 */
export async function extractAside(workspaceId: string, source: Source, limits = LIMITS): Promise<Chunk[]> {
  if (source.bytes.length <= INLINE_BYTES && isTextType(source.mediaType)) return extractChunks(source);
  return turns.run(workspaceId, () => extractInThread(source, limits));
}

async function extractInThread(source: Source, limits: Limits): Promise<Chunk[]> {
  const worker = new Worker(new URL("./extract-worker.ts", import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Keeps the parser's output about a customer's file out of our log.
    stdout: true,
    stderr: true,
  });
  const watch = new AbortController();
  try {
    const answer = await Promise.race([
      listen(worker, limits, watch.signal),
      watchBuffers(worker, limits, watch.signal),
    ]);
    if ("fault" in answer) throw new UnreadableError(answer.fault);
    return answer.chunks;
  } finally {
    watch.abort();
    await worker.terminate();
  }
}

function listen(worker: Worker, { timeoutMs }: Limits, signal: AbortSignal): Promise<Extracted> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new UnreadableError(`It could not be read within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    signal.addEventListener("abort", () => clearTimeout(timer));
    worker.once("message", resolve);
    worker.once("error", (error) => {
      reject(codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error);
    });
    worker.once("exit", () => reject(new UnreadableError("It made its parser stop.")));
  });
}

/** Settles only when the thread holds too much memory outside its heap, which resourceLimits do not bound. */
function watchBuffers(worker: Worker, { maxBuffersMb }: Limits, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const look = async () => {
      // The engine answers by itself, even while the thread is inside one long step. Rejects before the thread runs.
      const stats = await worker.getHeapStatistics().catch(() => null);
      if (signal.aborted) return;
      if (stats !== null && stats.external_memory > maxBuffersMb * MB) reject(tooMuchMemory());
      else setTimeout(() => void look(), WATCH_MS).unref();
    };
    void look();
  });
}

function tooMuchMemory(): UnreadableError {
  return new UnreadableError("Reading it takes too much memory. Split it.");
}
