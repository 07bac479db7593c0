/** A queue of events by time, earliest first; events of the same time keep the order in which they were added. */
export class EventHeap {
  readonly #times: number[] = [];
  readonly #orders: number[] = [];
  readonly #values: number[] = [];
  #count = 0;

  get size(): number {
    return this.#times.length;
  }

  /** Time of the earliest event; Infinity when there is none. */
  get nextAt(): number {
    return this.#times[0] ?? Infinity;
  }

  /** Adds an event at a time. */
  push(at: number, value: number): void {
    const order = this.#count++;
    let i = this.#times.length;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((this.#times[parent] as number) <= at) break;
      this.#move(parent, i);
      i = parent;
    }
    this.#put(i, at, order, value);
  }

  /** Removes and returns the earliest event; undefined when there is none. */
  pop(): number | undefined {
    const first = this.#values[0];
    const at = this.#times.pop();
    const order = this.#orders.pop() as number;
    const value = this.#values.pop() as number;
    const length = this.#times.length;
    if (at === undefined || length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#isBefore(child + 1, child)) child++;
      const childAt = this.#times[child] as number;
      if (at < childAt || (at === childAt && order < (this.#orders[child] as number))) break;
      this.#move(child, i);
      i = child;
    }
    this.#put(i, at, order, value);
    return first;
  }

  #isBefore(a: number, b: number): boolean {
    const [atA, atB] = [this.#times[a] as number, this.#times[b] as number];
    return atA < atB || (atA === atB && (this.#orders[a] as number) < (this.#orders[b] as number));
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from] as number, this.#orders[from] as number, this.#values[from] as number);
  }

  #put(i: number, at: number, order: number, value: number): void {
    this.#times[i] = at;
    this.#orders[i] = order;
    this.#values[i] = value;
  }
}
