import { parentPort, workerData } from "node:worker_threads";
import { toError } from "./errors.ts";

/** Runs `work` on the input in a worker of `runOffThread` and posts the result. A worker file calls it once. */
export async function answerWork<Input>(work: (input: Input) => unknown): Promise<void> {
  try {
    parentPort?.postMessage({ value: await work(workerData as Input) });
  } catch (error) {
    parentPort?.postMessage({ error: toError(error).message });
  }
}
