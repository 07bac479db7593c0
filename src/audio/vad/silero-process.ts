import { type ChildProcess, fork } from "node:child_process";
import type { SileroModel, WindowBatch } from "./silero-batch.ts";
import { INPUT_SAMPLES, STATE_SIZE } from "./silero-vad.ts";

/** Request to the model's process. Its windows and states are no longer than `count` needs. */
export type WindowOrder = Pick<WindowBatch, "count" | "windows" | "states">;

/** Message from the model's process. */
export type FromSilero =
  | { kind: "READY" }
  | { kind: "JUDGED"; states: Float32Array; probabilities: Float32Array }
  | { kind: "FAILED"; message: string };

/**
 * Opens a model in a process of its own. ONNX Runtime blocks its thread while it computes, longer than a packet may be
 * late, and a worker thread that is ended meanwhile aborts the whole process. Rejects when the model cannot be used.
 */
export async function openSileroProcess(modelPath: string): Promise<SileroModel> {
  const model = new SileroProcess(modelPath);
  try {
    await model.ready;
    return model;
  } catch (error) {
    model.close();
    throw error;
  }
}

class SileroProcess implements SileroModel {
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  #judging: { batch: WindowBatch; done: PromiseWithResolvers<void> } | null = null;
  #end: Error | null = null;

  constructor(modelPath: string) {
    this.#child = fork(new URL("./silero-main.ts", import.meta.url), [modelPath], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [],
      // The process needs no provider keys.
      env: {},
    });
    this.#child.on("message", (message: FromSilero) => this.#take(message));
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.once("exit", (code, signal) => {
      this.#fail(new Error(`The model's process ended (${signal ?? `exit code ${code}`}).`));
    });
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  judge(batch: WindowBatch): Promise<void> {
    if (this.#end) return Promise.reject(this.#end);
    const done = Promise.withResolvers<void>();
    this.#judging = { batch, done };
    const { count, windows, states } = batch;
    const used = [windows.subarray(0, count * INPUT_SAMPLES), states.subarray(0, count * STATE_SIZE)] as const;
    const order: WindowOrder = { count, windows: used[0], states: used[1] };
    this.#child.send(order, (error) => {
      if (error) this.#fail(error);
    });
    return done.promise;
  }

  close(): void {
    this.#child.kill("SIGKILL");
  }

  #take(message: FromSilero): void {
    if (message.kind === "FAILED") this.#fail(new Error(message.message));
    else if (message.kind === "READY") this.#ready.resolve();
    else {
      this.#judging?.batch.states.set(message.states);
      this.#judging?.batch.probabilities.set(message.probabilities);
      this.#judging?.done.resolve();
    }
  }

  #fail(error: Error): void {
    this.#end ??= error;
    this.#ready.reject(this.#end);
    this.#judging?.done.reject(this.#end);
  }
}
