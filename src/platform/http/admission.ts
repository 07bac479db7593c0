import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "./route.ts";

/** What a request showed to identify itself (spec, "Presenting credentials"). */
export interface Presented {
  apiKey: string | undefined;
  bearer: string | undefined;
}

/** The decision on one request: who it is and what its token bucket says. */
export interface Admission {
  /** Null: nothing was presented, or it is not valid. */
  caller: Caller | null;
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

/** Decides on requests; `auth/` is the one behind it. */
export interface Gatekeeper {
  /** `draw` false: reads the bucket without taking a token. */
  admit(presented: Presented, address: string, draw: boolean): Promise<Admission>;
}

/** What a request to the dashboard's routes shows. */
export interface SessionAsk {
  headers: IncomingHttpHeaders;
  method: string;
  address: string;
  /** Of the path, where it has one. */
  workspaceId: string | undefined;
  /** The route is open to whoever is not signed in. */
  isPublic: boolean;
}

/**
 * Decides on requests to the dashboard's routes, which take sessions and no credentials, as all other routes take
 * credentials and no sessions; `console/` is the one behind it.
 */
export interface SessionGate {
  admit(ask: SessionAsk): Promise<Admission>;
}

/**
 * X-API-Key takes precedence; Authorization is read only when no X-API-Key was sent (Authentication 1). `query` is
 * given for routes that also take `apiKey` there, which is read last (headers are preferred).
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
 * The three headers of the spec, "Limits" 1. A refusal also says in Retry-After when the next token is there: to wait until
 * the bucket is full, as X-RateLimit-Reset says, would cost a caller who overshot by one a whole period.
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

/** What the headers say when the database cannot be asked: nothing is left to spend. */
export const UNKNOWN_ADMISSION: Admission = {
  caller: null,
  allowed: true,
  limit: 120,
  remaining: 0,
  resetSeconds: 1,
  nextTokenSeconds: 1,
};
