import { Worker } from "node:worker_threads";
import type { SileroModel, WindowBatch } from "./silero-batch.ts";

/** What the model's thread tells. */
export type FromSilero =
  | { kind: "READY" }
  | { kind: "JUDGED"; batch: WindowBatch }
  | { kind: "FAILED"; message: string };

/** What moves from thread to thread with a batch. */
export function batchBuffers({ windows, states, probabilities }: WindowBatch): ArrayBuffer[] {
  return [windows.buffer, states.buffer, probabilities.buffer];
}

/**
 * Opens a model in a thread of its own: ONNX Runtime blocks its thread while it computes, which with some hundred
 * calls is longer than a packet may be late. Rejects when the model cannot be used.
 */
export async function openSileroThread(modelPath: string): Promise<SileroModel> {
  const thread = new SileroThread(modelPath);
  try {
    await thread.ready;
    return thread;
  } catch (error) {
    thread.close();
    throw error;
  }
}

class SileroThread implements SileroModel {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  #judging: PromiseWithResolvers<WindowBatch> | null = null;
  #end: Error | null = null;

  constructor(modelPath: string) {
    this.#worker = new Worker(new URL("./silero-main.ts", import.meta.url), {
      name: "parley-silero",
      workerData: { modelPath },
    });
    this.#worker.on("message", (message: FromSilero) => this.#take(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.once("exit", () => this.#fail(new Error("The model's thread ended.")));
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  judge(batch: WindowBatch): Promise<WindowBatch> {
    if (this.#end) return Promise.reject(this.#end);
    this.#judging = Promise.withResolvers<WindowBatch>();
    this.#worker.postMessage(batch, batchBuffers(batch));
    return this.#judging.promise;
  }

  close(): void {
    void this.#worker.terminate();
  }

  #take(message: FromSilero): void {
    if (message.kind === "READY") this.#ready.resolve();
    else if (message.kind === "JUDGED") this.#judging?.resolve(message.batch);
    else this.#fail(new Error(message.message));
  }

  #fail(error: Error): void {
    this.#end ??= error;
    this.#ready.reject(this.#end);
    this.#judging?.reject(this.#end);
  }
}
