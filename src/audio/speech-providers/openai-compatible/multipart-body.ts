import { Readable } from "node:stream";
import { randomText } from "#src/platform/kernel/id.ts";

/** A multipart/form-data body (RFC 7578) that is sent as its file is read. */
export interface MultipartBody {
  contentType: string;
  body: Readable;
  /** Null when the file's length is unknown. */
  bytes: number | null;
}

/** The file of a form. Name and type are the service's own, so they need no escaping. */
export interface FormFile {
  name: string;
  mediaType: string;
  content: AsyncIterable<Buffer>;
  bytes: number | null;
}

/** Builds a form of fields followed by one part `file`. */
export function createMultipartBody(fields: [name: string, value: string][], file: FormFile): MultipartBody {
  const boundary = `parley-${randomText(32)}`;
  const head = Buffer.from(
    [
      ...fields.map(
        ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n`,
      `Content-Type: ${file.mediaType}\r\n\r\n`,
    ].join(""),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* write(): AsyncGenerator<Buffer> {
    yield head;
    yield* file.content;
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(write(), { objectMode: false }),
    bytes: file.bytes === null ? null : head.length + file.bytes + tail.length,
  };
}

/** Returns the request that posts a form, with the key of a server that requires one. */
export function postForm({ contentType, body, bytes }: MultipartBody, apiKey: string | undefined) {
  return {
    method: "POST" as const,
    headers: {
      "content-type": contentType,
      accept: "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body,
    ...(bytes === null ? {} : { bodyBytes: bytes }),
  };
}
