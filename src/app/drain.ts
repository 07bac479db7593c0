import type { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import type { Node } from "#src/interactions/dispatch/node.ts";
import type { WebCallGateway } from "#src/interactions/web-calls/web-call-gateway.ts";
import { sleep, within } from "#src/platform/kernel/async.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { TaskLookout } from "#src/platform/queue/lookout.ts";
import type { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import type { SipTrunkManager } from "./sip.ts";

/** Longest time for goodbyes and the results of the calls that they end. */
const GOODBYE_MS = 15_000;
/** Longest time for tasks for which somebody waits, such as a chat's turn or a webhook. */
const TASKS_MS = 15_000;

/** State of a drain. */
export interface DrainStatus {
  state: "RUNNING" | "DRAINING";
  liveCalls: number;
  /** Time at which live calls are ended (ISO 8601 UTC); null while the process runs. */
  deadline: string | null;
}

/** Parts that begin no more work while the process drains. */
export interface DrainParts {
  dispatcher: Pick<Dispatcher, "drain" | "liveCalls" | "sayGoodbye" | "untilIdle">;
  tasks: Pick<TaskLookout, "drain" | "drainLongWork">;
  node: Pick<Node, "drain">;
  sip: Pick<SipTrunkManager, "drain">;
  /** Pages that wait to be rung. */
  gateway: Pick<WebCallGateway, "drain">;
  /** Audio of calls, of which some passes to other nodes. */
  carrierMedia: Pick<MediaSocketGateway, "untilNonePasses">;
  log: Log;
  /** Seconds that live calls may go on when a drain does not say otherwise. */
  drainSeconds: number;
}

/** Lets a process end without hanging up on anybody: it begins nothing new, and live calls go on until a deadline. */
export class Drain {
  readonly #parts: DrainParts;
  readonly #over = Promise.withResolvers<void>();
  #deadlineMs: number | null = null;
  #hasNewDeadline = new AbortController();

  constructor(parts: DrainParts) {
    this.#parts = parts;
  }

  /** Resolves when the process may be closed: nobody is on the line, or the drain was cut short. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get status(): DrainStatus {
    const deadline = this.#deadlineMs === null ? null : new Date(this.#deadlineMs).toISOString();
    return {
      state: deadline === null ? "RUNNING" : "DRAINING",
      liveCalls: this.#parts.dispatcher.liveCalls,
      deadline,
    };
  }

  /**
   * Begins the drain: live calls may go on for `seconds` (DRAIN_SECONDS by default), then the agents say goodbye. Called
   * again with `seconds`, it changes the deadline.
   */
  begin(seconds?: number): DrainStatus {
    const isFirst = this.#deadlineMs === null;
    if (!isFirst && seconds === undefined) return this.status;
    this.#deadlineMs = nowMs() + (seconds ?? this.#parts.drainSeconds) * 1_000;
    this.#hasNewDeadline.abort();
    this.#hasNewDeadline = new AbortController();
    if (isFirst) void this.#run().finally(() => this.#over.resolve());
    return this.status;
  }

  /** Ends the drain now: whoever is still on the line is cut off by the close of the process. */
  force(): void {
    this.#deadlineMs ??= nowMs();
    this.#over.resolve();
  }

  async #run(): Promise<void> {
    const { dispatcher, tasks, node, sip, gateway, log } = this.#parts;
    dispatcher.drain();
    tasks.drainLongWork();
    sip.drain();
    gateway.drain();
    log.info("The server drains: it begins nothing new.", { ...this.status });
    void node.drain().catch((error: unknown) => {
      log.warn("The other nodes were not informed of the drain.", { error: toError(error).message });
    });
    if ((await this.#untilDeadline(this.#untilQuiet())) || dispatcher.liveCalls === 0) return;
    log.warn("The time for live calls is over: the agents say goodbye.", { liveCalls: dispatcher.liveCalls });
    dispatcher.sayGoodbye();
    await within(dispatcher.untilIdle(), GOODBYE_MS);
  }

  /** Resolves when no call is left, no task for which somebody waits, and no audio that passes to another node. */
  async #untilQuiet(): Promise<void> {
    const { dispatcher, tasks, carrierMedia } = this.#parts;
    await dispatcher.untilIdle();
    await within(tasks.drain(), TASKS_MS);
    await carrierMedia.untilNonePasses();
  }

  /** Waits for `quiet` until the deadline, which may change meanwhile. Returns whether it came in time. */
  async #untilDeadline(quiet: Promise<void>): Promise<boolean> {
    const isQuiet = quiet.then(() => true as const);
    for (;;) {
      const restMs = (this.#deadlineMs ?? 0) - nowMs();
      if (restMs <= 0) return false;
      const rest = sleep(restMs, this.#hasNewDeadline.signal).catch(() => undefined);
      if (await Promise.race([isQuiet, rest])) return true;
    }
  }
}
