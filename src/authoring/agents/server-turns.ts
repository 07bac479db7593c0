/** Requests to one server at once: the slots that are left are for the servers of others. */
const MAX_AT_ONCE = 4;
/** Who waits holds a slot, too; of a slow server thousands would wait. */
const MAX_WAITING = 4;
/** A server of which nothing came for this long is not waited for. */
const PATIENCE_MS = 1_000;
/** When whoever was refused asks again, and how much later each further one: ten thousand must not come back at once. */
const REFUSED_MS = 2_000;
const REFUSED_GAP_MS = 20;

/** A turn at a server, to be ended; or after how long to ask again. */
export type Turn = { end: () => void; afterMs?: never } | { end?: never; afterMs: number };

interface Server {
  taken: number;
  /** Since a turn ended last. */
  refused: number;
  /** When a turn ended last. */
  movedAtMs: number;
  /** In the order of their coming. */
  waiting: Set<() => void>;
}

/**
 * Shares the slots of a lane among the servers that its tasks ask. A server that lets every request hang until its
 * deadline would otherwise hold all slots, and whoever uses another server would wait for it.
 */
export class ServerTurns {
  readonly #servers = new Map<string, Server>();

  /** Takes a turn at a server, unless the server is busy and does not get on. */
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

/** True once another's turn has become the caller's. */
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
