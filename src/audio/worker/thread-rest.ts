/** Time before the next step at which a rest ends, so that arrivals during it are handled in time. */
const EARLY_MS = 0.2;
/** Shortest rest that is worth its cost. */
const LEAST_MS = 0.3;

/**
 * Lets a media thread sleep between its steps. Without it every packet wakes the thread separately, which costs more
 * than the packet; after a rest all packets are taken in one go. A sender of orders ends the rest (`wake`).
 */
export class ThreadRest {
  readonly #orders: Int32Array<SharedArrayBuffer>;
  #seen = 0;

  /** The thread and the senders of its orders share the cell. */
  constructor(cell: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#orders = new Int32Array(cell);
  }

  /** Shared cell from which the other thread creates its own instance. */
  get cell(): SharedArrayBuffer {
    return this.#orders.buffer;
  }

  /** Must be called before the thread takes its orders: an order sent after this prevents the rest. */
  begin(): void {
    this.#seen = Atomics.load(this.#orders, 0);
  }

  /** Sleeps for a little less than the given time, or until an order comes. */
  sleep(ms: number): void {
    if (ms - EARLY_MS >= LEAST_MS) Atomics.wait(this.#orders, 0, this.#seen, ms - EARLY_MS);
  }

  /** Ends the other thread's rest; called after an order was sent. */
  wake(): void {
    Atomics.add(this.#orders, 0, 1);
    Atomics.notify(this.#orders, 0);
  }
}
