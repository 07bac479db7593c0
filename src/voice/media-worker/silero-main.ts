import { parentPort, workerData } from "node:worker_threads";
import { toError } from "#src/kernel/errors.ts";
import { loadSilero } from "./load-silero.ts";
import type { WindowBatch } from "./silero-batch.ts";
import { batchBuffers, type FromSilero } from "./silero-thread.ts";

/* The entry of the model's thread. */
if (!parentPort) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const tell = (message: FromSilero) => port.postMessage(message);
const fail = (error: unknown) => tell({ kind: "FAILED", message: toError(error).message });
try {
  const session = await loadSilero((workerData as { modelPath: string }).modelPath);
  port.on("message", (batch: WindowBatch) => {
    session
      .judge(batch)
      .then(() => port.postMessage({ kind: "JUDGED", batch } satisfies FromSilero, batchBuffers(batch)), fail);
  });
  tell({ kind: "READY" });
} catch (error) {
  fail(error);
}
