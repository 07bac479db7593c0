import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isPrivateAddress } from "#src/platform/http/outbound-guard.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyValue } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type DatabaseMetricsParts, registerDatabaseMetrics } from "./database-metrics.ts";
import type { Metrics } from "./metrics.ts";
import { type ProcessMetricsParts, registerProcessMetrics } from "./process-metrics.ts";
import { registerStorageMetrics, type StorageMetricsParts } from "./storage-metrics.ts";

/** Dependencies of `/metrics`. */
export interface MetricsParts extends ProcessMetricsParts, DatabaseMetricsParts, StorageMetricsParts {
  metrics: Metrics;
  /** Token that a scrape sends; undefined: machines of the same private network read without one. */
  metricsToken: string | undefined;
}

/** Registers what is read at a scrape, and returns the route `/metrics`. */
export function metricsRoute({ metrics: { registry, expectTasks }, metricsToken, ...parts }: MetricsParts): Route {
  expectTasks(parts.taskKinds);
  registerProcessMetrics(registry, parts);
  registerDatabaseMetrics([registry], parts);
  registerStorageMetrics(registry, parts);
  return route({
    audience: "public",
    access: "PUBLIC",
    tag: "Service",
    free: true,
    method: "GET",
    path: "/metrics",
    summary: "Prometheus metrics",
    replies: { 200: anyValue("text/plain") },
    async run({ headers, address }) {
      if (metricsToken === undefined) assertNear(headers, address);
      else assertToken(headers, metricsToken);
      return new Reply(200, await registry.metrics(), { "content-type": registry.contentType });
    },
  });
}

/** Refuses requests from other networks, and those through a proxy, behind which anybody may be. */
function assertNear({ forwarded, "x-forwarded-for": forwardedFor }: IncomingHttpHeaders, address: string): void {
  if (forwarded === undefined && forwardedFor === undefined && isPrivateAddress(address)) return;
  throw new AppError(
    "FORBIDDEN",
    "Without METRICS_TOKEN, only machines of the same private network that connect directly read the metrics.",
  );
}

function assertToken({ authorization = "" }: IncomingHttpHeaders, token: string): void {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  if (timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))) return;
  throw new AppError("UNAUTHORIZED", "Send METRICS_TOKEN as a bearer token.");
}
