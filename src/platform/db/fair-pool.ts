import { AsyncLocalStorage } from "node:async_hooks";
import { callbackify } from "node:util";
import pg from "pg";
import { type TurnLimits, Turns } from "#src/platform/kernel/turns.ts";

const owner = new AsyncLocalStorage<string>();
/** Owner of connections that no workspace asked for. */
const NOBODY = "";

/** Runs `work`, whose connections count as those of `key`: a workspace, or an address that belongs to none. */
export function runAsOwner<T>(key: string, work: () => T): T {
  return owner.run(key, work);
}

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that hands out connections fairly: among waiting owners, the one with the fewest connections gets the next. In
 * a plain pool, two hundred slow requests sent at once by one owner make everybody wait for all of them.
 */
export class FairPool extends pg.Pool {
  readonly #turns: Turns;
  readonly #patienceMs: number;

  constructor(config: pg.PoolConfig, limits: TurnLimits) {
    super(config);
    this.#turns = new Turns(limits);
    this.#patienceMs = config.connectionTimeoutMillis ?? 0;
  }

  /** Requests for a connection that wait for their turn. */
  get waitingTurns(): number {
    return this.#turns.waiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#take();
    callbackify(() => this.#take())((error: Error | null, client?: pg.PoolClient) =>
      callback(error ?? undefined, client, (fault) => client?.release(fault as Error | undefined)),
    );
    return undefined;
  }

  async #take(): Promise<pg.PoolClient> {
    const end = await this.#turns.take(
      owner.getStore() ?? NOBODY,
      this.#patienceMs > 0 ? { maxWaitMs: this.#patienceMs, tooLate } : {},
    );
    try {
      const client = await super.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        end();
      };
      return client;
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** The same error as the pool's own time-out. */
function tooLate(): Error {
  return new Error("timeout exceeded when trying to connect");
}
