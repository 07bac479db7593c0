import { OutboundError, type OutboundReply, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { AccountCheck } from "./account.ts";
import type { DialResult } from "./carrier.ts";

/** One request to a carrier's API. */
export interface CarrierRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  /** Includes the credentials. */
  headers: Record<string, string>;
  /** A form is sent URL-encoded, with repeated names kept in order; anything else as JSON. */
  body?: URLSearchParams | object;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Called right before the first byte; throws when the request must not be sent any more. */
  beforeSend?: (() => void) | undefined;
}

/** Result of a request: an answer, or a failure and whether any byte may have been sent. */
export type CarrierReply =
  | { kind: "ANSWER"; status: number; headers: Record<string, string>; json: unknown }
  | { kind: "FAILED"; sent: boolean; code: string; message: string };

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 2 * 1024 * 1024;
/** Wait when a carrier throttles without a Retry-After. */
const THROTTLED_MS = 1_000;
const LONGEST_THROTTLE_MS = 300_000;

/**
 * Sends one request to a carrier; never throws. A body that is not JSON becomes `json: null`: the status then counts.
 */
export async function callCarrier(fetch: SafeFetch, request: CarrierRequest): Promise<CarrierReply> {
  const { method, url, headers, body, signal, timeoutMs = TIMEOUT_MS, beforeSend } = request;
  try {
    const reply = await fetch(url, {
      method,
      headers: { accept: "application/json", "user-agent": "Parley", ...contentTypeOf(body), ...headers },
      ...(body === undefined ? {} : { body: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body) }),
      timeoutMs,
      maxResponseBytes: MAX_REPLY_BYTES,
      signal,
      ...(beforeSend ? { beforeSend } : {}),
    });
    return { kind: "ANSWER", status: reply.status, headers: reply.headers, json: parse(reply) };
  } catch (thrown) {
    const known = thrown instanceof OutboundError ? thrown : null;
    return {
      kind: "FAILED",
      sent: known?.bytesSent ?? true,
      code: known?.kind ?? "FAILED",
      message: toError(thrown).message,
    };
  }
}

function contentTypeOf(body: CarrierRequest["body"]): Record<string, string> {
  if (body === undefined) return {};
  const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "application/json";
  return { "content-type": type };
}

function parse({ body, truncated }: OutboundReply): unknown {
  if (truncated || body.length === 0) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

/** A carrier's own code and message for an error. */
export interface CarrierFault {
  code: string;
  message: string;
}

/**
 * Maps an unsuccessful reply to a dial, as far as all carriers agree: connection refused and 429 requeue, 5xx and a
 * time-out after bytes were sent prove nothing, wrong keys are the account's fault. Returns null for any other 4xx,
 * which the carrier's own codes distinguish.
 */
export function readDialFailure(reply: CarrierReply, name: string, fault: CarrierFault | null): DialResult | null {
  if (reply.kind === "FAILED") {
    const { sent, code, message } = reply;
    if (sent) return { kind: "UNCERTAIN", code, message: `${name} did not answer the dial: ${message}` };
    return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code, message: `${name}: ${message}` };
  }
  const { status } = reply;
  const code = fault?.code ?? `HTTP_${status}`;
  const message = fault ? `${name}: ${fault.message}` : `${name} answered ${status}.`;
  if (status === 429) {
    const refused = { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code, message } as const;
    return { ...refused, retryAfterMs: retryAfterMs(reply.headers) };
  }
  if (status === 401 || status === 403) {
    return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code, message, blame: "ACCOUNT" };
  }
  // 408: a proxy between here and the carrier gave up waiting (RFC 9110, 15.5.9).
  if (status >= 400 && status < 500 && status !== 408) return null;
  return { kind: "UNCERTAIN", code, message };
}

/** Maps a failed reply to a check of the account; null when the carrier's answer is to be read. */
export function readCheckFailure(reply: CarrierReply, name: string, fault: CarrierFault | null): AccountCheck | null {
  if (reply.kind === "FAILED") {
    return { kind: "UNREACHABLE", code: reply.code, message: `${name} could not be reached: ${reply.message}` };
  }
  const { status } = reply;
  if (status < 400) return null;
  const code = fault?.code ?? `HTTP_${status}`;
  const said = fault?.message ?? `HTTP ${status}`;
  if (status === 429 || status >= 500)
    return { kind: "UNREACHABLE", code, message: `${name} cannot tell now: ${said}` };
  return { kind: "REFUSED", code, message: `${name} refuses the account: ${said}` };
}

/** Returns the wait of a throttled request, from Retry-After in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(headers: Record<string, string>): number {
  const value = headers["retry-after"];
  if (value === undefined) return THROTTLED_MS;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(LONGEST_THROTTLE_MS, Math.max(THROTTLED_MS, ms)) : THROTTLED_MS;
}
