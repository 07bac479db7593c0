import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

const LOOK_MS = 100;

/** Watches the lease of the only node from its database: how little of it was ever left, and whether another took over. */
export class LeaseWatch {
  readonly #client: pg.Client;
  readonly #ids = new Set<string>();
  #leastLeft = Number.POSITIVE_INFINITY;
  #isStopped = false;
  readonly #loop: Promise<void>;

  constructor(client: pg.Client) {
    this.#client = client;
    this.#loop = this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop;
  }

  describe(): string {
    return `the lease had ${this.#leastLeft.toFixed(1)} s left at least`;
  }

  faults(): string[] {
    return [
      ...(this.#leastLeft <= 0 ? ["The node's lease ran out."] : []),
      ...(this.#ids.size > 1 ? ["The process went on as another node: it lost its lease."] : []),
    ];
  }

  async #look(): Promise<void> {
    while (!this.#isStopped) {
      const { rows } = await this.#client.query<{ id: string; left: number }>(
        `select id, extract(epoch from alive_until - clock_timestamp())::float8 as left
           from nodes order by alive_until desc limit 1`,
      );
      const [newest] = rows;
      if (newest) {
        this.#ids.add(newest.id);
        this.#leastLeft = Math.min(this.#leastLeft, newest.left);
      }
      await pause(LOOK_MS);
    }
  }
}
