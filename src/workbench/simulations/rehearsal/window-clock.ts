import { type CallingWindow, isInWindow, nextOpening } from "#src/tenancy/compliance/calling-window.ts";

const MINUTE_MS = 60_000;
/** The clocks of all time zones differ by whole quarters of an hour. */
const QUARTER_MINUTES = 15;
/** A window that is open for longer is checked again after this time. */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;

interface Opening {
  opensAt: number;
  closesAt: number;
}

/** Openings of a calling window, common to some zones, from a time on. Each is computed once and shared. */
export class WindowCalendar {
  readonly #rules: CallingWindow | null;
  readonly #zones: readonly string[];
  readonly #fromMs: number;
  /** Windows open and close at multiples of it. */
  readonly #gridMs: number;
  readonly #openings: Opening[] = [];

  constructor(rules: CallingWindow | null, zones: readonly string[], fromMs: number) {
    this.#rules = rules;
    this.#zones = zones;
    this.#fromMs = fromMs;
    this.#gridMs = gridMinutes(rules) * MINUTE_MS;
  }

  /** Returns the nth opening. The last one lasts for ever, and starts at Infinity when the window never opens again. */
  opening(n: number): Opening {
    while (this.#openings.length <= n) this.#openings.push(this.#find(this.#openings.at(-1)?.closesAt ?? this.#fromMs));
    return this.#openings[n] as Opening;
  }

  #find(fromMs: number): Opening {
    const rules = this.#rules;
    if (rules === null) return { opensAt: -Infinity, closesAt: Infinity };
    const opensAt = nextOpening(rules, this.#zones, fromMs) ?? Infinity;
    if (opensAt === Infinity) return { opensAt, closesAt: Infinity };
    let ms = Math.floor(opensAt / this.#gridMs) * this.#gridMs + this.#gridMs;
    while (ms < opensAt + LONGEST_MS && isInWindow(rules, this.#zones, ms)) ms += this.#gridMs;
    return { opensAt, closesAt: ms };
  }
}

/** Reads a calendar for times that only go forward. */
export class WindowClock {
  readonly #calendar: WindowCalendar;
  #at = 0;

  constructor(calendar: WindowCalendar) {
    this.#calendar = calendar;
  }

  /** Returns the first instant from `atMs` on at which the window is open; Infinity when it never is. */
  openFrom(atMs: number): number {
    let opening = this.#calendar.opening(this.#at);
    while (atMs >= opening.closesAt) opening = this.#calendar.opening(++this.#at);
    return Math.max(atMs, opening.opensAt);
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
