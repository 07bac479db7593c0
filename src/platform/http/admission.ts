import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "./route.ts";

/** Beginning of every API key. */
export const KEY_PREFIX = "svc_live_";

/** Credentials that a request presents. */
export interface Presented {
  apiKey: string | undefined;
  bearer: string | undefined;
}

/** Refusal of a credential that exists: it has expired (401), or may not be used from the client's address (403). */
export interface Refusal {
  code: "UNAUTHORIZED" | "FORBIDDEN";
  message: string;
}

/** The decision on one request: its caller and the state of the token bucket. */
export interface Admission {
  /** Null: no credential was presented, or it is not valid. */
  caller: Caller | null;
  /** Reason why a known credential is refused; absent for all others. */
  refusal?: Refusal;
  allowed: boolean;
  /** Bucket size. */
  limit: number;
  /** Whole tokens left. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until there is a token again; 0 while there is one. */
  nextTokenSeconds: number;
}

/** Decides on requests; implemented in `auth/`. */
export interface Gatekeeper {
  /** `draw` false: reads the bucket without taking a token. */
  admit(presented: Presented, address: string, draw: boolean): Promise<Admission>;
}

/** Facts by which a request to the dashboard's routes is admitted. */
export interface SessionAsk {
  headers: IncomingHttpHeaders;
  method: string;
  address: string;
  /** From the path, where it has one. */
  workspaceId: string | undefined;
  /** True when the route does not require a session. */
  isPublic: boolean;
}

/**
 * Decides on requests to the dashboard's routes; implemented in `console/`. These routes accept sessions and no
 * credentials, as all other routes accept credentials and no sessions.
 */
export interface SessionGate {
  admit(ask: SessionAsk): Promise<Admission>;
}

/**
 * Reads the credentials of a request. X-API-Key takes precedence; Authorization is read only when no X-API-Key was sent
 * (Authentication 1). `query` is passed for routes that also accept `apiKey` there, which is read last (headers are
 * preferred).
 */
export function readPresented(headers: IncomingHttpHeaders, query?: unknown): Presented {
  const key = headers["x-api-key"];
  if (key !== undefined) return { apiKey: Array.isArray(key) ? key.join(",") : key, bearer: undefined };
  const match = /^Bearer +(.*)$/i.exec(headers.authorization ?? "");
  const bearer = match?.[1]?.trim();
  const { apiKey } = (query ?? {}) as { apiKey?: unknown };
  if (bearer === undefined && typeof apiKey === "string") return { apiKey, bearer };
  return { apiKey: undefined, bearer };
}

/**
 * Returns the three rate-limit headers. A refusal adds Retry-After with the time until the next token:
 * X-RateLimit-Reset says when the bucket is full, and waiting so long would cost a caller who overshot by one a whole
 * period.
 */
export function rateHeaders(admission: Admission): Record<string, string> {
  const reset = String(Math.ceil(admission.resetSeconds));
  return {
    "x-ratelimit-limit": String(admission.limit),
    "x-ratelimit-remaining": String(admission.remaining),
    "x-ratelimit-reset": reset,
    ...(admission.allowed ? {} : { "retry-after": String(Math.max(1, Math.ceil(admission.nextTokenSeconds))) }),
  };
}

/** Admission used for the headers when the database cannot be queried: no tokens left. */
export const UNKNOWN_ADMISSION: Admission = {
  caller: null,
  allowed: true,
  limit: 120,
  remaining: 0,
  resetSeconds: 1,
  nextTokenSeconds: 1,
};
