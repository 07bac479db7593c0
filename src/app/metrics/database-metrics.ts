import { Gauge, type Registry } from "prom-client";
import { type QueueFigures, readQueueFigures } from "#src/interactions/dispatch/queue-figures.ts";
import type { Databases } from "#src/platform/db/databases.ts";

/** Milliseconds for which what was read, or that it could not be read, is shown again. */
const KEPT_MS = 15_000;
/** The longest wait of a scrape for the database. */
const PATIENCE_MS = 2_000;

/** Sources of the metrics of the database. */
export interface DatabaseMetricsParts {
  databases: Pick<Databases, "housekeeping" | "measure">;
  /** Kinds of the tasks whose queues are shown. */
  taskKinds: readonly string[];
}

/** Gauges of one figure. */
const FIGURES: { name: string; help: string; of: (figures: QueueFigures) => number }[] = [
  {
    name: "parley_queue_oldest_due_seconds",
    help: "Age of the oldest due row that a number with a free slot could dial.",
    of: ({ oldestDueSeconds }) => oldestDueSeconds,
  },
  {
    name: "parley_queue_unserved_seconds",
    help: "Time for which due rows have waited at a number with a free slot that no node served meanwhile.",
    of: ({ unservedSeconds }) => unservedSeconds,
  },
  {
    name: "parley_retries_due",
    help: "Rows that are due for another attempt, of the first 10,000 that wait for one.",
    of: ({ retriesDue }) => retriesDue,
  },
];

/** Gauges of a figure for each value of a label. */
const LABELLED: { name: string; help: string; label: string; of: (figures: QueueFigures) => [string, number][] }[] = [
  {
    name: "parley_slots_in_use",
    help: "Slots of active numbers that calls hold, by provider.",
    label: "provider",
    of: ({ slots }) => slots.map(({ provider, used }) => [provider, used]),
  },
  {
    name: "parley_slots_free",
    help: "Slots of active numbers that are free, by provider.",
    label: "provider",
    of: ({ slots }) => slots.map(({ provider, free }) => [provider, free]),
  },
  {
    name: "parley_task_oldest_due_seconds",
    help: "Age of the oldest due task, by kind.",
    label: "kind",
    of: ({ tasks }) => tasks.map(({ kind, seconds }) => [kind, seconds]),
  },
  {
    name: "parley_unfinished_rows",
    help: "Rows that are not finished, by the state of their job; NONE: waiting single calls, at most 10,000.",
    label: "job",
    of: ({ unfinished }) => unfinished.map(({ job, rows }) => [job, rows]),
  },
  {
    name: "parley_open_chats",
    help: "Open chats by state, at most 10,000.",
    label: "status",
    of: ({ chats }) => chats.map(({ status, chats: count }) => [status, count]),
  },
];

/** Registers the use of the pools, and what waits in the database. */
export function registerDatabaseMetrics(registers: Registry[], { databases, taskKinds }: DatabaseMetricsParts): void {
  registerPools(registers, databases);
  const read = rememberFigures(() => readQueueFigures(databases.housekeeping.pool, taskKinds));
  for (const { name, help, of } of FIGURES) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await read();
        if (figures) gauge.set(of(figures));
        else gauge.remove();
      },
    });
  }
  for (const { name, help, label, of } of LABELLED) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const figures = await read();
        gauge.reset();
        for (const [value, count] of figures ? of(figures) : []) gauge.set({ [label]: value }, count);
      },
    });
  }
}

function registerPools(registers: Registry[], databases: Pick<Databases, "measure">): void {
  const show = (name: string, help: string, key: "inUse" | "size" | "waiting"): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers,
      collect(): void {
        for (const use of databases.measure()) gauge.set({ pool: use.pool }, use[key]);
      },
    });
  };
  show("parley_database_connections_in_use", "Connections of this process in use, by pool.", "inUse");
  show("parley_database_connections_max", "The most connections of this process, by pool.", "size");
  show("parley_database_waiting", "Work of this process that waits for a connection, by pool.", "waiting");
}

/**
 * Returns a function that reads at most once in 15 s, however many gauges and scrapes ask, and gives null when the
 * database did not answer in time.
 */
function rememberFigures(read: () => Promise<QueueFigures>): () => Promise<QueueFigures | null> {
  let figures: Promise<QueueFigures | null> = Promise.resolve(null);
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() < readAtMs + KEPT_MS) return figures;
    readAtMs = performance.now();
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), PATIENCE_MS);
    figures = Promise.race([read().catch(() => null), late.promise]).finally(() => clearTimeout(timer));
    return figures;
  };
}
