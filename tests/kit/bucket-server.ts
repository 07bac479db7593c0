import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
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
  readonly #port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-bucket-"));
  #server: S3rver | null = null;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<BucketServer> {
    const bucket = new BucketServer(await freePort());
    await bucket.begin();
    return bucket;
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
  async begin(): Promise<void> {
    const place = { address: "127.0.0.1", port: this.#port, directory: this.#folder };
    const buckets = { vhostBuckets: false, configureBuckets: [{ name: BUCKET }] };
    this.#server = new S3rver({ ...place, ...buckets, silent: true });
    await this.#server.run();
  }

  /** Answers nobody, until `begin`. */
  async end(): Promise<void> {
    this.#server?.httpServer.closeAllConnections();
    await this.#server?.close();
    this.#server = null;
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
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
