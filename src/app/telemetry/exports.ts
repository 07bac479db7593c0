import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Registry } from "prom-client";
import type { TelemetrySettings } from "#src/platform/config/telemetry-settings.ts";
import { within } from "#src/platform/kernel/async.ts";
import type { Log, ProcessLog } from "#src/platform/kernel/log.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";
import { CallShare } from "./call-share.ts";
import { exportLine } from "./log-records.ts";
import { RegistryProducer } from "./registry-producer.ts";
import { SpanTracer } from "./span-tracer.ts";

/** Dependencies of telemetry. */
export interface TelemetryParts {
  log: ProcessLog;
  /** Metrics of the process. */
  registry: Registry;
  /** Id of the installation. */
  instanceId: string;
}

/** Signals that a process sends to the operator's collector. */
export interface Telemetry {
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  /** Sends what waits, within a bounded time. */
  close(): Promise<void>;
}

/** Milliseconds that a stop waits for the collector. */
const CLOSE_MS = 1_000;
/** Milliseconds between two lines about a collector that fails. */
const NOTE_EVERY_MS = 60_000;
/** Milliseconds that one export may take, so that a collector that hangs holds one batch and not more. */
const EXPORT_MS = 10_000;

/**
 * Starts the exports. Spans and log records wait in queues of 2,048, and what does not fit is dropped, so a collector
 * that is down or hangs costs neither memory nor time of a call. The exporters go to the operator's own address, so they
 * do not pass the guard for addresses of users.
 */
export function startExports(settings: TelemetrySettings, parts: TelemetryParts): Telemetry {
  noteFailures(parts.log);
  const resource = describeProcess(parts.instanceId);
  const providers: { shutdown(): Promise<void> }[] = [];
  let tracer: SpanTracer | null = null;
  if (settings.traces) {
    const processor = new BatchSpanProcessor(new OTLPTraceExporter(), { exportTimeoutMillis: EXPORT_MS });
    const { tracedCallsPerSecond } = settings;
    tracer = new SpanTracer(
      processor,
      resource,
      tracedCallsPerSecond === null ? null : new CallShare(tracedCallsPerSecond),
    );
    providers.push(processor);
  }
  if (settings.metrics) providers.push(startMetrics(settings, parts, resource));
  if (settings.logs) providers.push(startLogs(parts, resource));
  return {
    tracer,
    async close() {
      await within(Promise.allSettled(providers.map((one) => one.shutdown())), CLOSE_MS);
    },
  };
}

function describeProcess(instanceId: string): Resource {
  const own = resourceFromAttributes({ "service.name": "parley", "service.instance.id": instanceId });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

function startMetrics(
  { metricsEveryMs }: TelemetrySettings,
  { registry }: TelemetryParts,
  resource: Resource,
): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, EXPORT_MS),
    metricProducers: [new RegistryProducer(registry, resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function startLogs({ log }: TelemetryParts, resource: Resource): LoggerProvider {
  const exporter = new OTLPLogExporter();
  const processors = [new BatchLogRecordProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })];
  const provider = new LoggerProvider({ resource, processors });
  const logger = provider.getLogger("parley");
  log.onLine((line) => exportLine(logger, line));
  return provider;
}

/** Logs what the SDK reports about a failing collector, once a minute at most. */
function noteFailures(log: Log): void {
  let notedMs = Number.NEGATIVE_INFINITY;
  const note = (reason: string): void => {
    if (performance.now() < notedMs + NOTE_EVERY_MS) return;
    notedMs = performance.now();
    log.warn("Telemetry could not be sent to the collector.", { reason: reason.slice(0, 300) });
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
