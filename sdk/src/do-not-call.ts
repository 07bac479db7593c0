import { API_PREFIX } from "./calls.ts";
import type {
  DoNotCallAdded,
  DoNotCallEntry,
  DoNotCallImported,
  DoNotCallPage,
  DoNotCallSource,
} from "./do-not-call-types.ts";
import type { Transport } from "./transport.ts";
import type { RequestOptions } from "./types.ts";

const PATH = `${API_PREFIX}/do-not-call`;

/** Filters of the list of entries. */
export interface DoNotCallFilters {
  source?: DoNotCallSource;
  /** Digits that the number begins with, such as "+4930". */
  startsWith?: string;
  /** Entries a request; 100 by default, 1,000 at most. */
  size?: number;
}

/** The do-not-call ledger: numbers that are neither called nor written to. */
export class DoNotCall {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists every entry that matches, by number. */
  async *list(filters: DoNotCallFilters = {}, options: RequestOptions = {}): AsyncGenerator<DoNotCallEntry> {
    const { signal, timeoutMs } = options;
    const { source, startsWith, size } = filters;
    for (let cursor: string | undefined; ;) {
      const query = { source, startsWith, size, cursor };
      const page: DoNotCallPage = await this.#transport.request({
        method: "GET",
        path: PATH,
        query,
        signal,
        timeoutMs,
      });
      yield* page.content;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** Reads the entry of a number; throws a 404 when it may be called. */
  get(number: string, { signal, timeoutMs }: RequestOptions = {}): Promise<DoNotCallEntry> {
    return this.#transport.request({ method: "GET", path: pathOf(number), signal, timeoutMs });
  }

  /** Adds numbers, with a note that says why. */
  add(numbers: string[], note?: string, { signal, timeoutMs }: RequestOptions = {}): Promise<DoNotCallAdded> {
    const body = { numbers, ...(note === undefined ? {} : { note }) };
    return this.#transport.request({ method: "POST", path: PATH, json: body, signal, timeoutMs });
  }

  /** Imports the text of a CSV with a column `number` and optionally `note`. */
  import(csv: string, { signal, timeoutMs }: RequestOptions = {}): Promise<DoNotCallImported> {
    return this.#transport.request({ method: "POST", path: `${PATH}/import`, json: { csv }, signal, timeoutMs });
  }

  /** Returns the whole ledger as the text of a CSV: number, source, note, createdAt. */
  export({ signal, timeoutMs }: RequestOptions = {}): Promise<string> {
    return this.#transport.request({ method: "GET", path: `${PATH}/export`, answer: "TEXT", signal, timeoutMs });
  }

  /** Removes a number; one that the person themselves asked for needs `consent`. */
  remove(number: string, why: { reason: string; consent?: string }, options: RequestOptions = {}): Promise<void> {
    const { signal, timeoutMs } = options;
    return this.#transport.request({ method: "DELETE", path: pathOf(number), query: { ...why }, signal, timeoutMs });
  }
}

function pathOf(number: string): string {
  return `${PATH}/${encodeURIComponent(number)}`;
}
