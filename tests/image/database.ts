import { mkdirSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { freePort } from "../kit/free-port.ts";

/** The embedded PostgreSQL of this checkout behind a TCP port: the folder of its socket is closed to containers. */
export class TcpDatabase implements AsyncDisposable {
  readonly url: string;
  readonly #embedded: EmbeddedPostgres;
  readonly #server: Server;

  private constructor(embedded: EmbeddedPostgres, server: Server, port: number) {
    const { user, database } = embedded.config;
    this.url = `postgres://${user}@127.0.0.1:${port}/${database}`;
    this.#embedded = embedded;
    this.#server = server;
  }

  /** Starts it with its data in a folder below `folder`. */
  static async start(folder: string): Promise<TcpDatabase> {
    const dataDir = join(folder, "database");
    mkdirSync(dataDir);
    const embedded = await startEmbeddedPostgres({ dataDir, log: createLog("warn") });
    const { host, port } = embedded.config;
    const path = join(host, `.s.PGSQL.${port}`);
    const server = createServer((client) => {
      const socket = connect(path);
      client.on("error", () => socket.destroy()).pipe(socket);
      socket.on("error", () => client.destroy()).pipe(client);
    });
    const tcpPort = await freePort();
    await new Promise<void>((resolve) => server.listen(tcpPort, "127.0.0.1", resolve));
    return new TcpDatabase(embedded, server, tcpPort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await this.#embedded.stop();
  }
}
