import { type ApiError, ConflictError, ConnectionError, RateLimitError, ServerError } from "./errors.ts";

/** Properties of a request that decide whether it may be sent twice. */
export interface Repeatable {
  method: string;
  idempotencyKey: string | undefined;
  /** False for a stream body: it is used up once sent. */
  replayable: boolean;
}

/** A bucket that takes longer to refill is reported instead of waited for. */
const LONGEST_WAIT_MS = 120_000;
const FIRST_BACKOFF_MS = 500;

/**
 * Returns the milliseconds to wait before the request is sent again; undefined: do not send it again. `retries` is the
 * number of retries made, `random` is from 0 to 1. A 429 applied nothing, so any request may follow it. After a 5xx or
 * a lost connection the server may have acted: only a GET, or a request whose Idempotency-Key lets the server recognise
 * it, is sent again.
 */
export function waitBeforeRetryMs(
  error: unknown,
  request: Repeatable,
  retries: number,
  random: number,
): number | undefined {
  if (!request.replayable) return undefined;
  const backoffMs = FIRST_BACKOFF_MS * 2 ** retries * (0.5 + random / 2);
  if (error instanceof RateLimitError) return waitForBucketMs(error, retries, random);
  const waitMs = (answer: ApiError) => withinLimit(Math.max(backoffMs, (answer.retryAfterSeconds ?? 0) * 1000));
  if (error instanceof ConflictError && error.code === "IDEMPOTENCY_KEY_IN_USE") return waitMs(error);
  const isSafe = request.method === "GET" || request.idempotencyKey !== undefined;
  if (!isSafe) return undefined;
  if (error instanceof ConnectionError) return backoffMs;
  if (error instanceof ServerError) return waitMs(error);
  return undefined;
}

/**
 * Waits for the next token at first. A request that is refused again shares its bucket with many, so it waits until the
 * bucket is full.
 */
function waitForBucketMs(error: ApiError, retries: number, random: number): number | undefined {
  const { retryAfterSeconds, resetSeconds } = error;
  const seconds = (retries === 0 ? retryAfterSeconds : undefined) ?? resetSeconds ?? retryAfterSeconds ?? 1;
  // Up to 250 ms more, so that clients refused together do not return together.
  return withinLimit(Math.max(seconds, 0.05) * 1000 + random * 250);
}

function withinLimit(ms: number): number | undefined {
  return ms > LONGEST_WAIT_MS ? undefined : ms;
}
