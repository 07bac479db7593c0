import { CallsOperations } from "./generated/calls.ts";
import type { CallRow } from "./generated/shapes.ts";
import type { CreateCall } from "./types.ts";
import { type CallEvent, readCallEvents, readToEnd, type WatchOptions } from "./watch.ts";

/** Options for waiting for a call. */
export interface CallWaitOptions extends WatchOptions {
  onEvent?: (event: CallEvent) => void;
}

/** Single calls. */
export class Calls extends CallsOperations {
  /** Gives each change of a call as it is observed, up to its end: `for await (const event of calls.events(id))`. */
  events(rowId: string, options: WatchOptions = {}): AsyncGenerator<CallEvent, CallRow, undefined> {
    return readCallEvents(this.transport, rowId, (looking) => this.get(rowId, looking), options);
  }

  /** Waits until a call has ended, and returns it. */
  wait(rowId: string, options: CallWaitOptions = {}): Promise<CallRow> {
    return readToEnd(this.events(rowId, options), options.onEvent);
  }

  /** Queues one call and waits until it has ended. `idempotencyKey` is that of the call. */
  async createAndWait(call: CreateCall, options: CallWaitOptions = {}): Promise<CallRow> {
    const queued = await this.create(call, options);
    return this.wait(queued.rowId, options);
  }
}
