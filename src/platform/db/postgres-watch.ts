import { sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { PostgresFault } from "./postgres-fault.ts";
import type { Postmaster } from "./postgres-folder.ts";

/** Milliseconds between checks that the server's process exists. */
const LOOK_MS = 200;
/** Milliseconds between test connections, because a process may exist and answer nobody. */
const ASK_MS = 5_000;
/** Test connections without an answer, in a row, after which the server is brought up anew. */
const MAX_UNANSWERED = 3;
/** A server that ended before it ran this long counts as a failed start. */
const LIVED_MS = 2_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Failures in a row, at least 8 s of them, after which a new process is the only thing left to try. */
const MAX_FAILURES = 6;

/** Operations with which a watch supervises the server. */
export interface WatchedServer {
  /** True while its process runs. Cheap: called five times a second. */
  isRunning(postmaster: Postmaster): boolean;
  /** True when it accepts connections, or is about to. */
  answers(postmaster: Postmaster): Promise<boolean>;
  /** Finds or starts the server, and resolves once it accepts connections; gives up when the signal aborts. */
  bringUp(signal: AbortSignal): Promise<Postmaster>;
}

/**
 * Keeps the embedded server running: brings it up again whenever its process ends or falls silent, with growing waits
 * between failures. Calls `onHopeless` once with the reason when it fails again and again. A full disk does not count
 * as a failure, because a new process would not find more space.
 */
export class PostgresWatch {
  readonly #server: WatchedServer;
  readonly #log: Log;
  readonly #onHopeless: (reason: Error) => void;
  readonly #stop = new AbortController();
  #postmaster: Postmaster;
  #upSince = performance.now();
  #failures = 0;
  readonly #loop: Promise<void>;

  constructor(server: WatchedServer, postmaster: Postmaster, log: Log, onHopeless: (reason: Error) => void) {
    this.#server = server;
    this.#postmaster = postmaster;
    this.#log = log;
    this.#onHopeless = onHopeless;
    this.#loop = this.#run();
  }

  /** Stops watching; returns the server that ran last. */
  async stop(): Promise<Postmaster> {
    this.#stop.abort(new Error("stopping"));
    await this.#loop;
    return this.#postmaster;
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#untilGone();
      if (this.#isStopped) return;
      this.#log.warn("The embedded database ended or fell silent; it is started again.", {
        pid: this.#postmaster.pid,
      });
      if (performance.now() - this.#upSince > LIVED_MS) this.#failures = 0;
      else if (this.#fail(new Error("The embedded database ends right after each start."))) return;
      if (!(await this.#revive())) return;
    }
  }

  async #untilGone(): Promise<void> {
    let askAt = performance.now() + ASK_MS;
    let unanswered = 0;
    while (!this.#isStopped && this.#server.isRunning(this.#postmaster)) {
      await this.#pause(LOOK_MS);
      if (this.#isStopped || performance.now() < askAt) continue;
      unanswered = (await this.#server.answers(this.#postmaster)) ? 0 : unanswered + 1;
      if (unanswered >= MAX_UNANSWERED) return;
      askAt = performance.now() + ASK_MS;
    }
  }

  /** Brings the server up again. Returns false when the watch was stopped or gave up. */
  async #revive(): Promise<boolean> {
    while (!this.#isStopped) {
      try {
        if (this.#failures > 0) await this.#pause(Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS));
        this.#postmaster = await this.#server.bringUp(this.#stop.signal);
        this.#upSince = performance.now();
        this.#log.warn("The embedded database runs again.", { pid: this.#postmaster.pid });
        return true;
      } catch (error) {
        if (this.#isStopped) return false;
        if (this.#fail(toError(error))) return false;
      }
    }
    return false;
  }

  /** Counts a failure; returns true when that was one too many. */
  #fail(error: Error): boolean {
    const isWaiting = error instanceof PostgresFault && error.code === "DISK_FULL";
    if (!isWaiting) this.#failures++;
    this.#log.error("The embedded database does not come up.", { failures: this.#failures, error: error.message });
    if (this.#failures < MAX_FAILURES) return false;
    this.#onHopeless(error);
    return true;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, this.#stop.signal).catch(() => undefined);
  }
}
