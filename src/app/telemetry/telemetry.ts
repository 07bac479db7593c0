import type { TelemetrySettings } from "#src/platform/config/telemetry-settings.ts";
import type { Telemetry, TelemetryParts } from "./exports.ts";

/** Starts what the settings ask for. The OpenTelemetry SDK is loaded only then, because it costs memory and 0.1 s. */
export async function openTelemetry(settings: TelemetrySettings, parts: TelemetryParts): Promise<Telemetry> {
  if (!settings.traces && !settings.metrics && !settings.logs) return { tracer: null, close: async () => undefined };
  const { startExports } = await import("./exports.ts");
  return startExports(settings, parts);
}
