import type { Socket } from "node:net";
import type pg from "pg";

/** Time that a connection from before a fault has to receive anything once the database answers again. */
export const SILENCE_MS = 10_000;

/**
 * Breaks the connections of `pools` that were lost without a word: the machine of the database, or a router on the way,
 * is gone, and TCP waits a quarter of an hour for an answer, or for ever. `beats` is asked every few seconds with a time
 * limit; once it answers again after a fault, connections from before it have `silenceMs` to receive anything. A
 * statement in progress then fails as on any broken connection.
 */
export function breakLostConnections(beats: pg.Pool, pools: readonly pg.Pool[], silenceMs: number): void {
  const clients = new Set<pg.PoolClient>();
  for (const pool of pools) {
    pool.on("connect", (client) => clients.add(client));
    pool.on("remove", (client) => clients.delete(client));
  }
  let doubtful: (readonly [client: pg.PoolClient, received: number])[] = [];
  beats.on("release", (error: Error | undefined) => {
    const before = doubtful;
    doubtful = error ? [...clients].map((client) => [client, socketOf(client).bytesRead]) : [];
    if (error || before.length === 0) return;
    const breakSilent = () => {
      for (const [client, received] of before) {
        const socket = socketOf(client);
        if (socket.bytesRead === received) socket.destroy();
      }
    };
    setTimeout(breakSilent, silenceMs).unref();
  });
}

/** Returns the socket of a connection; the types of `pg` leave it out. */
function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
