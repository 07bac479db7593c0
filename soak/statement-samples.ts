import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const EVERY_MS = 25;
/** Characters of a statement that tell it from others in a report. */
const SHOWN = 110;
const MOST = 12;

/**
 * Looks forty times a second at the statements that PostgreSQL is working on, and counts them. Says what the database is
 * busy with; its own statement is left out.
 */
export class StatementSamples implements AsyncDisposable {
  readonly #closing = new AbortController();
  readonly #sampling: Promise<void>;
  readonly #counts = new Map<string, number>();
  #looks = 0;

  private constructor(client: pg.Client) {
    this.#sampling = this.#sample(client).finally(() => client.end());
  }

  /** Begins to sample, over a connection of its own. */
  static async begin(connection: pg.ClientConfig): Promise<StatementSamples> {
    const client = new pg.Client(connection);
    await client.connect();
    return new StatementSamples(client);
  }

  /** Returns the busiest statements, one a line with its share of the looks. */
  describe(): string[] {
    const busiest = [...this.#counts].toSorted((a, b) => b[1] - a[1]).slice(0, MOST);
    return busiest.map(([text, count]) => `  ${((100 * count) / this.#looks).toFixed(0).padStart(4)} %  ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#sampling;
  }

  async #sample(client: pg.Client): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const { rows } = await client.query<{ query: string; waits: string }>(
        `select query, coalesce(wait_event_type, 'CPU') as waits
           from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
            and coalesce(wait_event_type, '') <> 'Client'`,
      );
      this.#looks++;
      for (const { query, waits } of rows) {
        const text = `${waits} ${query.replaceAll(/\s+/g, " ").slice(0, SHOWN)}`;
        this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
      }
      await pause(EVERY_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
