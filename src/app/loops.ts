import { Checkpoints } from "#src/interactions/dispatch/checkpoints.ts";
import { DialFence } from "#src/interactions/dispatch/dial-fence.ts";
import { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import type { CallParts, NodeCallParts } from "#src/interactions/dispatch/live-call.ts";
import type { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import type { Config } from "#src/platform/config/config.ts";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import type { Closers } from "./closers.ts";
import { createHousekeeper, type HousekeeperParts } from "./housekeeping.ts";
import type { SipTrunkManager } from "./sip.ts";
import type { Supervision } from "./supervision.ts";
import { createTaskPools, type TaskParts } from "./tasks.ts";
import { recordCallSpans } from "./telemetry/call-spans.ts";

/**
 * Milliseconds that live calls have to end by themselves after a stop was requested. The whole stop takes at most 5 s.
 */
const CALL_GRACE_MS = 1_500;
const TASK_GRACE_MS = 1_000;
const DIAL_TIMEOUT_MS = 5_000;
/** Milliseconds beyond the ringing time after which a silent carrier is queried. */
const CARRIER_GRACE_MS = 3_000;

/**
 * Wakes loops, in the order in which they were added. It exists before them, because the sessions that they run wake
 * them too: a callback is a row for the dispatcher, a text message a task.
 */
export class Waker {
  readonly #loops: { wake(): void }[] = [];

  /** Adds loops to wake. */
  add(...loops: { wake(): void }[]): void {
    this.#loops.push(...loops);
  }

  /** Wakes the loops that were added. */
  readonly wake = (): void => {
    for (const loop of this.#loops) loop.wake();
  };
}

/** Loops of a process that run calls and tasks. */
export interface Loops {
  dispatcher: Dispatcher;
  tasks: TaskLookout;
  checkpoints: Checkpoints;
}

/** Dependencies of the loops: those of the tasks, and those of calls. */
export type LoopParts = TaskParts &
  Pick<Supervision, "liveAudio"> &
  Pick<CallParts, "node" | "inbox" | "carrierOf" | "closeMedia" | "eventsUrl" | "onRecorded">;

/** Creates the loops; none runs yet. */
export function createLoops({ maxLiveCalls }: Config, parts: LoopParts): Loops {
  const { databases, node, log, metrics, tracer } = parts;
  const database = databases.dispatch;
  const tasks = new TaskLookout(databases.jobs, node, createTaskPools(parts), log, metrics.onTaskEnded);
  const checkpoints = new Checkpoints(database.pool, node, log);
  const calls: NodeCallParts = {
    ...parts,
    database,
    fence: new DialFence(database.pool, node, log),
    checkpoints,
    liveCalls: parts.liveAudio,
    random: () => Math.random(),
    dialTimeoutMs: DIAL_TIMEOUT_MS,
    graceMs: CARRIER_GRACE_MS,
    onDialled: metrics.onDialled,
    onEnded(row, end) {
      metrics.onEnded(row, end);
      if (tracer) recordCallSpans(tracer, row, end);
    },
  };
  return { dispatcher: new Dispatcher(calls, maxLiveCalls, () => tasks.wake(), log), tasks, checkpoints };
}

/** Starts the loops of the process's roles. */
export function startLoops(
  config: Config,
  { dispatcher, tasks, checkpoints }: Loops,
  parts: HousekeeperParts &
    Pick<Supervision, "callCommands" | "levelWriter"> & { sip: SipTrunkManager; inbound: InboundCallHandler },
  closers: Closers,
): void {
  // Web calls run in the process to which their page is connected, whatever its roles.
  checkpoints.start();
  parts.callCommands.start();
  parts.levelWriter.start();
  if (config.roles.includes("dispatch")) {
    parts.sip.start(parts.inbound);
    dispatcher.start();
  }
  closers.add(async () => {
    await dispatcher.stop(CALL_GRACE_MS);
    await parts.callCommands.stop();
    await parts.levelWriter.stop();
    await checkpoints.stop();
  });
  if (!config.roles.includes("jobs")) return;
  tasks.start();
  closers.add(() => tasks.stop(TASK_GRACE_MS));
  const housekeeper = createHousekeeper(config, parts);
  housekeeper.start();
  closers.add(() => housekeeper.stop());
}
