import { AsyncLocalStorage } from "node:async_hooks";
import { callbackify } from "node:util";
import pg from "pg";
import { type TurnLimits, Turns } from "#src/platform/kernel/turns.ts";

const owner = new AsyncLocalStorage<string>();
/** Whatever no workspace asked for. */
const NOBODY = "";

/** Runs `work`, whose connections count as those of `key`: of a workspace, or of an address that is none's. */
export function runAsOwner<T>(key: string, work: () => T): T {
  return owner.run(key, work);
}

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool whose connections go round by owner: of those that wait, the owner with the fewest connections has the next one.
 * In a plain pool whoever sends two hundred slow requests at once makes everybody wait for all of them.
 */
export class FairPool extends pg.Pool {
  readonly #turns: Turns;
  readonly #patienceMs: number;

  constructor(config: pg.PoolConfig, limits: TurnLimits) {
    super(config);
    this.#turns = new Turns(limits);
    this.#patienceMs = config.connectionTimeoutMillis ?? 0;
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

/** As the pool itself says it. */
function tooLate(): Error {
  return new Error("timeout exceeded when trying to connect");
}
