import type { Config } from "#src/platform/config/config.ts";
import { openKeyRing, type StartKeys } from "#src/platform/config/secret.ts";
import type { Connection } from "#src/platform/db/database.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { bindOperatorSocket, type OperatorSocket } from "#src/surfaces/operator/socket.ts";
import { Closers } from "./closers.ts";
import { connectDatabase } from "./database.ts";

/** Things that a process stands on: its data folder, which it alone uses, its secrets, and its database. */
export interface Ground {
  socket: OperatorSocket;
  secret: StartKeys;
  /** Settings of the database, once it answers; rejects when it cannot be used. */
  connection: Promise<Connection>;
  /** Resolves with the reason when an embedded database ended and cannot be started again, or `onHopeless` was called. */
  hopeless: Promise<Error>;
  onHopeless: (reason: Error) => void;
  closers: Closers;
}

/**
 * Claims the data folder, and returns once an embedded database works in a process of its own or a configured one
 * answers. The service is loaded after that: it takes as long as the database takes to start. After a failure nothing
 * is left running.
 */
export async function openGround(config: Config, log: Log): Promise<Ground> {
  const closers = new Closers();
  const { promise: hopeless, resolve: onHopeless } = Promise.withResolvers<Error>();
  const { promise: begun, resolve: onBegun } = Promise.withResolvers<void>();
  try {
    const socket = await bindOperatorSocket(config.dataDir);
    closers.add(() => socket.close());
    const secret = openKeyRing(config);
    const connection = connectDatabase(config, log, closers, { onHopeless, onBegun });
    await Promise.race([begun, connection]);
    // Its failure is told to those who wait for it.
    connection.catch(() => undefined);
    return { socket, secret, connection, hopeless, onHopeless, closers };
  } catch (error) {
    await closers.closeAll(log);
    throw error;
  }
}
