import type { Clock } from "./clock.ts";
import type { Credential } from "./credential.ts";
import { AuthenticationError, ConnectionError, numberOf, ParleyError, TimeoutError, toApiError } from "./errors.ts";
import { parseExactly } from "./exact-json.ts";
import type { Warning } from "./generated/shapes.ts";
import { type Repeatable, waitBeforeRetryMs } from "./retry.ts";

export type QueryValue = string | number | boolean | (string | number)[] | null | undefined;

/** A body as it is sent. A stream can be sent only once. */
export interface RawBody {
  contentType: string | undefined;
  content: string | Blob | FormData | ReadableStream<Uint8Array>;
}

/** One request. `json`, `form` and `raw` exclude each other. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path from the root of the origin. */
  path: string;
  query?: Record<string, QueryValue>;
  json?: unknown;
  /** Fields of a multipart form; a Blob is sent as a file. */
  form?: object;
  raw?: RawBody;
  headers?: Record<string, string>;
  /** True: the operation honours an Idempotency-Key, so it gets a random one when none is given. */
  takesKey?: boolean;
  /** Not sent to an operation that would not know the repeat by it. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** 0 for none, which is also the default of a form. */
  timeoutMs?: number | undefined;
  /** False: sent without the caller's credential. */
  authenticated?: boolean;
  /** Format of the answer; RAW gives the Response with its body unread. Default JSON. */
  answer?: "JSON" | "TEXT" | "RAW";
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
  onWarning: (warning: Warning) => void;
}

/** Server of a client that is given none. */
export const DEFAULT_URL = "http://127.0.0.1:8080";

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
  async request<T>(asked: Call): Promise<T> {
    const { clock, maxRetries, onRetry } = this.#settings;
    // Made once, so that every repeat carries the same key.
    const idempotencyKey = asked.takesKey ? (asked.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const call: Call = { ...asked, idempotencyKey };
    const repeatable: Repeatable = {
      method: call.method,
      idempotencyKey,
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
    // An upload takes as long as its file is large, up to 500 MiB.
    const timeoutMs = call.timeoutMs ?? (call.form ? 0 : this.#settings.timeoutMs);
    const url = toUrl(this.#settings.baseUrl, call);
    // Made outside of the try: what cannot be sent, such as a BigInt, is the caller's fault and not the network's.
    const init = toInit(call, proof);
    const limit = new TimeLimit(timeoutMs, call.signal);
    let response: Response;
    let text = "";
    try {
      response = await this.#settings.fetch(url, { ...init, signal: limit.signal });
      if (call.answer !== "RAW" || !response.ok) text = await response.text();
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (limit.isOver)
        throw new TimeoutError(`No answer from ${url.origin} within ${timeoutMs} ms.`, { cause: error });
      const hint = url.origin === DEFAULT_URL ? " Start the server, or set PARLEY_URL to its address." : "";
      throw new ConnectionError(`Cannot reach ${url.origin}: ${reasonOf(error)}.${hint}`, { cause: error });
    } finally {
      limit.lift();
    }
    this.#rateLimit = readRateLimit(response.headers) ?? this.#rateLimit;
    if (!response.ok) throw toApiError(response.status, response.headers, text);
    if (call.answer === "RAW") return response;
    if (call.answer === "TEXT") return text;
    const answer = parseAnswer(text, url);
    if (call.method !== "GET") this.#reportWarnings(answer);
    return answer;
  }

  #reportWarnings(answer: unknown): void {
    const { onWarning } = this.#settings;
    for (const warning of readWarnings(answer)) onWarning(warning);
  }
}

/** A timer of more, such as Infinity, would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit beside the caller's own signal. Lifted once the answer is there: a RAW body may take longer. */
class TimeLimit {
  readonly #limit = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([signal, this.#limit.signal]) : this.#limit.signal;
    this.#timer =
      timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS ? setTimeout(() => this.#limit.abort(), timeoutMs) : undefined;
  }

  get isOver(): boolean {
    return this.#limit.signal.aborted;
  }

  lift(): void {
    clearTimeout(this.#timer);
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
      if (item != null) url.searchParams.append(name, String(item));
    }
  }
  return url;
}

function toInit(call: Call, proof: Record<string, string>): RequestInit {
  // Names are equal in any case, so the credential takes the place of whatever a caller calls it.
  const headers = new Headers({ Accept: call.answer === "TEXT" || call.answer === "RAW" ? "*/*" : "application/json" });
  const more = [...Object.entries(call.headers ?? {}), ...Object.entries(proof)];
  for (const [name, value] of more) headers.set(name, value);
  if (call.idempotencyKey !== undefined) headers.set("Idempotency-Key", call.idempotencyKey);
  const init: RequestInit & { duplex?: "half" } = { method: call.method, headers, redirect: "error" };
  if (call.json !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = JSON.stringify(call.json);
  } else if (call.form) {
    // It sets its own content type, with the boundary.
    init.body = toFormData(call.form);
  } else if (call.raw) {
    if (call.raw.contentType !== undefined) headers.set("Content-Type", call.raw.contentType);
    init.body = call.raw.content;
    init.duplex = "half";
  }
  return init;
}

function toFormData(fields: object): FormData {
  const form = new FormData();
  // The file last: the server knows its settings when the first byte arrives.
  const entries = Object.entries(fields).toSorted(
    ([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob),
  );
  for (const [name, value] of entries) {
    if (value instanceof Blob) form.append(name, value);
    else if (value != null) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
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
    return parseExactly(text);
  } catch {
    throw new ParleyError(`The answer of ${url.origin}${url.pathname} is not JSON. Is this a Parley server?`);
  }
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
