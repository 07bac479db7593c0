import { OutboundError, type OutboundReply } from "#src/platform/http/safe-fetch.ts";
import { parseObject } from "#src/platform/kernel/json-object.ts";
import { BatchSttError } from "./batch-stt.ts";

/** Largest reply that is read. A transcript of five hours with every word timed twice has about 15 MB. */
export const MAX_REPLY_BYTES = 32 * 1024 * 1024;
const MAX_RETRY_AFTER_MS = 600_000;
const MAX_REASON_CHARACTERS = 300;

/** Returns the JSON object of a provider's 2xx reply. Throws the matching BatchSttError for any other reply. */
export function readProviderReply(provider: string, reply: OutboundReply): Record<string, unknown> {
  if (reply.status < 200 || reply.status > 299) throw refusal(provider, reply);
  if (reply.truncated) throw new BatchSttError("PERMANENT", `${provider} sent more than can be read.`);
  const body = parseObject(reply.body);
  if (!body) throw unreadable(provider);
  return body;
}

/**
 * Error for a provider that took the audio and did not answer with a transcript. PERMANENT, because a retry would be
 * billed again.
 */
export function unreadable(provider: string): BatchSttError {
  return new BatchSttError("PERMANENT", `The answer of ${provider} could not be read.`);
}

/** Turns anything that a request to a provider rejected with into a BatchSttError. */
export function explainFailure(provider: string, error: unknown): BatchSttError {
  if (error instanceof BatchSttError) return error;
  if (!(error instanceof OutboundError)) {
    return new BatchSttError("TRANSIENT", `${provider} could not be asked.`, null, error);
  }
  const kind = error.kind === "BLOCKED" ? "PERMANENT" : "TRANSIENT";
  return new BatchSttError(kind, `${provider} could not be asked: ${error.message}`, null, error);
}

/** True for a status that may change on a later request. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function refusal(provider: string, reply: OutboundReply): BatchSttError {
  const { status, headers } = reply;
  if (isTransientStatus(status)) {
    return new BatchSttError("TRANSIENT", `${provider} answered ${status}.`, readRetryAfter(headers["retry-after"]));
  }
  // Providers quote parts of the key in their refusal of it.
  const reason = status === 401 || status === 403 ? "its credential was refused." : readReason(reply.body);
  return new BatchSttError("PERMANENT", `${provider} answered ${status}${reason ? `: ${reason}` : "."}`);
}

/** Reads a Retry-After header, seconds or a date (RFC 9110, 10.2.3), as at most ten minutes; null for none. */
export function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

/** Returns the provider's own message: `error.message` (OpenAI), `err_msg`, or `message` and `details` (Deepgram). */
function readReason(body: Buffer): string {
  const parsed = parseObject(body);
  const inner = parsed?.error as { message?: unknown } | string | undefined;
  const words = [typeof inner === "object" ? inner?.message : inner, parsed?.err_msg, parsed?.message, parsed?.details];
  const found = words.filter((word): word is string => typeof word === "string" && word !== "");
  return cleanText(found.join(" ")).slice(0, MAX_REASON_CHARACTERS);
}

/** Cleans foreign text so that the database can store it: without NUL and unpaired surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** Returns a text member of a reply, or null. */
export function readText(value: unknown): string | null {
  return typeof value === "string" ? cleanText(value) : null;
}

/** Returns a number of seconds of a reply, or null. */
export function readSeconds(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e8 ? value : null;
}

/** Returns the objects of a list in a reply; other items are left out. */
export function readItems(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Record<string, unknown> => item !== null && typeof item === "object");
}

/** Converts seconds to whole milliseconds; 0 for an invalid value. */
export function toMs(value: unknown): number {
  return Math.round((readSeconds(value) ?? 0) * 1000);
}
