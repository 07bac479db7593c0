import { onToolTask } from "#src/authoring/tools/tool-task-notifier.ts";
import {
  type EndedToolTask,
  getEndedToolTasks,
  giveUpToolTask,
  type ToolTaskEnd,
} from "#src/authoring/tools/tool-task.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { Log } from "#src/platform/kernel/log.ts";

const POLL_MS = 100;

interface Awaited {
  workspaceId: string;
  id: string;
  settle(end: ToolTaskEnd | null): void;
}

/**
 * Waits for the answers of async tools. An answer that comes to this process wakes it. Those that come to other nodes
 * are found by one statement every 100 ms for all tasks together, which runs only while there are any.
 */
export class AwaitedTasks {
  readonly #db: Executor;
  readonly #log: Log;
  readonly #awaited = new Map<string, Awaited>();
  #timer: NodeJS.Timeout | undefined;
  #stopHearing: (() => void) | undefined;
  #isLooking = false;
  #mustLookAgain = false;

  constructor(db: Executor, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Returns the end of a task; null when no answer comes within `timeoutMs`. Rejects only with the reason of `signal`.
   */
  async waitFor(workspaceId: string, id: string, timeoutMs: number, signal: AbortSignal): Promise<ToolTaskEnd | null> {
    signal.throwIfAborted();
    const key = `${workspaceId}|${id}`;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: () => void = () => undefined;
    try {
      const end = await new Promise<ToolTaskEnd | null>((resolve, reject) => {
        timer = setTimeout(() => resolve(null), timeoutMs);
        onAbort = () => reject(signal.reason as Error);
        signal.addEventListener("abort", onAbort, { once: true });
        this.#awaited.set(key, { workspaceId, id, settle: resolve });
        this.#start();
      });
      return end ?? (await this.#giveUp(workspaceId, id));
    } catch (error) {
      // Nobody waits any more, so a later answer gets 409.
      await this.#giveUp(workspaceId, id);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#awaited.delete(key);
      if (this.#awaited.size === 0) this.close();
    }
  }

  /** Stops polling and listening. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stopHearing?.();
    this.#stopHearing = undefined;
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.#look(), POLL_MS).unref();
    this.#stopHearing ??= onToolTask(() => void this.#look());
    void this.#look();
  }

  /** Ends a task whose time is up. An answer may come at the same moment: the one that was stored first counts. */
  async #giveUp(workspaceId: string, id: string): Promise<ToolTaskEnd | null> {
    try {
      if (await giveUpToolTask(this.#db, workspaceId, id)) return null;
      return (await getEndedToolTasks(this.#db, [{ workspaceId, id }]))[0] ?? null;
    } catch {
      this.#log.warn("A tool task could not be ended; its own deadline ends it.");
      return null;
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#mustLookAgain = true;
      return;
    }
    this.#isLooking = true;
    try {
      do {
        this.#mustLookAgain = false;
        this.#handOut(await getEndedToolTasks(this.#db, [...this.#awaited.values()]));
      } while (this.#mustLookAgain && this.#awaited.size > 0);
    } catch {
      this.#log.warn("The answers of async tools could not be looked up; trying again.");
    } finally {
      this.#isLooking = false;
    }
  }

  #handOut(ended: readonly EndedToolTask[]): void {
    for (const { workspaceId, id, status, result, error } of ended) {
      this.#awaited.get(`${workspaceId}|${id}`)?.settle({ status, result, error });
    }
  }
}
