import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { toError } from "#src/platform/kernel/errors.ts";
import { createGuardedConnector, OutboundError, resolveWithSystem, type ResolveHost } from "./guarded-connector.ts";
import { loadOutboundClient } from "./outbound-client.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { assertHeaderSendable } from "./outbound-headers.ts";

export { OutboundError, type OutboundFailure, type ResolveHost } from "./guarded-connector.ts";
export { assertHeaderAllowed } from "./outbound-headers.ts";

/** A request to an address that a workspace chose. */
export interface OutboundRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  /** A stream is sent as it arrives and is destroyed when the request ends early. */
  body?: string | Buffer | Readable;
  /** Length of a streamed body; without it the body is sent in chunks (RFC 9112, 7.1). */
  bodyBytes?: number;
  /** Limit for everything together, from resolving the name to the last byte of the answer. */
  timeoutMs: number;
  /** Bytes of the answer's body that are kept; the rest is not read. */
  maxResponseBytes: number;
  signal?: AbortSignal;
  /** Called once the connection is established, right before the first byte; when it throws, nothing is sent. */
  beforeSend?: () => void;
}

/** The answer as received: redirects are not followed and nothing is decompressed. */
export interface OutboundReply {
  status: number;
  /** By lower-case name; a header that came several times is joined with ", ". */
  headers: Record<string, string>;
  body: Buffer;
  /** True when the body was longer than `maxResponseBytes`. */
  truncated: boolean;
}

/** Sends one request and reads its answer. Rejects with an OutboundError only. */
export type SafeFetch = (url: string, request: OutboundRequest) => Promise<OutboundReply>;

/** An answer whose body is still to come. */
export interface OutboundStream {
  status: number;
  /** By lower-case name; a header that came several times is joined with ", ". */
  headers: Record<string, string>;
  /** May be read once; fails with an OutboundError. Leaving it early closes the connection. */
  body: AsyncGenerator<Buffer, void>;
  /** Ends the request. Needed when the body is not read. */
  close(): void;
}

/** Sends one request and resolves with its answer as soon as the headers are there. Rejects with an OutboundError. */
export type SafeOpen = (url: string, request: Omit<OutboundRequest, "maxResponseBytes">) => Promise<OutboundStream>;

interface Exchange {
  isConnected: boolean;
  hasTimedOut: boolean;
}

/**
 * Creates a fetch that connects only to targets the guard allows. Every request has its own connection: a connection
 * kept open could be closed by the other side just as the request leaves, and then nobody knows whether it was
 * processed.
 */
export function createSafeFetch(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): SafeFetch {
  const open = createSafeOpen(guard, resolve);
  return async (text, request) => {
    const reply = await open(text, request);
    return { status: reply.status, headers: reply.headers, ...(await readBody(reply.body, request.maxResponseBytes)) };
  };
}

/** Creates the same for answers too large to hold: the body is passed on as it arrives. */
export function createSafeOpen(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): SafeOpen {
  return async (text, request) => {
    const url = checkRequest(guard, text, request);
    // One that fails meanwhile is told by the request, which reads it.
    if (request.body instanceof Readable) request.body.on("error", () => undefined);
    const { Client } = await loadOutboundClient();
    const exchange: Exchange = { isConnected: false, hasTimedOut: false };
    // undici's own timers start anew with every chunk: a byte each 100 ms held it for 20 s (measured).
    const stop = new AbortController();
    const deadline = setTimeout(() => {
      exchange.hasTimedOut = true;
      stop.abort(new Error(`${request.timeoutMs} ms have passed.`));
    }, request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([stop.signal, request.signal]) : stop.signal;
    const connectOptions = { url, guard, resolve, signal, timeoutMs: request.timeoutMs };
    const connect = createGuardedConnector(connectOptions, () => {
      assertWanted(request);
      exchange.isConnected = true;
    });
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
    const close = () => {
      clearTimeout(deadline);
      // Ends what is still under way; its own failure adds nothing.
      client.destroy().catch(() => undefined);
    };
    const explain = (error: unknown) => toOutboundError(error, exchange, request.signal);
    try {
      signal.throwIfAborted();
      const reply = await client.request(toDispatch(url, request, signal));
      const body = handOn(reply.body, close, explain);
      return { status: reply.statusCode, headers: flatten(reply.headers), body, close };
    } catch (error) {
      close();
      discardBody(request);
      throw explain(error);
    }
  };
}

function assertWanted({ beforeSend }: RequestHead): void {
  try {
    beforeSend?.();
  } catch (error) {
    throw new OutboundError("ABORTED", false, toError(error).message, error);
  }
}

function discardBody({ body }: RequestHead): void {
  if (body instanceof Readable) body.destroy();
}

async function* handOn(
  source: AsyncIterable<Buffer>,
  close: () => void,
  explain: (error: unknown) => OutboundError,
): AsyncGenerator<Buffer, void> {
  try {
    yield* source;
  } catch (error) {
    throw explain(error);
  } finally {
    close();
  }
}

type RequestHead = Omit<OutboundRequest, "maxResponseBytes">;

function checkRequest(guard: OutboundGuard, text: string, request: RequestHead): URL {
  try {
    const url = guard.checkUrl(text);
    for (const [name, value] of Object.entries(request.headers)) assertHeaderSendable(name, value);
    return url;
  } catch (error) {
    discardBody(request);
    throw new OutboundError("BLOCKED", false, toError(error).message, error);
  }
}

function toDispatch(url: URL, request: RequestHead, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    path: url.pathname + url.search,
    method: request.method,
    headers: {
      "accept-encoding": "identity",
      ...request.headers,
      ...(request.bodyBytes === undefined ? {} : { "content-length": String(request.bodyBytes) }),
    },
    body: request.body ?? null,
    reset: true,
    signal,
  };
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
