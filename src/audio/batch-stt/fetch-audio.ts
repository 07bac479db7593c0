import { OutboundError, type OutboundStream, type SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { BatchSttError } from "./batch-stt.ts";
import { isTransientStatus } from "./provider-reply.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Audio that is being fetched. */
export interface FetchedAudio {
  body: AsyncGenerator<Buffer, void>;
  /** Null when the server does not report it. */
  bytes: number | null;
  mediaType: string;
  close(): void;
}

/**
 * Opens the audio at a URL. Follows redirects, because storage services redirect to signed URLs; each redirect passes
 * the guard again. Rejects with a BatchSttError.
 */
export async function openAudio(
  open: SafeOpen,
  address: string,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<FetchedAudio> {
  let url = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const reply = await request(open, url, limits);
    const next = REDIRECTS.has(reply.status) ? readLocation(reply.headers.location, url) : null;
    if (next === null) return accept(reply);
    reply.close();
    url = next;
  }
  throw new BatchSttError("PERMANENT", `The audio's address redirects more than ${MAX_REDIRECTS} times.`);
}

/** Turns an error met while reading audio from its URL into a BatchSttError. */
export function explainFetchFailure(error: unknown): BatchSttError {
  if (error instanceof BatchSttError) return error;
  const kind = error instanceof OutboundError && error.kind === "BLOCKED" ? "PERMANENT" : "TRANSIENT";
  const reason = error instanceof OutboundError ? `: ${error.message}` : ".";
  return new BatchSttError(kind, `The audio could not be fetched${reason}`, null, error);
}

async function request(
  open: SafeOpen,
  url: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<OutboundStream> {
  try {
    return await open(url, { method: "GET", headers: { accept: "audio/*, */*;q=0.5" }, timeoutMs, signal });
  } catch (error) {
    throw explainFetchFailure(error);
  }
}

function readLocation(location: string | undefined, base: string): string | null {
  return location === undefined ? null : (URL.parse(location, base)?.href ?? null);
}

function accept(reply: OutboundStream): FetchedAudio {
  if (reply.status !== 200) {
    reply.close();
    const kind = isTransientStatus(reply.status) ? "TRANSIENT" : "PERMANENT";
    throw new BatchSttError(kind, `The audio's address answered ${reply.status}.`);
  }
  const length = reply.headers["content-length"] ?? "";
  return {
    body: reply.body,
    bytes: /^\d{1,15}$/.test(length) ? Number(length) : null,
    mediaType: reply.headers["content-type"] ?? "",
    close: () => reply.close(),
  };
}
