import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { freePort } from "./free-port.ts";

/** Name of the bucket that a BucketServer has. */
const BUCKET = "calls";
/** The key that the server knows; it refuses requests that another one signed. */
const KEY = "S3RVER";

/** A local store that speaks S3's protocol and verifies signatures, with one bucket. */
export class BucketServer implements AsyncDisposable {
  readonly #server: S3rver;
  readonly #port: number;
  readonly #folder: string;
  #isDown = false;

  private constructor(server: S3rver, port: number, folder: string) {
    this.#server = server;
    this.#port = port;
    this.#folder = folder;
    // It keeps its port meanwhile, which another server would take.
    server.httpServer.on("connection", (socket: Socket) => {
      if (this.#isDown) socket.destroy();
    });
  }

  static async start(): Promise<BucketServer> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), "parley-bucket-"));
    const buckets = { vhostBuckets: false, configureBuckets: [{ name: BUCKET }] };
    const server = new S3rver({ address: "127.0.0.1", port, directory, ...buckets, silent: true });
    await server.run();
    return new BucketServer(server, port, directory);
  }

  /** Settings of a service that keeps its recordings here. */
  get env(): Record<string, string> {
    return {
      RECORDINGS_STORE: `s3://${BUCKET}/parley/test`,
      S3_ENDPOINT: `http://127.0.0.1:${this.#port}`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    };
  }

  /** Answers again, with all that it had. */
  begin(): void {
    this.#isDown = false;
  }

  /** Answers nobody, until `begin`: connections are cut. */
  end(): void {
    this.#isDown = true;
    this.#server.httpServer.closeAllConnections();
  }

  /** Names of the recordings that it has, without the prefix. */
  get recordings(): string[] {
    const base = join(this.#folder, BUCKET, "parley/test");
    return globSync("**/*.wav*_object", { cwd: base }).map((name) => name.replace(/\._S3rver_object$/, ""));
  }

  /** Returns the bytes of a recording as they are stored. */
  read(name: string): Buffer {
    return readFileSync(join(this.#folder, BUCKET, "parley/test", `${name}._S3rver_object`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
