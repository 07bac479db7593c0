import { CallsOperations } from "./generated/calls.ts";
import type { CallRow } from "./generated/shapes.ts";
import type { CreateCall } from "./types.ts";
import { type CallEvent, readCallEvents, readToEnd, type WatchOptions } from "./watch.ts";

/** Options for watching a call. */
export interface CallWatchOptions extends WatchOptions {
  onEvent?: (event: CallEvent) => void;
}

/** Single calls. */
export class Calls extends CallsOperations {
  /** Gives each change of a call as it is observed, up to its end: `for await (const event of calls.events(id))`. */
  events(rowId: string, options: WatchOptions = {}): AsyncGenerator<CallEvent, CallRow, undefined> {
    return readCallEvents(this.transport, rowId, (looking) => this.get(rowId, looking), options);
  }

  /** Watches a call until it has ended, and returns it. */
  watch(rowId: string, options: CallWatchOptions = {}): Promise<CallRow> {
    return readToEnd(this.events(rowId, options), options.onEvent);
  }

  /** Queues one call and watches it until it has ended. `idempotencyKey` is that of the call. */
  async createAndWait(call: CreateCall, options: CallWatchOptions = {}): Promise<CallRow> {
    const queued = await this.create(call, options);
    return this.watch(queued.rowId, options);
  }
}
