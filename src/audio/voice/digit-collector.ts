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

  /** True while a group is open: its next key may still come. */
  get isCollecting(): boolean {
    return this.#group !== undefined;
  }

  /** Takes the next key. */
  add(digit: string, atMs: number): void {
    const group = (this.#group ??= { digits: "", startMs: atMs, endMs: atMs });
    group.digits += digit;
    group.endMs = atMs;
    clearTimeout(this.#timer);
    if (digit === "#" || group.digits.length >= MAX_DIGITS) this.end();
    else this.#timer = setTimeout(() => this.end(), BETWEEN_DIGITS_MS);
  }

  /** Gives the open group, if there is one, without waiting for another key. */
  end(): void {
    clearTimeout(this.#timer);
    const group = this.#group;
    this.#group = undefined;
    if (group) this.#onGroup(group);
  }
}
