import { Counter, Histogram, type Registry } from "prom-client";
import { COMPLETION_TASK } from "#src/interactions/call-jobs/completion.ts";
import { SESSION_TASK } from "#src/interactions/webhooks/session-webhooks.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { OnTaskEnded } from "#src/platform/queue/queue.ts";

/** Listener that counts tasks of the outbox. */
export interface TaskMetrics {
  /** Names the kinds of tasks that this process may run, whose counters begin at 0. */
  expectTasks: (kinds: readonly string[]) => void;
  onTaskEnded: OnTaskEnded;
}

const WEBHOOKS = new Set([COMPLETION_TASK, SESSION_TASK]);
const RESULTS = ["DONE", "RETRY", "LATER", "DEAD"];
/** Buckets in seconds: the waits of the ten attempts (webhooks/schedule.ts). */
const LAG_BUCKETS = [0.1, 0.5, 1, 5, 30, 300, 3_600, 21_600, 86_400];

/** Creates the counters of webhook deliveries and other tasks. */
export function createTaskMetrics(registers: Registry[]): TaskMetrics {
  const tasks = new Counter({
    name: "parley_tasks_total",
    help: "Runs of tasks other than webhooks, by kind and result.",
    labelNames: ["kind", "result"],
    registers,
  });
  const deliveries = new Counter({
    name: "parley_webhook_deliveries_total",
    help: "Attempts to deliver a webhook, by kind and result. DEAD: given up. LATER: put off without an attempt.",
    labelNames: ["kind", "result"],
    registers,
  });
  for (const kind of WEBHOOKS) for (const result of RESULTS) deliveries.inc({ kind, result }, 0);
  const lag = new Histogram({
    name: "parley_webhook_lag_seconds",
    help: "From an event to the delivery of its webhook, of those that were delivered.",
    labelNames: ["kind"],
    buckets: LAG_BUCKETS,
    registers,
  });
  return {
    expectTasks(kinds) {
      const others = kinds.filter((kind) => !WEBHOOKS.has(kind));
      for (const kind of others) for (const result of RESULTS) tasks.inc({ kind, result }, 0);
    },
    onTaskEnded({ kind, createdAt }, result) {
      if (!WEBHOOKS.has(kind)) return tasks.inc({ kind, result });
      deliveries.inc({ kind, result });
      if (result === "DONE") lag.observe({ kind }, Math.max(0, now().getTime() - createdAt.getTime()) / 1_000);
    },
  };
}
