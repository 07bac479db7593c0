import { type CallingWindow, isInWindow, nextOpening } from "#src/compliance/calling-window.ts";

const MINUTE_MS = 60_000;
/** The clocks of all zones differ by whole quarters of an hour. */
const QUARTER_MINUTES = 15;
/** A window that is open for longer is looked at again then. */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;

/** Tells quickly, for times that only go forward, whether a calling window is open in some zones. */
export class WindowClock {
  readonly #rules: CallingWindow | null;
  readonly #zones: readonly string[];
  /** Windows open and close at multiples of it. */
  readonly #gridMs: number;
  #opensAt = -Infinity;
  #closesAt = -Infinity;

  constructor(rules: CallingWindow | null, zones: readonly string[]) {
    this.#rules = rules;
    this.#zones = zones;
    this.#gridMs = gridMinutes(rules) * MINUTE_MS;
    if (rules === null) this.#closesAt = Infinity;
  }

  /** The first instant from `atMs` on at which it is open; Infinity when it never is. */
  openFrom(atMs: number): number {
    if (this.#rules !== null && atMs >= this.#closesAt) this.#advance(this.#rules, atMs);
    return Math.max(atMs, this.#opensAt);
  }

  #advance(rules: CallingWindow, atMs: number): void {
    this.#opensAt = nextOpening(rules, this.#zones, atMs) ?? Infinity;
    if (this.#opensAt === Infinity) {
      this.#closesAt = Infinity;
      return;
    }
    const untilMs = this.#opensAt + LONGEST_MS;
    let ms = Math.floor(this.#opensAt / this.#gridMs) * this.#gridMs + this.#gridMs;
    while (ms < untilMs && isInWindow(rules, this.#zones, ms)) ms += this.#gridMs;
    this.#closesAt = ms;
  }
}

function gridMinutes(rules: CallingWindow | null): number {
  const times = (rules?.windows ?? []).flatMap(({ start, end }) => [minuteOf(start), minuteOf(end)]);
  return times.reduce(greatestDivisor, QUARTER_MINUTES);
}

function minuteOf(time: string): number {
  return Number(time.slice(3));
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
