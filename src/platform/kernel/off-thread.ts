import { Worker } from "node:worker_threads";
import { toError } from "./errors.ts";

/** The most workers at a time in this process; each may take its whole heap. */
const MAX_AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Time and memory limits of a piece of work, beyond which it is ended. */
export interface WorkLimits {
  timeoutMs: number;
  maxHeapMb: number;
}

/**
 * Runs the work of a worker file (`answerWork`) on `input` in a thread of its own. When untrusted bytes drive a parser
 * into an endless loop or take all memory, only that thread ends. Rejects when the work throws or is ended.
 */
export async function runOffThread(
  file: URL,
  input: unknown,
  limits: WorkLimits,
  signal?: AbortSignal,
): Promise<unknown> {
  await takePlace();
  try {
    signal?.throwIfAborted();
    return await runWorker(file, input, limits, signal);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function takePlace(): Promise<void> {
  while (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
}

function runWorker(file: URL, input: unknown, limits: WorkLimits, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      execArgv: [],
    });
    const fail = (error: unknown) => {
      finish();
      reject(toError(error));
    };
    const onAbort = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(new Error("The work took too long.")), limits.timeoutMs);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      worker.on("error", () => undefined);
      void worker.terminate();
    }
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.once("error", fail);
    worker.once("exit", () => fail(new Error("The work ended without a result.")));
    worker.once("message", (result: { value: unknown } | { error: string }) => {
      finish();
      if ("error" in result) reject(new Error(result.error));
      else resolve(result.value);
    });
  });
}
