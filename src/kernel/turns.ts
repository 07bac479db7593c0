interface Waiting {
  start: () => void;
}

/**
 * Lets at most `slots` pieces of work run at once, one of each key, and goes round by key: one who brings a hundred
 * waits behind itself, and not in front of everybody else.
 */
export class Turns {
  readonly #slots: number;
  readonly #running = new Set<string>();
  /** In the order of their turns: whoever had one goes to the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** True while work of this key would begin at once. */
  isFree(key: string): boolean {
    return this.#running.size < this.#slots && !this.#running.has(key);
  }

  /** Runs `work` when it is its turn. Rejects with what `tooLate` makes when none came within `maxWaitMs`, if given. */
  async run<T>(key: string, work: () => Promise<T>, maxWaitMs = 0, tooLate?: () => Error): Promise<T> {
    if (this.isFree(key)) this.#running.add(key);
    else await this.#wait(key, maxWaitMs, tooLate);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#startNext();
    }
  }

  #wait(key: string, maxWaitMs: number, tooLate: (() => Error) | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { start: () => (clearTimeout(timer), resolve()) };
      const queue = this.#waiting.get(key) ?? [];
      queue.push(waiting);
      this.#waiting.set(key, queue);
      const timer =
        tooLate &&
        setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1);
          if (queue.length === 0) this.#waiting.delete(key);
          reject(tooLate());
        }, maxWaitMs);
    });
  }

  #startNext(): void {
    for (const [key, queue] of this.#waiting) {
      if (!this.isFree(key)) continue;
      this.#waiting.delete(key);
      const next = queue.shift();
      if (queue.length > 0) this.#waiting.set(key, queue);
      this.#running.add(key);
      next?.start();
      return;
    }
  }
}
