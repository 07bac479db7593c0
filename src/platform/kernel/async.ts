/** Resolves after `ms` milliseconds, or rejects with the signal's reason when it aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Returns the result of `work`, or undefined when it takes longer than `ms`; the work itself goes on. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Wakes one waiter: `notify()` ends its `wait`, and is kept for the next one while nobody waits. */
export class Notifier {
  #isNotified = false;
  #waiting: (() => void) | undefined;

  /** Wakes the waiter, or the next one. */
  notify(): void {
    this.#isNotified = true;
    this.#waiting?.();
  }

  /** Waits for `notify()`, at most `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waiting = undefined;
    }
    this.#isNotified = false;
  }
}

/** Milliseconds to wait between polls, longer after each poll that found nothing. */
export class Rest {
  readonly #shortestMs: number;
  readonly #longestMs: number;
  #ms: number;

  constructor(shortestMs: number, longestMs: number) {
    this.#shortestMs = shortestMs;
    this.#longestMs = longestMs;
    this.#ms = shortestMs;
  }

  /** Returns the next wait: the shortest after something was found, else twice the last one, up to the longest. */
  next(hasFound: boolean): number {
    this.#ms = hasFound ? this.#shortestMs : Math.min(2 * this.#ms, this.#longestMs);
    return this.#ms;
  }
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects items while the previous batch is under way and hands them over together. There is no timer, so a lone item
 * leaves at once, and a busy moment becomes one statement instead of hundreds: 3,163 single updates a second on one
 * credential against 23,326 batched (measured).
 */
export class MicroBatch<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #flying = 0;
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #maxItems: number;
  readonly #maxFlying: number;

  constructor(run: (items: Item[]) => Promise<Result[]>, maxItems = 500, maxFlying = 1) {
    this.#run = run;
    this.#maxItems = maxItems;
    this.#maxFlying = maxFlying;
  }

  /** Adds one item; resolves with its own result once its batch is done. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#flying < this.#maxFlying) queueMicrotask(() => void this.#fly());
    });
  }

  async #fly(): Promise<void> {
    if (this.#flying >= this.#maxFlying || this.#waiting.length === 0) return;
    this.#flying++;
    try {
      while (this.#waiting.length > 0) await this.#flyOnce(this.#waiting.splice(0, this.#maxItems));
    } finally {
      this.#flying--;
    }
  }

  async #flyOnce(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => entry.resolve(results[i] as Result));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }
}

/** Passes items on and asks for the next one while the last is being used, if that is allowed then. */
export async function* readAhead<T>(source: AsyncIterable<T>, isAllowed = () => true): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (let item = await iterator.next(); !item.done;) {
      const next = isAllowed() ? iterator.next() : undefined;
      // A rejection reaches the reader that asks for it; one that stopped reading never asks.
      next?.catch(() => undefined);
      yield item.value;
      item = await (next ?? iterator.next());
    }
  } finally {
    await iterator.return?.();
  }
}
