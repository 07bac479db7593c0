import type { Database } from "#src/db/database.ts";
import { toError } from "#src/kernel/errors.ts";
import { uuidv7 } from "#src/kernel/id.ts";
import type { Log } from "#src/kernel/log.ts";

const LEASE_SECONDS = 10;
const BEAT_MS = 2_500;

/**
 * This process as the leases know it. One heartbeat row per node, not per call: one per call deadlocked with
 * FINISH and cost an update for each live call (measured). At start the node fences its own previous
 * incarnation, so recovery after kill -9 does not wait for the lease to run out.
 */
export class Node {
  readonly id = uuidv7();
  readonly #database: Database;
  readonly #name: string;
  readonly #log: Log;
  readonly #address: string | null;
  #timer: NodeJS.Timeout | undefined;

  /** `address` is where other nodes reach this one; null: they need not. */
  constructor(database: Database, name: string, log: Log, address: string | null = null) {
    this.#database = database;
    this.#name = name;
    this.#log = log;
    this.#address = address;
  }

  /** Registers, fences the incarnation before, and starts the heartbeat. */
  async join(): Promise<void> {
    await this.#database.pool.query("update nodes set alive_until = '-infinity' where name = $1 and id <> $2", [
      this.#name,
      this.id,
    ]);
    await this.#database.pool.query(
      "delete from nodes where alive_until < now() and started_at < now() - interval '1 day'",
    );
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#beat().catch((error: unknown) => {
        this.#log.warn("The heartbeat could not be written.", { error: toError(error).message });
      });
    }, BEAT_MS);
  }

  /** Stops the heartbeat and gives up every lease at once. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#database.pool.query("update nodes set alive_until = '-infinity' where id = $1", [this.id]);
  }

  /** A node that was fenced stays fenced: its heartbeat must not bring it back. */
  async #beat(): Promise<void> {
    await this.#database.pool.query(
      `insert into nodes (id, name, alive_until, address) values ($1, $2, now() + make_interval(secs => $3), $4)
       on conflict (id) do update set alive_until = excluded.alive_until where nodes.alive_until <> '-infinity'`,
      [this.id, this.#name, LEASE_SECONDS, this.#address],
    );
  }
}
