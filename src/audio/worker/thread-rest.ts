/** A rest ends so long before the next step, so that what came meanwhile is taken in time. */
const EARLY_MS = 0.2;
/** Shorter rests are worth less than they cost. */
const LEAST_MS = 0.3;

/**
 * Lets a media thread sleep between its steps. Without it every packet wakes the thread by itself, which costs more than
 * the packet; after a rest all that came are taken in one go. Whoever sends the thread an order ends its rest (`wake`).
 */
export class ThreadRest {
  readonly #orders: Int32Array<SharedArrayBuffer>;
  #seen = 0;

  /** The thread and those who send it orders share the cell. */
  constructor(cell: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#orders = new Int32Array(cell);
  }

  /** What the other thread makes its own of. */
  get cell(): SharedArrayBuffer {
    return this.#orders.buffer;
  }

  /** Called before the thread takes its orders: an order that comes after that leaves no rest. */
  begin(): void {
    this.#seen = Atomics.load(this.#orders, 0);
  }

  /** Sleeps for a little less than the given time, or until an order comes. */
  sleep(ms: number): void {
    if (ms - EARLY_MS >= LEAST_MS) Atomics.wait(this.#orders, 0, this.#seen, ms - EARLY_MS);
  }

  /** Ends the rest of the other thread; called after an order was sent. */
  wake(): void {
    Atomics.add(this.#orders, 0, 1);
    Atomics.notify(this.#orders, 0);
  }
}
