import { ConfigError, type Environment, readBaseUrl, readFlag, readInteger } from "./environment.ts";

/**
 * Signals that the process sends to a collector by OTLP. The OpenTelemetry SDK reads the address, headers and sampler
 * from the environment by itself.
 */
export interface TelemetrySettings {
  traces: boolean;
  metrics: boolean;
  logs: boolean;
  /** Calls a second whose conversations may begin with a trace; null: the SDK's sampler decides. */
  tracedCallsPerSecond: number | null;
  /** Milliseconds between two exports of the metrics. */
  metricsEveryMs: number;
}

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
];

/**
 * Reads the OTEL_* settings. Traces are on once an address for them is set, metrics and logs when they are asked for.
 * Throws `ConfigError` for what the SDK would ignore in silence.
 */
export function readTelemetrySettings(env: Environment): TelemetrySettings {
  const addresses = {
    OTEL_EXPORTER_OTLP_ENDPOINT: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
  };
  for (const [name, url] of Object.entries(addresses)) if (url) readBaseUrl(url, name, "http://127.0.0.1:4318");
  assertOneOf("OTEL_EXPORTER_OTLP_PROTOCOL", env.OTEL_EXPORTER_OTLP_PROTOCOL, ["http/json"]);
  assertOneOf("OTEL_TRACES_SAMPLER", env.OTEL_TRACES_SAMPLER, SAMPLERS);
  assertShare("OTEL_TRACES_SAMPLER_ARG", env.OTEL_TRACES_SAMPLER_ARG);
  const isOn = !readFlag(env, "OTEL_SDK_DISABLED");
  const hasAddress = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  return {
    traces: isOn && isExported("OTEL_TRACES_EXPORTER", env.OTEL_TRACES_EXPORTER, hasAddress),
    metrics: isOn && isExported("OTEL_METRICS_EXPORTER", env.OTEL_METRICS_EXPORTER, false),
    logs: isOn && isExported("OTEL_LOGS_EXPORTER", env.OTEL_LOGS_EXPORTER, false),
    tracedCallsPerSecond: readTracedCalls(env),
    metricsEveryMs: readInteger(env, "OTEL_METRIC_EXPORT_INTERVAL", 60_000, 1_000, 86_400_000),
  };
}

function isExported(name: string, text: string | undefined, fallback: boolean): boolean {
  assertOneOf(name, text, ["otlp", "none"]);
  return text ? text === "otlp" : fallback;
}

function readTracedCalls(env: Environment): number | null {
  if (!env.OTEL_TRACES_SAMPLER) return readInteger(env, "TRACED_CALLS_PER_SECOND", 100, 1, 100_000);
  if (!env.TRACED_CALLS_PER_SECOND) return null;
  throw new ConfigError("TRACED_CALLS_PER_SECOND and OTEL_TRACES_SAMPLER both say which calls are traced; set one.");
}

function assertOneOf(name: string, text: string | undefined, words: string[]): void {
  if (text && !words.includes(text)) throw new ConfigError(`${name} must be ${words.join(" or ")}, not "${text}".`);
}

function assertShare(name: string, text: string | undefined): void {
  if (text && !(Number(text) >= 0 && Number(text) <= 1)) {
    throw new ConfigError(`${name} must be a share of the traces from 0 to 1, not "${text}".`);
  }
}
