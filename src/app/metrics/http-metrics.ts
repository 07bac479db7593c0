import { METHODS } from "node:http";
import { Histogram, type Registry } from "prom-client";
import type { RequestListeners } from "#src/platform/http/report-requests.ts";

/** Listener that measures requests. */
export type HttpMetrics = Required<Pick<RequestListeners, "onAnswered">>;

/** Buckets in seconds: most answers take milliseconds, and one of a second is slow. */
const BUCKETS = [0.01, 0.05, 0.2, 1, 5];

/** Creates the histogram of requests. */
export function createHttpMetrics(registers: Registry[]): HttpMetrics {
  const durations = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Duration of HTTP requests, by method, declared route and class of status; event streams are left out.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers,
  });
  return {
    onAnswered({ method, route, status, durationMs }) {
      const labels = {
        method: METHODS.includes(method) ? method : "OTHER",
        route,
        status: `${Math.floor(status / 100)}xx`,
      };
      durations.observe(labels, durationMs / 1_000);
    },
  };
}
