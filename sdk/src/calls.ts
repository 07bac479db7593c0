import { Pages } from "./pages.ts";
import type { Transport } from "./transport.ts";
import type { CallRow, CreateCall, QueuedCall, RequestOptions, RowFilters } from "./types.ts";
import { type CallEvent, watchCall, type WatchOptions } from "./watch.ts";

/** Base path of the external API. */
export const API_PREFIX = "/api/external/v1";

/** Options for watching a call. */
export interface CallWatchOptions extends WatchOptions {
  onEvent?: (event: CallEvent) => void;
}

/** Single outbound calls. */
export class Calls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Queues one call. A repeat after a lost answer does not dial twice: an Idempotency-Key is sent. */
  create(call: CreateCall, options: RequestOptions = {}): Promise<QueuedCall> {
    return this.#transport.request({
      method: "POST",
      path: `${API_PREFIX}/outbound/calls`,
      json: call,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
  }

  /** Returns a call's current state, with its transcript so far. */
  get(rowId: string, options: RequestOptions = {}): Promise<CallRow> {
    return this.#transport.request({
      method: "GET",
      path: `${API_PREFIX}/call-rows/${encodeURIComponent(rowId)}`,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
  }

  /** Ends a call that is ringing or under way. The call has ended once its row says so. */
  end(rowId: string, options: RequestOptions = {}): Promise<{ callRowId: string; ending: boolean }> {
    return this.#stop(rowId, "end", options);
  }

  /** Cancels a call that waits for its first or next attempt; 409 (ConflictError) once it is being dialled or over. */
  cancel(rowId: string, options: RequestOptions = {}): Promise<{ callRowId: string; cancelled: boolean }> {
    return this.#stop(rowId, "cancel", options);
  }

  #stop<T>(rowId: string, how: "end" | "cancel", options: RequestOptions): Promise<T> {
    return this.#transport.request({
      method: "POST",
      path: `${API_PREFIX}/call-rows/${encodeURIComponent(rowId)}/${how}`,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
  }

  /** Watches a call until it has ended. */
  watch(rowId: string, options: CallWatchOptions = {}): Promise<CallRow> {
    return watchCall(this.#transport, () => this.get(rowId, options), options.onEvent, options);
  }

  /** Queues one call and watches it until it has ended. */
  async createAndWait(call: CreateCall, options: CallWatchOptions = {}): Promise<CallRow> {
    const queued = await this.create(call, options);
    return this.watch(queued.rowId, options);
  }
}

/** Finished and running calls, newest first. */
export class CallHistory {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the calls that match the filters. */
  list(filters: RowFilters = {}, options: RequestOptions = {}): Pages<CallRow> {
    return new Pages(this.#transport, `${API_PREFIX}/call-history`, filters, options);
  }
}
