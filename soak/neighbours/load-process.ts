import { type ChildProcess, fork } from "node:child_process";
import { measureTree } from "../../bench/process-tree.ts";

/** A generator of load in a process of its own, asked for one thing at a time. */
export class LoadProcess<Ask extends object, Answer extends object> implements Disposable {
  readonly #child: ChildProcess;

  constructor(file: URL) {
    this.#child = fork(file, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }

  /** Sends an order and waits for its answer; rejects when the process ends before. */
  ask(order: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error("A load generator ended."));
      this.#child.once("exit", onExit);
      this.#child.once("message", (answer) => {
        this.#child.off("exit", onExit);
        resolve(answer as Answer);
      });
      this.#child.send(order);
    });
  }

  /** Returns the seconds of processor time that it has used. */
  cpuSeconds(): number {
    return measureTree(this.#child.pid ?? 0).cpuSeconds;
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}
