import { type Installation, openInstallation } from "#src/interactions/dispatch/installation.ts";
import { Node } from "#src/interactions/dispatch/node.ts";
import type { Config } from "#src/platform/config/config.ts";
import { DatabaseClock } from "#src/platform/db/database-clock.ts";
import type { Databases } from "#src/platform/db/databases.ts";
import { StorageWatch } from "#src/platform/files/storage-watch.ts";
import { createOutboundGuard, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import {
  createKeepingPorts,
  createSafeFetch,
  type KeepingPorts,
  type SafeFetch,
} from "#src/platform/http/safe-fetch.ts";
import type { KeyRing } from "#src/platform/kernel/key-ring.ts";
import type { Log, ProcessLog } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import { allowInspectors, deliverToInspectors } from "#src/surfaces/webhook-inspector/own-fetch.ts";
import type { Closers } from "./closers.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { openTelemetry } from "./telemetry/telemetry.ts";

/** Dependencies that most parts of a process share. Each part chooses the pool of its purpose among `databases`. */
export interface Core {
  /** This process, as the holder of leases. */
  node: Node;
  databases: Databases;
  log: Log;
  box: SecretBox;
  /** The secrets that this process knows. */
  keys: KeyRing;
  /** Watches the disks of DATA_DIR and of recordings. */
  storage: StorageWatch;
  guard: OutboundGuard;
  safeFetch: SafeFetch;
  /** For requests to language models and speech providers: a repeat costs a little, and has no effect. */
  keeping: KeepingPorts;
  publicUrl: string;
  metrics: Metrics;
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  installation: Installation;
}

/** Starts the clock and joins as a node, on opened databases. */
export async function openCore(
  { dataDir, recordings, nodeUrl, allowPrivateNetwork, outboundAllow: allow, publicUrl, telemetry: settings }: Config,
  given: Pick<Core, "databases" | "box" | "keys"> & { log: ProcessLog },
  closers: Closers,
): Promise<Core> {
  const { databases, log, keys } = given;
  const installation = openInstallation(dataDir);
  const metrics = createMetrics();
  const telemetry = await openTelemetry(settings, { log, registry: metrics.registry, instanceId: installation.id });
  closers.add(() => telemetry.close());
  const clock = new DatabaseClock(databases.dispatch.pool, log);
  await clock.start();
  closers.add(() => clock.stop());
  const node = new Node(databases.lease, installation, log, nodeUrl, { version: readVersion(), keys });
  const storage = new StorageWatch({ DATA: dataDir, RECORDINGS: recordings.folder }, installation, log);
  closers.add(() => storage.stop());
  // Both wait for the disk.
  await Promise.all([node.join(), storage.start()]);
  closers.add(() => node.leave());
  const guard = allowInspectors(createOutboundGuard({ allowPrivateNetwork, allow }), publicUrl);
  const safeFetch = deliverToInspectors(createSafeFetch(guard), databases.dispatch.db, publicUrl);
  const keeping = createKeepingPorts(guard);
  closers.add(() => keeping.close());
  const own = { storage, node, guard, safeFetch, keeping, publicUrl, metrics };
  return { ...given, ...own, tracer: telemetry.tracer, installation };
}
