import { parentPort, workerData } from "node:worker_threads";
import { toError } from "./errors.ts";

/** The other end of `runOffThread`: a worker file calls it once, with what is to be done with the input. */
export async function answerWork<Input>(work: (input: Input) => unknown): Promise<void> {
  try {
    parentPort?.postMessage({ value: await work(workerData as Input) });
  } catch (error) {
    parentPort?.postMessage({ error: toError(error).message });
  }
}
