import type { IncomingMessage } from "node:http";
import { AppError } from "#src/kernel/errors.ts";

/** How long a body that is read whole may take to arrive, however it trickles. */
const ARRIVAL_DEADLINE_MS = 20_000;

/** Reads a whole body: at most `limitBytes`, at most 20 s, and valid UTF-8. */
export async function readBodyText(message: IncomingMessage, limitBytes: number): Promise<string> {
  try {
    return strictUtf8.decode(await readBodyBytes(message, limitBytes));
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("INVALID_BODY", "The body is not valid UTF-8.");
  }
}

/** Reads a whole body of any kind: at most `limitBytes`, at most 20 s. */
export function readBodyBytes(message: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const declared = Number(message.headers["content-length"] ?? 0);
  if (declared > limitBytes) return Promise.reject(tooLarge(limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => finish(new AppError("REQUEST_TIMEOUT")), ARRIVAL_DEADLINE_MS);
    function finish(error?: Error): void {
      clearTimeout(timer);
      message.removeAllListeners("data");
      if (error) reject(error);
      else resolve(Buffer.concat(chunks));
    }
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) finish(tooLarge(limitBytes));
      else chunks.push(chunk);
    });
    message.on("end", () => finish());
    message.on("error", () => finish(new AppError("BAD_REQUEST", "The body broke off.")));
    message.on("close", () => {
      if (!message.complete) finish(new AppError("BAD_REQUEST", "The body broke off."));
    });
  });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The media type of a Content-Type header, in lower case, without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
