/** Members of a page that reading on depends on. */
export interface PageOf<T> {
  content: T[];
  nextCursor?: string | null;
  /** Lists without a cursor are read by number. */
  page?: number;
  last?: boolean;
}

/** Members that the pages of most lists have. */
export interface Page<T> extends PageOf<T> {
  page: number;
  size: number;
  /** Number of rows; one that they exceed where `totalIsExact` is false. */
  totalElements: number;
  totalIsExact: boolean;
  totalPages: number;
  first: boolean;
  last: boolean;
  /** Null on the last page. */
  nextCursor: string | null;
}

/** Query that asks for a page: nothing for the first. */
export type NextPage = { cursor?: string; page?: number };

/**
 * A list that is fetched page by page as it is read: `for await (const item of list)` gives every item,
 * `list.pages()` every page, `list.first()` the first page alone, `list.toArray()` everything at once. Pages follow
 * `nextCursor`, which stays right while rows arrive.
 */
export class Pages<T, P extends PageOf<T> = Page<T>> implements AsyncIterable<T> {
  readonly #fetch: (next: NextPage) => Promise<P>;

  constructor(fetch: (next: NextPage) => Promise<P>) {
    this.#fetch = fetch;
  }

  /** The first page. */
  first(): Promise<P> {
    return this.#fetch({});
  }

  /** Every page, one request each. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let next: NextPage | undefined = {}; next;) {
      const page: P = await this.#fetch(next);
      yield page;
      next = pageAfter(page);
    }
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.content;
  }

  /** All items; `most` ends it early. */
  async toArray(most = Infinity): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) {
      if (items.length >= most) break;
      items.push(item);
    }
    return items;
  }
}

function pageAfter({ nextCursor, page, last }: PageOf<unknown>): NextPage | undefined {
  if (nextCursor !== undefined) return nextCursor === null ? undefined : { cursor: nextCursor };
  return last === false && page !== undefined ? { page: page + 1 } : undefined;
}
