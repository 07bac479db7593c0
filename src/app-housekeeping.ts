import { moveOrphans } from "#src/audit/intents.ts";
import { createRequestTrimmer } from "#src/audit/request-log.ts";
import { sweepLanes } from "#src/call-jobs/run-store.ts";
import type { Config } from "#src/config/config.ts";
import { forgetConversations } from "#src/contacts/erase.ts";
import { Housekeeper, type PeriodicTask } from "#src/db/housekeeping.ts";
import { forgetBuckets, forgetExpired } from "#src/db/retention.ts";
import { RecordingKeeper } from "#src/recordings/keeper.ts";
import { sealClearBodies } from "#src/tools/tools.ts";
import { rollUpUsage } from "#src/usage/roll-up.ts";
import type { Context } from "./context.ts";

const MINUTE_MS = 60_000;

/**
 * Builds all periodic work of a process that runs jobs. Each run is bounded, and only the tidying of recordings, which lie
 * in this node's folder, is every node's own.
 */
export function createHousekeeper(
  config: Config,
  { database, box, log, node, recordings }: Pick<Context, "database" | "box" | "log" | "node" | "recordings">,
): Housekeeper {
  const { pool } = database;
  const keeper = new RecordingKeeper(database, recordings, config.recordings.retentionDays);
  const tasks: PeriodicTask[] = [
    { name: "usage.roll_up", everyMs: MINUTE_MS, scope: "SHARED", run: (signal) => rollUpUsage(pool, signal) },
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
    { name: "recordings.tidy", everyMs: MINUTE_MS, scope: "NODE", run: () => keeper.tidy() },
  ];
  return new Housekeeper(database, node, tasks, log);
}
