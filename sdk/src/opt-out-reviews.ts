import { API_PREFIX } from "./calls.ts";
import type { OptOutReview, OptOutReviewDecision, OptOutReviewState } from "./opt-out-review-types.ts";
import { Pages } from "./pages.ts";
import type { Transport } from "./transport.ts";
import type { RequestOptions } from "./types.ts";

const PATH = `${API_PREFIX}/opt-out-reviews`;

/** Filters of the list of reviews. */
export interface OptOutReviewFilters {
  state?: OptOutReviewState;
  /** E.164. */
  number?: string;
  /** Reviews a request; 20 by default, 200 at most. */
  size?: number;
}

/** Sessions in which somebody may have asked for no more contact. */
export class OptOutReviews {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists reviews, newest first. */
  list(filters: OptOutReviewFilters = {}, options: RequestOptions = {}): Pages<OptOutReview> {
    return new Pages(this.#transport, PATH, filters, options);
  }

  /** Reads one review. */
  get(id: string, { signal, timeoutMs }: RequestOptions = {}): Promise<OptOutReview> {
    return this.#transport.request({ method: "GET", path: pathOf(id), signal, timeoutMs });
  }

  /** Puts the person on the do-not-call list; their waiting calls are skipped. */
  confirm(id: string, note?: string, options: RequestOptions = {}): Promise<OptOutReview> {
    return this.#decide(id, { decision: "CONFIRM", ...(note === undefined ? {} : { note }) }, options);
  }

  /** Lifts the hold; retries go on. */
  dismiss(id: string, note?: string, options: RequestOptions = {}): Promise<OptOutReview> {
    return this.#decide(id, { decision: "DISMISS", ...(note === undefined ? {} : { note }) }, options);
  }

  #decide(id: string, json: OptOutReviewDecision, options: RequestOptions): Promise<OptOutReview> {
    const { signal, timeoutMs, idempotencyKey = crypto.randomUUID() } = options;
    const path = `${pathOf(id)}/decision`;
    return this.#transport.request({ method: "POST", path, json, idempotencyKey, signal, timeoutMs });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
