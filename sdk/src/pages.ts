import type { QueryValue, Transport } from "./transport.ts";
import type { Page, RequestOptions } from "./types.ts";

/**
 * A list that is fetched page by page as it is read: `for await (const item of list)` gives every item,
 * `list.pages()` every page, `list.first()` the first page alone. Pages follow `nextCursor`, which stays
 * right while rows arrive.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Record<string, QueryValue>;
  readonly #options: RequestOptions;

  constructor(transport: Transport, path: string, query: object, options: RequestOptions) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query as Record<string, QueryValue>;
    this.#options = options;
  }

  /** The first page. */
  first(): Promise<Page<T>> {
    return this.#fetch(undefined);
  }

  /** Every page, one request each. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetch(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.content;
  }

  #fetch(cursor: string | undefined): Promise<Page<T>> {
    const { signal, timeoutMs } = this.#options;
    return this.#transport.request({
      method: "GET",
      path: this.#path,
      query: { ...this.#query, cursor },
      signal,
      timeoutMs,
    });
  }
}
