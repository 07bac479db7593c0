/** Longest call time between keys that belong together. */
const BETWEEN_DIGITS_MS = 2_000;
const MAX_DIGITS = 64;

/** Keys that belong together. */
export interface DigitGroup {
  digits: string;
  startMs: number;
  endMs: number;
}

/** Collects keys, which come one at a time; a pause or # ends a group. */
export class DigitCollector {
  readonly #onGroup: (group: DigitGroup) => void;
  #group: DigitGroup | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onGroup: (group: DigitGroup) => void) {
    this.#onGroup = onGroup;
  }

  /** Takes the next key. */
  add(digit: string, atMs: number): void {
    const group = (this.#group ??= { digits: "", startMs: atMs, endMs: atMs });
    group.digits += digit;
    group.endMs = atMs;
    this.stop();
    if (digit === "#" || group.digits.length >= MAX_DIGITS) this.#end(group);
    else this.#timer = setTimeout(() => this.#end(group), BETWEEN_DIGITS_MS);
  }

  /** Stops waiting for the next key. A group that has begun is not given. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(group: DigitGroup): void {
    this.#group = undefined;
    this.#onGroup(group);
  }
}
