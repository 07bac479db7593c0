import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import { bodyBudget } from "./body-budget.ts";
import { askForBody } from "./expect-continue.ts";

/** Charsets accepted as UTF-8. ASCII is the part of it that older clients name. */
const UTF8_NAMES: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);
/** Time limit for the arrival of a body that is read whole, however slowly it trickles. */
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
  let counted = declared;
  try {
    assertLength(message, limitBytes);
    bodyBudget.take(message, declared);
  } catch (error) {
    return Promise.reject(toError(error));
  }
  askForBody(message);
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
      if (size > limitBytes) return finish(tooLarge(limitBytes));
      try {
        if (size > counted) bodyBudget.take(message, size - counted);
        counted = Math.max(counted, size);
        chunks.push(chunk);
      } catch (error) {
        finish(toError(error));
      }
    });
    message.on("end", () => finish());
    message.on("error", () => finish(new AppError("BAD_REQUEST", "The body broke off.")));
    message.on("close", () => {
      if (!message.complete) finish(new AppError("BAD_REQUEST", "The body broke off."));
    });
  });
}

/** Throws a 413 for a body whose Content-Length exceeds `limitBytes`. */
export function assertLength({ headers }: IncomingMessage, limitBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * Throws a 415 for a body that is compressed or whose text is not UTF-8; the reply names what is accepted (RFC 9110,
 * 15.5.16).
 */
export function assertPlainText(headers: IncomingHttpHeaders): void {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.", [], {
      "accept-encoding": "identity",
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase();
  if (charset === undefined || UTF8_NAMES.has(charset)) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send UTF-8 instead of ${charset.slice(0, 40)}.`);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the media type of a Content-Type header, in lower case, without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
