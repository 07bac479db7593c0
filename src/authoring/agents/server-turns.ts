/** Requests to one server at once; the remaining slots are for other servers. */
const MAX_AT_ONCE = 4;
/** Callers that wait for one server. Each holds a slot too, so a slow server must not collect thousands. */
const MAX_WAITING = 4;
/** Milliseconds without an answer after which callers no longer wait for a server. */
const PATIENCE_MS = 1_000;
/**
 * Delay before a refused caller asks again, and the gap added for each further one: ten thousand must not return at
 * once.
 */
const REFUSED_MS = 2_000;
const REFUSED_GAP_MS = 20;

/** A turn at a server, which the caller ends; or the delay before asking again. */
export type Turn = { end: () => void; afterMs?: never } | { end?: never; afterMs: number };

interface Server {
  taken: number;
  /** Refusals since a turn last ended. */
  refused: number;
  /** Time at which a turn last ended. */
  movedAtMs: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Shares the slots of a pool among the servers that its tasks call. Otherwise a server that lets every request hang
 * until its deadline would hold all slots, and tasks for other servers would wait for it.
 */
export class ServerTurns {
  readonly #servers = new Map<string, Server>();

  /** Takes a turn at a server, unless the server is busy and makes no progress. */
  async take(name: string): Promise<Turn> {
    const server = this.#servers.get(name) ?? {
      taken: 0,
      refused: 0,
      movedAtMs: performance.now(),
      waiting: new Set(),
    };
    this.#servers.set(name, server);
    if (server.taken < MAX_AT_ONCE) server.taken++;
    else if (!(await waitForTurn(server))) return { afterMs: REFUSED_MS + REFUSED_GAP_MS * server.refused++ };
    return { end: () => this.#end(name, server) };
  }

  #end(name: string, server: Server): void {
    server.movedAtMs = performance.now();
    server.refused = 0;
    const [next] = server.waiting;
    if (next) return next();
    server.taken--;
    if (server.taken === 0) this.#servers.delete(name);
  }
}

/** True once another caller's turn has passed to this one. */
function waitForTurn({ movedAtMs, waiting }: Server): Promise<boolean> {
  const leftMs = movedAtMs + PATIENCE_MS - performance.now();
  if (leftMs <= 0 || waiting.size >= MAX_WAITING) return Promise.resolve(false);
  return new Promise((resolve) => {
    const begin = () => end(true);
    const end = (hasTurn: boolean) => {
      waiting.delete(begin);
      clearTimeout(timer);
      resolve(hasTurn);
    };
    const timer = setTimeout(() => end(false), leftMs);
    waiting.add(begin);
  });
}
