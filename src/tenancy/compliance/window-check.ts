import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { type CallingWindow, nextOpening } from "./calling-window.ts";

/** Error for a person whom a window never lets be called. */
export const NEVER_OPENS =
  "the calling window is never open in all zones of the number's country at once. Name the person's own zone.";

/** Checks that a window opens for a person at some time. Run when rows are stored, so that none waits for ever. */
export class WindowCheck {
  readonly #rules: CallingWindow | null;
  readonly #zonesByCountry: ReadonlyMap<string, string[]>;
  readonly #known = new Map<string, boolean>();

  private constructor(rules: CallingWindow | null, zonesByCountry: ReadonlyMap<string, string[]>) {
    this.#rules = rules;
    this.#zonesByCountry = zonesByCountry;
  }

  /** Reads the zones of countries if the window needs them. */
  static async load(tx: Executor, rules: CallingWindow | null): Promise<WindowCheck> {
    if (rules?.timeZoneMode !== "RECIPIENT") return new WindowCheck(rules, new Map());
    const rows = await all<{ country: string; zones: string[] }>(
      tx,
      sql`select country, zones from country_time_zones`,
    );
    return new WindowCheck(rules, new Map(rows.map((row) => [row.country, row.zones])));
  }

  /** True when there is no window at all. */
  get isUnlimited(): boolean {
    return this.#rules === null;
  }

  /** Countries whose zones are known; none where the window has a fixed zone. */
  get countries(): string[] {
    return [...this.#zonesByCountry.keys()];
  }

  /** False when no call could ever go out. True for a country without zones, which the gate blocks at the dial. */
  everOpens(timeZone: string | null, country: string): boolean {
    const rules = this.#rules;
    if (rules === null) return true;
    const zones = this.#zonesOf(rules, timeZone, country);
    if (zones.length === 0) return true;
    const key = zones.join();
    const known = this.#known.get(key) ?? nextOpening(rules, zones, nowMs()) !== null;
    this.#known.set(key, known);
    return known;
  }

  #zonesOf(rules: CallingWindow, timeZone: string | null, country: string): string[] {
    if (rules.timeZone !== null) return [rules.timeZone];
    return timeZone === null ? (this.#zonesByCountry.get(country) ?? []) : [timeZone];
  }
}
