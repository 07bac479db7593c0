/** The most pieces of work that run at once. */
export interface TurnLimits {
  slots: number;
  /** The most of one key, a function being called each time; as many as there are slots when absent. */
  perKey?: number | (() => number);
  /** The most of all keys together that have more work waiting; as many as there are slots when absent. */
  crowded?: number | (() => number);
}

/** The longest wait of a piece of work for its turn; unlimited when absent. */
export interface Patience {
  maxWaitMs?: number;
  /** Makes the error of a wait that took longer than `maxWaitMs`. */
  tooLate?: () => Error;
  /** Ends the wait with the signal's reason. */
  signal?: AbortSignal;
}

/** The work of one key. */
interface Line {
  running: number;
  /** Number of its latest turn; 0 before the first. */
  lastTurn: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Lets at most `slots` pieces of work run at once and shares them by key: a free slot goes to the waiting key that has
 * the fewest running, and among those to the one whose last turn is longest ago. A key with a hundred pieces delays
 * only itself; another key's single piece begins when the next one ends. `crowded` leaves slots free of such keys, so that
 * the single piece begins at once, and beside few others.
 */
export class Turns {
  readonly #slots: number;
  readonly #perKey: () => number;
  readonly #crowded: () => number;
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #turns = 0;

  constructor({ slots, perKey = slots, crowded = slots }: TurnLimits) {
    this.#slots = slots;
    this.#perKey = typeof perKey === "number" ? () => perKey : perKey;
    this.#crowded = typeof crowded === "number" ? () => crowded : crowded;
  }

  /** Returns true while work of this key would begin at once. */
  isFree(key: string): boolean {
    const { running = 0, waiting } = this.#lines.get(key) ?? {};
    return this.#running < this.#slots && running < this.#perKey() && !waiting?.size;
  }

  /** Number of waiting pieces of work of all keys. */
  get waiting(): number {
    let waiting = 0;
    for (const line of this.#lines.values()) waiting += line.waiting.size;
    return waiting;
  }

  /** Returns the number of waiting pieces of work of this key. */
  countWaiting(key: string): number {
    return this.#lines.get(key)?.waiting.size ?? 0;
  }

  /** Returns true while another key waits for a slot. */
  hasOthersWaiting(key: string): boolean {
    for (const [other, { waiting }] of this.#lines) if (other !== key && waiting.size > 0) return true;
    return false;
  }

  /**
   * Runs `work` when it is its turn. Rejects with the error of `tooLate`, or the signal's reason, when none came in
   * time.
   */
  async run<T>(key: string, work: () => Promise<T>, patience: Patience = {}): Promise<T> {
    const end = await this.take(key, patience);
    try {
      patience.signal?.throwIfAborted();
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn, as `run` does, and returns the function that ends it, to be called once. */
  async take(key: string, patience: Patience = {}): Promise<() => void> {
    patience.signal?.throwIfAborted();
    const line = this.#lines.get(key) ?? { running: 0, lastTurn: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (this.isFree(key)) this.#begin(line);
    else await this.#wait(key, line, patience);
    const end = () => {
      line.running--;
      this.#running--;
      this.#dropIfEmpty(key, line);
      while (this.#startNext());
    };
    if (!patience.signal?.aborted) return end;
    end();
    throw patience.signal.reason;
  }

  #begin(line: Line): void {
    line.running++;
    this.#running++;
    line.lastTurn = ++this.#turns;
  }

  #wait(key: string, line: Line, { maxWaitMs, tooLate, signal }: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const giveUp = (error: unknown) => {
        leave();
        this.#dropIfEmpty(key, line);
        reject(error as Error);
      };
      const start = () => (leave(), resolve());
      const onAbort = () => giveUp(signal?.reason);
      line.waiting.add(start);
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = tooLate && setTimeout(() => giveUp(tooLate()), maxWaitMs);
    });
  }

  /** Begins the next piece of work; false when none may begin. */
  #startNext(): boolean {
    if (this.#running >= this.#slots) return false;
    const perKey = this.#perKey();
    const lines = [...this.#lines.values()].filter(({ waiting }) => waiting.size > 0);
    const isFull = lines.reduce((sum, { running }) => sum + running, 0) >= this.#crowded();
    let next: Line | undefined;
    for (const line of lines) {
      if (line.running >= perKey || (isFull && !isSingle(line))) continue;
      if (!next || line.running < next.running || (line.running === next.running && line.lastTurn < next.lastTurn)) {
        next = line;
      }
    }
    if (!next) return false;
    const [start] = next.waiting;
    this.#begin(next);
    start?.();
    return true;
  }

  #dropIfEmpty(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(key);
  }
}

/** True for a key whose only piece of work waits. */
function isSingle({ running, waiting }: Line): boolean {
  return running + waiting.size === 1;
}
