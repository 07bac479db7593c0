import { openAsBlob } from "node:fs";
import { S3mini, S3ServiceError } from "s3mini";
import type { Agent, RequestInit } from "undici";
import type { BucketSettings } from "#src/platform/config/bucket-settings.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { FileStore, StoredFile } from "./stored-file.ts";

/** Longest time to connect, and longest silence of the store while it answers or takes a file. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;

/** The store did not do what it was asked. The message is for the operator, and holds no secret. */
export class BucketFault extends Error {}

/** A file of this machine cannot be read, so it is not in the bucket; the bucket may be well. */
export class UnreadableFile extends Error {}

/** A bucket of an S3-compatible store. All methods throw `BucketFault`. */
export interface Bucket extends FileStore {
  /** Name of the bucket, for messages. */
  readonly name: string;
  /**
   * Copies a file of this machine into the bucket; an object of that path is replaced. Throws `UnreadableFile`, too, and
   * the system's error where there is no file.
   */
  put(path: string, from: string): Promise<void>;
  /** Writes, reads, misses and deletes an object, named `path`, so that a wrong setting is found before it is needed. */
  check(path: string): Promise<void>;
}

/**
 * Opens a bucket; nothing is sent yet. A file is one PUT, for which stores take 5 GB: the longest recording, of 24 hours,
 * has 1.4 GB. Requests are not repeated here, because callers do so when there is time.
 */
export function openBucket(settings: BucketSettings): Bucket {
  const { name, url, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3mini({ endpoint: url, region, accessKeyId, secretAccessKey, fetch: createFetch() });
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toFault(settings, error);
    }
  };
  const open = (path: string) => guard(() => openObject(client, path, settings));
  const store = async (path: string, content: Blob) => {
    const reply = await client.putObject(path, content);
    await reply.text();
  };
  return {
    name,
    open,
    async put(path, from) {
      const content = await openAsBlob(from);
      await guard(() => store(path, content)).catch((fault: Error) => {
        // The request reads the file, so it is what fails.
        const isUnreadable = toError(toError(fault.cause).cause).name === "NotReadableError";
        throw isUnreadable ? new UnreadableFile(`${from} cannot be read. Look at its owner and its disk.`) : fault;
      });
      const stored = await open(path);
      if (stored?.byteLength === content.size) return;
      throw new BucketFault(`${name} has ${stored?.byteLength ?? "none"} of the ${content.size} bytes of ${path}.`);
    },
    async remove(path) {
      await guard(() => client.deleteObject(path));
      // The store's answer is the same for an object that it never had.
      return true;
    },
    check: (path) =>
      guard(async () => {
        await store(path, new Blob(["parley"]));
        const reply = await client.getObjectRaw(path, false, 0, 3);
        const start = await reply.text();
        await client.deleteObject(path);
        if (start !== "par") throw new Error("it returned other bytes than those stored");
        if (await openObject(client, path, settings)) throw new Error("it kept an object that was deleted");
      }),
  };
}

async function openObject(client: S3mini, path: string, settings: BucketSettings): Promise<StoredFile | null> {
  try {
    const byteLength = await client.getContentLength(path);
    return {
      byteLength,
      async *read({ start, end }) {
        if (start >= end) return;
        try {
          const reply = await client.getObjectRaw(path, false, start, end);
          for await (const piece of reply.body ?? []) yield piece as Uint8Array;
        } catch (error) {
          throw toFault(settings, error);
        }
      },
    };
  } catch (thrown) {
    const { cause } = toError(thrown);
    if (!(cause instanceof S3ServiceError) || cause.status !== 404) throw cause ?? thrown;
    await assertBucket(client, path);
    return null;
  }
}

/** Throws when an object is missing because its bucket is: the answer to HEAD has no body that could say so. */
async function assertBucket(client: S3mini, path: string): Promise<void> {
  try {
    const reply = await client.getObjectRaw(path, false, 0, 1);
    await reply.text();
  } catch (error) {
    const isThere = error instanceof S3ServiceError && error.status === 404 && error.serviceCode !== "NoSuchBucket";
    if (!isThere) throw error;
  }
}

/** Creates the fetch of the client, which goes to the one address that the operator configured. */
function createFetch(): typeof globalThis.fetch {
  let dispatcher: Agent | undefined;
  const sendThere = async (input: string | URL, init: RequestInit) => {
    const undici = await import("undici");
    dispatcher ??= new undici.Agent({
      connect: { timeout: CONNECT_MS },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    return undici.fetch(input, { ...init, dispatcher, redirect: "manual" });
  };
  return sendThere as unknown as typeof globalThis.fetch;
}

function toFault({ name, url }: BucketSettings, thrown: unknown): BucketFault {
  if (thrown instanceof BucketFault) return thrown;
  const place = `${name} at ${new URL(url).origin}`;
  if (!(thrown instanceof S3ServiceError)) {
    const error = toError(thrown);
    const reason = codeOf(error) ?? codeOf(error.cause) ?? error.message;
    const message = `${place} does not answer as a bucket does: ${reason}. Check S3_ENDPOINT and the network.`;
    return new BucketFault(message, { cause: error });
  }
  const { status, serviceCode = "" } = thrown;
  const said = `${status}${/^\w+$/.test(serviceCode) && serviceCode !== "Unknown" ? ` ${serviceCode}` : ""}`;
  if (serviceCode === "RequestTimeTooSkewed")
    return new BucketFault(`${place} refuses the clock of this machine (${said}). Set it, for example with NTP.`);
  if (status === 401 || status === 403) {
    return new BucketFault(
      `${place} refuses access (${said}). Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, and the rights of that key.`,
    );
  }
  if (status === 404 && serviceCode !== "NoSuchKey")
    return new BucketFault(`${place} does not exist (${said}). Create the bucket.`);
  if (status < 400) return new BucketFault(`${place} is elsewhere (${said}). Check S3_REGION and S3_ENDPOINT.`);
  return new BucketFault(`${place} failed (${said}).`);
}
