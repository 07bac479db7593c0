import { sealClearBodies } from "#src/authoring/tools/tools.ts";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { sweepLanes } from "#src/interactions/call-jobs/run-store.ts";
import { forgetConversations } from "#src/interactions/contacts/forget.ts";
import { RecordingKeeper } from "#src/interactions/recordings/keeper.ts";
import type { RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { foldResults } from "#src/interactions/results/fold.ts";
import type { Config } from "#src/platform/config/config.ts";
import { Housekeeper, type PeriodicTask } from "#src/platform/db/housekeeping.ts";
import { forgetBuckets, forgetExpired } from "#src/platform/db/retention.ts";
import { moveOrphans } from "#src/tenancy/audit/intents.ts";
import { createRequestTrimmer } from "#src/tenancy/audit/request-log.ts";
import { warnOfExpiry } from "#src/tenancy/auth/expiry-warnings.ts";
import { rollUpUsage } from "#src/tenancy/usage/roll-up.ts";
import type { Core } from "./core.ts";

const MINUTE_MS = 60_000;
/** Pause between the runs that add ended calls to the results. */
const RESULTS_MS = 5_000;
/** Pause between the runs that roll up the counts of jobs' rows; a summary adds up what came since. */
const JOBS_MS = 20_000;

/** Dependencies of the periodic work. */
export interface HousekeeperParts extends Pick<Core, "databases" | "box" | "log" | "node" | "metrics"> {
  recordings: RecordingFiles;
}

/**
 * Builds all periodic work of a process that runs jobs. Each run is bounded. Only the tidying of recordings runs on
 * every node, because they are in the node's own directory.
 */
export function createHousekeeper(
  config: Config,
  { databases, box, log, node, metrics, recordings }: HousekeeperParts,
): Housekeeper {
  const database = databases.housekeeping;
  const { pool } = database;
  const keeper = new RecordingKeeper(database, recordings, config.recordings.retentionDays);
  const tasks: PeriodicTask[] = [
    {
      name: "usage.roll_up",
      everyMs: MINUTE_MS,
      scope: "SHARED",
      run: (signal) => rollUpUsage(pool, signal, metrics.onRolledUp),
    },
    { name: "results.fold", everyMs: RESULTS_MS, scope: "SHARED", run: (signal) => foldResults(pool, log, signal) },
    { name: "jobs.roll_up", everyMs: JOBS_MS, scope: "SHARED", run: (signal) => rollUpRows(pool, signal) },
    { name: "audit.move_orphans", everyMs: MINUTE_MS, scope: "SHARED", run: () => moveOrphans(pool) },
    { name: "lanes.sweep", everyMs: MINUTE_MS, scope: "SHARED", run: () => sweepLanes(pool) },
    { name: "requests.trim", everyMs: MINUTE_MS, scope: "SHARED", run: createRequestTrimmer(pool) },
    {
      name: "expired.forget",
      everyMs: MINUTE_MS,
      scope: "SHARED",
      run: (signal) => forgetExpired(pool, config.retention, signal),
    },
    { name: "buckets.forget", everyMs: 10 * MINUTE_MS, scope: "SHARED", run: () => forgetBuckets(pool) },
    {
      name: "conversations.forget",
      everyMs: MINUTE_MS,
      scope: "SHARED",
      run: (signal) => forgetConversations(database, signal),
    },
    {
      name: "tools.seal_bodies",
      everyMs: MINUTE_MS,
      scope: "SHARED",
      run: (signal) => sealClearBodies(database, box, signal),
    },
    {
      name: "credentials.warn_of_expiry",
      everyMs: 10 * MINUTE_MS,
      scope: "SHARED",
      run: () => warnOfExpiry(database),
    },
    { name: "recordings.tidy", everyMs: MINUTE_MS, scope: "NODE", run: () => keeper.tidy() },
  ];
  for (const { name } of tasks) metrics.expectHousekeeping(name);
  return new Housekeeper(database, node, tasks, log, metrics.onHousekeeping);
}
