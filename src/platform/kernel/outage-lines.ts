/** Milliseconds between two counts of what an outage leaves out. */
const COUNT_MS = 60_000;
/** Milliseconds without a line of the outage after which an answer ends it: some connections may work, and others not. */
const QUIET_MS = 2_000;

/** Something that many rooms need, and whose outage all of them log again and again. */
export interface Outages {
  /** Its name, at the beginning of a sentence. */
  name: string;
  /** True for the message of an error that says that it is away. */
  isOf(error: string): boolean;
}

/** Writes a line about an outage, with the lines that were left out since the last one, by their messages. */
type Write = (message: string, fields: { seconds: number; leftOut: Record<string, number> }) => void;

/**
 * Leaves out the lines of an outage behind its first one, and counts them: each minute, and once it is over, one line says
 * how many of each message there were. Lines with another error are not its concern.
 */
export class OutageLines {
  readonly #outages: Outages;
  readonly #write: Write;
  readonly #leftOut = new Map<string, number>();
  #since: number | null = null;
  #countedAt = 0;
  #lastAt = 0;

  constructor(outages: Outages, write: Write) {
    this.#outages = outages;
    this.#write = write;
  }

  /** Returns false for a line that is counted instead of written. */
  passes(message: string, error: unknown, now: number = performance.now()): boolean {
    const text = error instanceof Error ? error.message : error;
    if (typeof text !== "string" || !this.#outages.isOf(text)) return true;
    this.#lastAt = now;
    if (this.#since === null) {
      this.#since = this.#countedAt = now;
      return true;
    }
    this.#leftOut.set(message, (this.#leftOut.get(message) ?? 0) + 1);
    if (now - this.#countedAt >= COUNT_MS) {
      this.#countedAt = now;
      this.#count(`${this.#outages.name} still cannot be reached.`, now);
    }
    return false;
  }

  /** Notes that what was away has answered. */
  answered(now: number = performance.now()): void {
    if (this.#since === null || now - this.#lastAt < QUIET_MS) return;
    if (this.#leftOut.size > 0) this.#count(`${this.#outages.name} can be reached again.`, now);
    this.#since = null;
  }

  #count(message: string, now: number): void {
    const seconds = Math.round((now - (this.#since ?? now)) / 1_000);
    this.#write(message, { seconds, leftOut: Object.fromEntries(this.#leftOut) });
    this.#leftOut.clear();
  }
}
