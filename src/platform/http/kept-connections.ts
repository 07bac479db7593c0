import type { Client } from "undici";

/** Bounds of the connections that are kept. */
export interface KeepLimits {
  /** Milliseconds without a request; a shorter `Keep-Alive: timeout=` of the other side counts instead. */
  idleMs: number;
  /** Milliseconds after which a connection takes no more requests, so that a change of the name's addresses is followed. */
  ageMs: number;
  /** Idle connections of one origin. */
  ofOrigin: number;
  inAll: number;
}

/** The limits of a server: idle for half of the minute after which vendors and load balancers commonly close. */
export const KEEP_LIMITS: KeepLimits = { idleMs: 30_000, ageMs: 300_000, ofOrigin: 32, inAll: 256 };

/** A client and the one connection that it opens. */
export interface Connection {
  client: Client;
  origin: string;
  openedAtMs: number;
}

/**
 * Idle connections, each checked by the guard when it was opened. Their clients close those that are idle for too long;
 * closed ones are noticed when they are looked at.
 */
export class KeptConnections {
  readonly limits: KeepLimits;
  /** Those that became idle first are first. */
  readonly #idle = new Set<Connection>();
  #isClosed = false;

  constructor(limits: KeepLimits) {
    this.limits = limits;
  }

  /** Takes out the connection to an origin that was used last; undefined when there is none. */
  take(origin: string): Connection | undefined {
    for (const connection of [...this.#idle].reverse()) {
      if (connection.origin !== origin) continue;
      this.#idle.delete(connection);
      if (this.#isUsable(connection)) return connection;
      destroyConnection(connection);
    }
    return undefined;
  }

  /** Keeps a connection on which nothing is under way, unless it cannot be used again; of too many the oldest ends. */
  keep(connection: Connection): void {
    if (this.#isClosed || !this.#isUsable(connection)) return destroyConnection(connection);
    this.#idle.add(connection);
    const same = [...this.#idle].filter(({ origin }) => origin === connection.origin);
    const { ofOrigin, inAll } = this.limits;
    const [oldest] = same.length > ofOrigin ? same : this.#idle.size > inAll ? this.#idle : [];
    if (oldest) this.#drop(oldest);
  }

  /** Closes the idle connections; one that is in use ends with its request. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle) this.#drop(connection);
  }

  #isUsable({ client, openedAtMs }: Connection): boolean {
    return client.stats.connected && performance.now() - openedAtMs < this.limits.ageMs;
  }

  #drop(connection: Connection): void {
    this.#idle.delete(connection);
    destroyConnection(connection);
  }
}

/** Ends a connection and what is under way on it; its own failure adds nothing. */
export function destroyConnection({ client }: Connection): void {
  client.destroy().catch(() => undefined);
}
