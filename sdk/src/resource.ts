import { type PageOf, Pages } from "./pages.ts";
import type { Call, QueryValue, Transport } from "./transport.ts";

/** Settings that any single request may override. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Milliseconds for this request; 0 for no limit. */
  timeoutMs?: number;
  /** Sent instead of a random key, on requests that take one. */
  idempotencyKey?: string;
  /** Further headers, such as `Range`, `If-Match` or `Prefer: handling=strict`. */
  headers?: Record<string, string>;
}

const PREFIX = "/api/external/v1";

/**
 * Returns a path below the external API, with each value as one segment. Throws TypeError for an empty value and for
 * the segments that URLs drop: the request would go to another operation.
 */
export function pathOf(texts: TemplateStringsArray, ...values: string[]): string {
  const segments = values.map((value) => {
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`"${value}" is no id: give the id that the API returned.`);
    }
    return encodeURIComponent(value);
  });
  return PREFIX + String.raw({ raw: texts }, ...segments);
}

/** A part of the API: the base of the classes that are made from the OpenAPI document. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Sends a request and resolves to its answer. The query is an object of the operation's own type. */
  protected sendRequest<T>(call: Omit<Call, "query"> & { query?: object }, options: RequestOptions): Promise<T> {
    const { signal, timeoutMs, idempotencyKey, headers } = options;
    // Only what was given: what the operation itself sets stays otherwise.
    return this.transport.request({
      ...(call as Call),
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(headers && { headers }),
    });
  }

  /** Returns a list that is fetched page by page as it is read. */
  protected readPages<T, P extends PageOf<T>>(
    call: { path: string; query?: object },
    options: RequestOptions,
  ): Pages<T, P> {
    const query = call.query as Record<string, QueryValue> | undefined;
    return new Pages((next) =>
      this.sendRequest({ method: "GET", path: call.path, query: { ...query, ...next } }, options),
    );
  }
}
