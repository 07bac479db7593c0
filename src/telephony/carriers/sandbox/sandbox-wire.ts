import type { IncomingMessage, ServerResponse } from "node:http";
import { isE164 } from "#src/platform/kernel/e164.ts";
import type { SandboxDial } from "./sandbox-dial.ts";

/** Largest body that the exchange's HTTP interface accepts or returns, except for the ledger. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** An error of the exchange's HTTP interface: its status, and the two fields of the error body. */
export class WireError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Reads a whole body as JSON; an empty one becomes an empty object. Throws `WireError` 400 or 413. */
export async function readJson(message: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new WireError(413, "PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB.");
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new WireError(400, "INVALID_JSON", "The body is not valid JSON.");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new WireError(400, "INVALID_BODY", "The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

/** Sends a JSON body, unless the other side has disconnected. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.writableEnded || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Reads a dial from a body. Throws `WireError` 400 naming the field. */
export function toDialRequest(body: Record<string, unknown>): SandboxDial {
  const speed = body.sandboxSpeed;
  if (speed !== "instant" && !(typeof speed === "number" && speed > 0 && Number.isFinite(speed))) {
    throw invalid("sandboxSpeed", 'a number above 0, or "instant"');
  }
  return {
    attemptId: readText(body, "attemptId"),
    workspaceId: readText(body, "workspaceId"),
    from: readE164(body, "from"),
    to: readE164(body, "to"),
    attemptNumber: readNumberFrom(body, "attemptNumber", 1),
    ringTimeoutSeconds: readNumberFrom(body, "ringTimeoutSeconds", 0),
    eventsUrl: readUrl(body, "eventsUrl"),
    sandboxSpeed: speed,
  };
}

const MAX_TEXT = 100_000;

/** Reads a text field of `minLength` to 100,000 characters. Throws `WireError` 400. */
export function readText(body: Record<string, unknown>, field: string, minLength = 1): string {
  const value = body[field];
  if (typeof value !== "string" || value.length < minLength || value.length > MAX_TEXT) throw invalid(field, "a text");
  return value;
}

/** Reads a number field of at least `min`. Throws `WireError` 400. */
export function readNumberFrom(body: Record<string, unknown>, field: string, min: number): number {
  const value = body[field];
  if (typeof value !== "number" || !Number.isFinite(value) || value < min) throw invalid(field, `a number from ${min}`);
  return value;
}

function readE164(body: Record<string, unknown>, field: string): string {
  const value = readText(body, field);
  if (!isE164(value)) throw invalid(field, "an E.164 number");
  return value;
}

function readUrl(body: Record<string, unknown>, field: string): string {
  const value = readText(body, field);
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) throw invalid(field, "an http or https URL");
  return value;
}

function invalid(field: string, what: string): WireError {
  return new WireError(400, "INVALID_BODY", `${field} must be ${what}.`);
}
