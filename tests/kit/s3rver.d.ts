declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";

  interface Options {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    vhostBuckets: boolean;
    configureBuckets: { name: string }[];
  }

  /** A server of S3's protocol that keeps objects in a folder and verifies signatures. */
  export default class S3rver {
    httpServer: Server;
    constructor(options: Options);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
