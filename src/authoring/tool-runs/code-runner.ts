import { Worker } from "node:worker_threads";
import { Turns } from "#src/platform/kernel/turns.ts";
import { ToolFailure } from "./tool-failure.ts";

/** Code to run, and the JSON values that it can read by name. */
export interface CodeJob {
  code: string;
  scope: Record<string, unknown>;
}

/** Result of a job; the value is JSON. */
export type CodeReply =
  | { kind: "VALUE"; json: string }
  | { kind: "FAILED"; code: "CODE_FAILED" | "CODE_TIMEOUT" | "CODE_MEMORY"; message: string };

/**
 * Threads of a process for customers' code; each takes at most one core. One workspace leaves at least one to others.
 */
const MAX_THREADS = { slots: 3, perKey: 2 };
/**
 * Longest run of a thread. The interpreter stops itself after a second of work; a thread that does not answer by then
 * is terminated.
 */
const MAX_WALL_MS = 5_000;
const MAX_SCOPE_CHARACTERS = 1_048_576;
const FILE = new URL("./code-worker.ts", import.meta.url);

/**
 * Runs JavaScript of workspaces in an interpreter of its own (QuickJS in WebAssembly) in threads of its own. The code
 * has access to its input only, and neither an endless loop nor excessive memory use affects the process.
 */
export class CodeRunner {
  readonly #turns = new Turns(MAX_THREADS);
  readonly #idle: Worker[] = [];

  /**
   * Returns the result of the code, a JSON value, once it is the workspace's turn. Throws a ToolFailure, or the reason
   * of `signal`.
   */
  async run(workspaceId: string, job: CodeJob, signal: AbortSignal): Promise<unknown> {
    if (JSON.stringify(job.scope).length > MAX_SCOPE_CHARACTERS) {
      throw new ToolFailure("CODE_FAILED", "The input of the code is too large.");
    }
    return readReply(await this.#turns.run(workspaceId, () => this.#runInThread(job, signal), { signal }));
  }

  /** Ends the idle threads; the others end with their work. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  #runInThread(job: CodeJob, signal: AbortSignal): Promise<CodeReply> {
    const worker = this.#idle.pop() ?? startWorker();
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.removeAllListeners("message").removeAllListeners("error").removeAllListeners("exit");
      };
      const end = (settle: () => void) => {
        finish();
        worker.on("error", () => undefined);
        void worker.terminate();
        settle();
      };
      const tooLong: CodeReply = { kind: "FAILED", code: "CODE_TIMEOUT", message: "The code ran for too long." };
      const broken: CodeReply = { kind: "FAILED", code: "CODE_FAILED", message: "The code could not be run." };
      const onAbort = () => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(() => resolve(tooLong)), MAX_WALL_MS);
      signal.addEventListener("abort", onAbort, { once: true });
      worker.once("error", () => end(() => resolve(broken)));
      worker.once("exit", () => end(() => resolve(broken)));
      worker.once("message", (reply: CodeReply) => {
        finish();
        this.#idle.push(worker);
        resolve(reply);
      });
      worker.postMessage(job);
    });
  }
}

/** Starts a worker without a reference, so that an idle thread does not keep the process alive. */
function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
  const worker = new Worker(FILE, { resourceLimits, env: {}, execArgv: [] });
  worker.unref();
  return worker;
}

function readReply(reply: CodeReply): unknown {
  if (reply.kind === "FAILED") throw new ToolFailure(reply.code, reply.message);
  return JSON.parse(reply.json) as unknown;
}
