import { Counter, Gauge, type Registry } from "prom-client";
import type { HousekeepingRun } from "#src/platform/db/housekeeping.ts";
import { DEFAULT_CURRENCY, USAGE_KINDS } from "#src/tenancy/usage/prices.ts";
import type { RolledUp } from "#src/tenancy/usage/roll-up.ts";

/** Listeners that count periodic work, and the costs that it adds up. */
export interface HousekeepingMetrics {
  /** Names a task that this process runs from now on. */
  expectHousekeeping: (task: string) => void;
  onHousekeeping: (run: HousekeepingRun) => void;
  onRolledUp: (sums: RolledUp[]) => void;
}

/** Creates the counters of periodic work and of the usage ledger. */
export function createHousekeepingMetrics(registers: Registry[]): HousekeepingMetrics {
  const runs = new Counter({
    name: "parley_housekeeping_runs_total",
    help: "Runs of periodic work on this node, by task and result.",
    labelNames: ["task", "result"],
    registers,
  });
  const labelNames = ["task"] as const;
  const seconds = new Counter({
    name: "parley_housekeeping_seconds_total",
    help: "Time that periodic work took on this node, by task.",
    labelNames,
    registers,
  });
  const deleted = new Counter({
    name: "parley_housekeeping_deleted_rows_total",
    help: "Rows that periodic work deleted or blanked on this node, by task, of the tasks that count them.",
    labelNames,
    registers,
  });
  const last = new Gauge({
    name: "parley_housekeeping_last_success_timestamp_seconds",
    help: "End of the last successful run on this node, by task; before the first one, the start of the process.",
    labelNames,
    registers,
  });
  const cost = new Counter({
    name: "parley_usage_cost_total",
    help: "Cost of usage in its currency, by kind; simulated: of the sandbox, which bills nothing. Counted once a minute.",
    labelNames: ["kind", "currency", "simulated"],
    registers,
  });
  for (const kind of USAGE_KINDS) cost.inc({ kind, currency: DEFAULT_CURRENCY, simulated: "false" }, 0);
  return {
    expectHousekeeping(task) {
      for (const result of ["OK", "FAILED"]) runs.inc({ task, result }, 0);
      seconds.inc({ task }, 0);
      deleted.inc({ task }, 0);
      last.setToCurrentTime({ task });
    },
    onHousekeeping({ task, result, ...run }) {
      runs.inc({ task, result });
      seconds.inc({ task }, run.seconds);
      deleted.inc({ task }, run.deleted);
      if (result === "OK") last.setToCurrentTime({ task });
    },
    onRolledUp(sums) {
      for (const { kind, currency, simulated, amount } of sums) {
        cost.inc({ kind, currency, simulated: String(simulated) }, amount);
      }
    },
  };
}
