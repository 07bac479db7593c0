import { mediaType } from "#src/platform/http/body.ts";
import { OutboundError, type OutboundReply, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { type Source, type SourceType, SOURCE_TYPES } from "./extract.ts";

export const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;

/** Cache validators that an address sent with its page at the last read. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Result of a fetch. A transient fault may pass after a while. */
export type Fetched =
  | { kind: "PAGE"; source: Source; validators: Validators }
  | { kind: "UNCHANGED" }
  | { kind: "FAULT"; message: string; isTransient: boolean };

/** Fetches a page through redirects that each pass the guard. An unchanged page is not sent again. */
export async function fetchPage(
  safeFetch: SafeFetch,
  url: string,
  validators: Validators,
  signal: AbortSignal,
): Promise<Fetched> {
  let at = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const reply = await fetchOnce(safeFetch, at, validators, signal);
    if ("kind" in reply) return reply;
    const target = redirectOf(reply, at);
    if (target === null) return readReply(reply, validators);
    at = target;
  }
  return fault(`The address redirects more than ${MAX_REDIRECTS} times.`);
}

async function fetchOnce(
  safeFetch: SafeFetch,
  url: string,
  { etag, lastModified }: Validators,
  signal: AbortSignal,
): Promise<OutboundReply | Fetched> {
  const headers = {
    "user-agent": "Parley-Knowledge/1.0",
    accept: SOURCE_TYPES.join(", "),
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(lastModified === null ? {} : { "if-modified-since": lastModified }),
  };
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_PAGE_BYTES };
    return await safeFetch(url, { method: "GET", headers, ...limits, signal });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return fault(error.message, error.kind !== "BLOCKED");
  }
}

function redirectOf({ status, headers }: OutboundReply, from: string): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return null;
  return URL.parse(headers.location, from)?.href ?? null;
}

function readReply({ status, headers, body, truncated }: OutboundReply, asked: Validators): Fetched {
  if (status === 304 && (asked.etag ?? asked.lastModified) !== null) return { kind: "UNCHANGED" };
  if (status !== 200)
    return fault(`The address answered ${status}.`, [408, 425, 429].includes(status) || status >= 500);
  if (truncated) return fault(`The page is larger than ${MAX_PAGE_BYTES / 1024 / 1024} MB.`);
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") return fault("The address sends its page compressed, which it was not asked to.");
  const type = mediaType(headers["content-type"]);
  if (!isSourceType(type)) {
    return fault(
      `The address sends ${type.slice(0, 100) || "no content type"}; what can be read is ${SOURCE_TYPES.join(", ")}.`,
    );
  }
  const charset =
    /;\s{0,10}charset\s{0,10}=\s{0,10}"?([\w:.-]{1,40})/i.exec(headers["content-type"] ?? "")?.[1] ?? null;
  const validators = { etag: keepHeader(headers.etag), lastModified: keepHeader(headers["last-modified"]) };
  return { kind: "PAGE", source: { bytes: body, mediaType: type, charset }, validators };
}

function isSourceType(type: string): type is SourceType {
  return (SOURCE_TYPES as readonly string[]).includes(type);
}

/** Keeps a header value that can be sent back as it is; null for any other. */
function keepHeader(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,1000}$/.test(value) ? value : null;
}

function fault(message: string, isTransient = false): Fetched {
  return { kind: "FAULT", message, isTransient };
}
