import type { Clock } from "./clock.ts";
import type { Credential } from "./credential.ts";
import { AuthenticationError, ConnectionError, numberOf, ParleyError, TimeoutError, toApiError } from "./errors.ts";
import { type Repeatable, waitBeforeRetryMs } from "./retry.ts";
import type { Warning } from "./types.ts";

export type QueryValue = string | number | boolean | (string | number)[] | undefined;

/** A body as it is sent. A stream can be sent only once. */
export interface RawBody {
  contentType: string | undefined;
  content: string | Blob | FormData | ReadableStream<Uint8Array>;
}

/** One request. `json` and `raw` exclude each other. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path from the root of the origin. */
  path: string;
  query?: Record<string, QueryValue>;
  json?: unknown;
  raw?: RawBody;
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** 0 for none. */
  timeoutMs?: number | undefined;
  /** False: sent without the caller's credential. */
  authenticated?: boolean;
  /** Format of the answer. Default JSON. */
  answer?: "JSON" | "TEXT";
}

/** State of the caller's bucket, as of the last answer. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full. */
  resetSeconds: number;
}

/** A request that is about to wait before it is sent again. */
export interface RetryNotice {
  error: Error;
  waitMs: number;
  /** 1 for the first retry. */
  retry: number;
}

export interface TransportSettings {
  baseUrl: string;
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  clock: Clock;
  onRetry: ((notice: RetryNotice) => void) | undefined;
  onWarning: ((warning: Warning) => void) | undefined;
}

/** Sends requests: credential, timeout, retries, errors by status. Remembers the rate limit for pollers. */
export class Transport {
  readonly #settings: TransportSettings;
  #credential: Credential | undefined;
  #rateLimit: RateLimit | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Sets the credential of requests. Not part of the constructor, because fetching a token needs a transport. */
  present(credential: Credential): void {
    this.#credential = credential;
  }

  /** The bucket as of the last answer; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  /** Returns the parsed JSON answer (undefined for an empty one), or throws a ParleyError. */
  async request<T>(call: Call): Promise<T> {
    const { clock, maxRetries, onRetry } = this.#settings;
    const repeatable: Repeatable = {
      method: call.method,
      idempotencyKey: call.idempotencyKey,
      replayable: !(call.raw?.content instanceof ReadableStream),
    };
    for (let retries = 0; ; retries++) {
      try {
        return (await this.#sendWithCredential(call, repeatable.replayable)) as T;
      } catch (error) {
        const waitMs = retries < maxRetries ? waitBeforeRetryMs(error, repeatable, retries, clock.random()) : undefined;
        if (waitMs === undefined) throw error;
        onRetry?.({ error: error as Error, waitMs, retry: retries + 1 });
        await clock.sleep(waitMs, call.signal);
      }
    }
  }

  async #sendWithCredential(call: Call, replayable: boolean): Promise<unknown> {
    if (call.authenticated === false || !this.#credential) return this.#send(call, {});
    const proof = await this.#credential.headers(call.signal);
    try {
      return await this.#send(call, proof);
    } catch (error) {
      if (!(error instanceof AuthenticationError) || !this.#credential.refused(proof) || !replayable) throw error;
      return this.#send(call, await this.#credential.headers(call.signal));
    }
  }

  async #send(call: Call, proof: Record<string, string>): Promise<unknown> {
    const timeoutMs = call.timeoutMs ?? this.#settings.timeoutMs;
    const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
    const signals = [call.signal, timeout].filter((signal) => signal !== undefined);
    const url = toUrl(this.#settings.baseUrl, call);
    let response: Response;
    let text: string;
    try {
      response = await this.#settings.fetch(url, toInit(call, proof, AbortSignal.any(signals)));
      text = await response.text();
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (timeout?.aborted)
        throw new TimeoutError(`No answer from ${url.origin} within ${timeoutMs} ms.`, { cause: error });
      throw new ConnectionError(`Cannot reach ${url.origin}: ${reasonOf(error)}.`, { cause: error });
    }
    this.#rateLimit = readRateLimit(response.headers) ?? this.#rateLimit;
    if (!response.ok) throw toApiError(response.status, response.headers, text);
    if (call.answer === "TEXT") return text;
    const answer = parseAnswer(text, url);
    if (call.method !== "GET") this.#reportWarnings(answer);
    return answer;
  }

  #reportWarnings(answer: unknown): void {
    const { onWarning } = this.#settings;
    if (onWarning) for (const warning of readWarnings(answer)) onWarning(warning);
  }
}

function readWarnings(answer: unknown): Warning[] {
  const { warnings } = (answer ?? {}) as { warnings?: unknown };
  if (!Array.isArray(warnings)) return [];
  return warnings.filter((one: unknown): one is Warning => typeof (one as Warning | null)?.member === "string");
}

function toUrl(baseUrl: string, call: Call): URL {
  // Appended, not resolved: a base URL may have a path, behind a proxy for example.
  const url = new URL(baseUrl.replace(/\/+$/, "") + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item));
    }
  }
  return url;
}

function toInit(call: Call, proof: Record<string, string>, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = {
    Accept: call.answer === "TEXT" ? "*/*" : "application/json",
    ...proof,
  };
  if (call.idempotencyKey !== undefined) headers["Idempotency-Key"] = call.idempotencyKey;
  const init: RequestInit & { duplex?: "half" } = { method: call.method, headers, signal, redirect: "error" };
  if (call.json !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(call.json);
  } else if (call.raw) {
    // FormData sets its own content type, with the boundary.
    if (call.raw.contentType !== undefined) headers["Content-Type"] = call.raw.contentType;
    init.body = call.raw.content;
    init.duplex = "half";
  }
  return init;
}

function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = numberOf(headers.get("x-ratelimit-limit"));
  const remaining = numberOf(headers.get("x-ratelimit-remaining"));
  const resetSeconds = numberOf(headers.get("x-ratelimit-reset"));
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, remaining, resetSeconds };
}

function parseAnswer(text: string, url: URL): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ParleyError(`The answer of ${url.origin}${url.pathname} is not JSON. Is this a Parley server?`);
  }
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
