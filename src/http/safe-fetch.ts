import { Client, type Dispatcher } from "undici";
import { toError } from "#src/kernel/errors.ts";
import { createGuardedConnector, OutboundError, resolveWithSystem, type ResolveHost } from "./guarded-connector.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { assertHeaderSendable } from "./outbound-headers.ts";

export { OutboundError, type OutboundFailure, type ResolveHost } from "./guarded-connector.ts";
export { assertHeaderAllowed } from "./outbound-headers.ts";

/** One request to an address that a workspace chose. */
export interface OutboundRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  body?: string | Buffer;
  /** For everything together, from resolving the name to the last byte of the answer. */
  timeoutMs: number;
  /** How much of the answer's body is kept; what follows is not read. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

/** The answer as it came: redirects are not followed and nothing is unpacked. */
export interface OutboundReply {
  status: number;
  /** By lower-case name; a header that came several times is joined with ", ". */
  headers: Record<string, string>;
  body: Buffer;
  /** True when the body was longer than `maxResponseBytes`. */
  truncated: boolean;
}

/** Sends one request and reads its answer. Rejects with an OutboundError, and with nothing else. */
export type SafeFetch = (url: string, request: OutboundRequest) => Promise<OutboundReply>;

interface Exchange {
  isConnected: boolean;
  hasTimedOut: boolean;
}

/**
 * A fetch that goes only where the guard lets it. Every request has its own connection: one that was kept open
 * could be closed by the other side just as the request leaves, and then nobody knows whether it was acted on.
 */
export function createSafeFetch(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): SafeFetch {
  return async (text, request) => {
    const url = checkRequest(guard, text, request);
    const exchange: Exchange = { isConnected: false, hasTimedOut: false };
    // undici's own timers start anew with every chunk: a byte each 100 ms held it for 20 s (research, reliability 0.6).
    const stop = new AbortController();
    const deadline = setTimeout(() => {
      exchange.hasTimedOut = true;
      stop.abort(new Error(`${request.timeoutMs} ms have passed.`));
    }, request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([stop.signal, request.signal]) : stop.signal;
    const connectOptions = { url, guard, resolve, signal, timeoutMs: request.timeoutMs };
    const connect = createGuardedConnector(connectOptions, () => {
      exchange.isConnected = true;
    });
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
    try {
      signal.throwIfAborted();
      const reply = await client.request(toDispatch(url, request, signal));
      return await readReply(reply, request.maxResponseBytes);
    } catch (error) {
      throw toOutboundError(error, exchange, request.signal);
    } finally {
      clearTimeout(deadline);
      // Ends what is still under way; its own failure has nothing to add.
      client.destroy().catch(() => undefined);
    }
  };
}

function checkRequest(guard: OutboundGuard, text: string, { headers }: OutboundRequest): URL {
  try {
    const url = guard.checkUrl(text);
    for (const [name, value] of Object.entries(headers)) assertHeaderSendable(name, value);
    return url;
  } catch (error) {
    throw new OutboundError("BLOCKED", false, toError(error).message, error);
  }
}

function toDispatch(url: URL, request: OutboundRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    path: url.pathname + url.search,
    method: request.method,
    headers: { "accept-encoding": "identity", ...request.headers },
    body: request.body ?? null,
    reset: true,
    signal,
  };
}

async function readReply(reply: Dispatcher.ResponseData, maxBytes: number): Promise<OutboundReply> {
  const { body, truncated } = await readBody(reply.body, maxBytes);
  return { status: reply.statusCode, headers: flatten(reply.headers), body, truncated };
}

async function readBody(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const pieces: Buffer[] = [];
  let left = maxBytes;
  for await (const piece of stream) {
    pieces.push(piece.subarray(0, left));
    left -= piece.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (left < 0) return { body: Buffer.concat(pieces), truncated: true };
  }
  return { body: Buffer.concat(pieces), truncated: false };
}

function flatten(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function toOutboundError(
  error: unknown,
  { isConnected, hasTimedOut }: Exchange,
  callerSignal?: AbortSignal,
): OutboundError {
  if (hasTimedOut)
    return new OutboundError("TIMEOUT", isConnected, "The request took longer than its deadline.", error);
  if (callerSignal?.aborted) return new OutboundError("ABORTED", isConnected, "The request was called off.", error);
  if (error instanceof OutboundError) return error;
  return new OutboundError("PROTOCOL", isConnected, `The answer could not be read: ${toError(error).message}`, error);
}
