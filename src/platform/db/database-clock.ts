import type pg from "pg";
import { aheadMs, setDatabaseTime, TOLERATED_OFF_MS } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";

const EVERY_MS = 10_000;
/** A reading whose answer took longer is too imprecise to use. */
const SLOWEST_MS = 1_000;

/** Reads the database's clock now and then, and warns when the machine's own differs from it by more than 5 s. */
export class DatabaseClock {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #repeater: Repeater;
  #isOff = false;

  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
    this.#repeater = new Repeater(
      EVERY_MS,
      () => this.read(),
      (error) => log.warn("The database's clock could not be read.", { error: toError(error).message }),
    );
  }

  /** Reads the clock once, and from then on every 10 s. */
  async start(): Promise<void> {
    await this.read();
    this.#repeater.start();
  }

  /** Stops reading. */
  async stop(): Promise<void> {
    await this.#repeater.stop();
  }

  /** Reads the clock; the answer is taken as the time halfway between question and reply. */
  async read(): Promise<void> {
    const askedMs = performance.now();
    const found = await this.#pool.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
    );
    const answeredMs = performance.now();
    const [row] = found.rows;
    if (!row || answeredMs - askedMs > SLOWEST_MS) return;
    setDatabaseTime(row.ms, (askedMs + answeredMs) / 2);
    const wasOff = this.#isOff;
    const offMs = aheadMs();
    const isOff = Math.abs(offMs) > TOLERATED_OFF_MS;
    this.#isOff = isOff;
    if (isOff && !wasOff)
      this.#log.warn(
        "The clock of this machine differs from the database's, which everything goes by. Set it, for example with NTP.",
        { aheadSeconds: Math.round(offMs / 1_000) },
      );
    if (!isOff && wasOff) this.#log.info("The clock of this machine agrees with the database's again.");
  }
}
