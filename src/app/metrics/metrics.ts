import { Registry } from "prom-client";
import { type CallMetrics, createCallMetrics } from "./call-metrics.ts";
import { createHousekeepingMetrics, type HousekeepingMetrics } from "./housekeeping-metrics.ts";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";
import { createProviderMetrics, type ProviderMetrics } from "./provider-metrics.ts";
import { createRecordingMetrics, type RecordingMetrics } from "./storage-metrics.ts";
import { createTaskMetrics, type TaskMetrics } from "./task-metrics.ts";

/** Counters of a process: the listeners that rooms call where a thing happens, and the registry that `/metrics` shows. */
export interface Metrics
  extends CallMetrics, TaskMetrics, HousekeepingMetrics, ProviderMetrics, HttpMetrics, RecordingMetrics {
  registry: Registry;
}

/** Creates the counters of a process. Labels have few values, all known to the source: never an id, number or text. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    ...createCallMetrics(registers),
    ...createTaskMetrics(registers),
    ...createHousekeepingMetrics(registers),
    ...createProviderMetrics(registers),
    ...createHttpMetrics(registers),
    ...createRecordingMetrics(registers),
  };
}
