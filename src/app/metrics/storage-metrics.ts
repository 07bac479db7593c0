import { Counter, Gauge, type Registry } from "prom-client";
import type { RecordingMover } from "#src/interactions/recordings/move-recordings.ts";
import { RECORDING_FAULTS, type RecordingFault } from "#src/interactions/recordings/recordings.ts";
import type { StorageWatch } from "#src/platform/files/storage-watch.ts";

/** Listeners that count recordings. */
export interface RecordingMetrics {
  onRecorded: (fault: RecordingFault | null) => void;
  onMoved: (result: "OK" | "FAILED") => void;
}

/** Creates the counters of recordings. */
export function createRecordingMetrics(registers: Registry[]): RecordingMetrics {
  const recordings = new Counter({
    name: "parley_recordings_total",
    help: "Recordings of calls in real audio that ended on this node: OK, or the reason why audio is missing.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const result of ["OK", ...RECORDING_FAULTS]) recordings.inc({ result }, 0);
  const moves = new Counter({
    name: "parley_recording_moves_total",
    help: "Recordings sent to the bucket by this node, by result.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const result of ["OK", "FAILED"]) moves.inc({ result }, 0);
  return {
    onRecorded: (fault) => recordings.inc({ result: fault ?? "OK" }),
    onMoved: (result) => moves.inc({ result }),
  };
}

/** Sources of the metrics of storage. */
export interface StorageMetricsParts {
  storage: Pick<StorageWatch, "folders">;
  mover: Pick<RecordingMover, "waiting"> | null;
}

/** Registers the metrics of disks, and of recordings that wait for the bucket. */
export function registerStorageMetrics(registry: Registry, { storage, mover }: StorageMetricsParts): void {
  const registers = [registry];
  const labelNames = ["folder"] as const;
  const free: Gauge<"folder"> = new Gauge({
    name: "parley_storage_free_bytes",
    help: "Bytes free on the disk of a folder: DATA (DATA_DIR) or RECORDINGS (RECORDINGS_DIR).",
    labelNames,
    registers,
    collect(): void {
      free.reset();
      for (const { name, freeBytes } of storage.folders) if (freeBytes !== null) free.set({ folder: name }, freeBytes);
    },
  });
  const faults: Gauge<"folder" | "fault"> = new Gauge({
    name: "parley_storage_fault",
    help: "1 for a folder whose disk has a fault: FULL, LOW, READ_ONLY, SLOW, FAILED; NONE without one.",
    labelNames: ["folder", "fault"] as const,
    registers,
    collect(): void {
      faults.reset();
      for (const { name, fault } of storage.folders) faults.set({ folder: name, fault: fault ?? "NONE" }, 1);
    },
  });
  const waiting: Gauge = new Gauge({
    name: "parley_recordings_waiting",
    help: "Finished recordings in this node's folder that wait for the bucket.",
    registers,
    collect: (): void => waiting.set(mover?.waiting.count ?? 0),
  });
  const oldest: Gauge = new Gauge({
    name: "parley_recordings_oldest_waiting_seconds",
    help: "Age of the oldest recording that waits for the bucket.",
    registers,
    collect(): void {
      const since = mover?.waiting.since ?? null;
      oldest.set(since === null ? 0 : Math.max(0, (Date.now() - since) / 1_000));
    },
  });
}
