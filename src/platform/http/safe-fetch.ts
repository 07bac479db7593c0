import { Readable } from "node:stream";
import type { Client, Dispatcher } from "undici";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { createGuardedConnector, OutboundError, resolveWithSystem, type ResolveHost } from "./guarded-connector.ts";
import {
  type Connection,
  destroyConnection,
  KEEP_LIMITS,
  KeptConnections,
  type KeepLimits,
} from "./kept-connections.ts";
import { loadOutboundClient, passOn } from "./outbound-client.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { assertHeaderSendable } from "./outbound-headers.ts";

export { OutboundError, type OutboundFailure, type ResolveHost } from "./guarded-connector.ts";
export { assertHeaderAllowed } from "./outbound-headers.ts";

const WARM_TIMEOUT_MS = 5_000;
/** Codes of a connection that the other side closed: undici's for an end, the system's for a reset. */
const LOSSES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

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
  /**
   * Called once the connection is established, right before the first byte; when it throws, nothing is sent. Called
   * again before a request is sent once more.
   */
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

/** Ports for requests that may be sent twice, because a repeat has no effect beyond its cost. */
export interface KeepingPorts {
  safeOpen: SafeOpen;
  safeFetch: SafeFetch;
  /** Opens a connection for the next request to an address, if none to its origin is idle. Never fails. */
  warm: (url: string) => void;
  /** Closes the connections that are idle, and keeps none from then on. */
  close(): void;
}

/**
 * Creates a fetch that connects only to targets the guard allows. Every request has its own connection: a connection
 * kept open could be closed by the other side just as the request leaves, and then nobody knows whether it was
 * processed.
 */
export function createSafeFetch(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): SafeFetch {
  return readWhole(createSafeOpen(guard, resolve));
}

/** Creates the same for answers too large to hold: the body is passed on as it arrives. */
export function createSafeOpen(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): SafeOpen {
  return createOpen({ guard, resolve, kept: null });
}

/**
 * Creates both with connections that stay open for the next request. When a kept one turns out closed before any byte of
 * the answer came, the request is sent once more on a new one, within the same deadline. A streamed body cannot be sent
 * again, so it always takes a new one.
 */
export function createKeepingPorts(
  guard: OutboundGuard,
  resolve: ResolveHost = resolveWithSystem,
  limits: KeepLimits = KEEP_LIMITS,
): KeepingPorts {
  const kept = new KeptConnections(limits);
  const safeOpen = createOpen({ guard, resolve, kept });
  return { safeOpen, safeFetch: readWhole(safeOpen), warm: createWarm(safeOpen, kept), close: () => kept.close() };
}

interface OpenParts {
  guard: OutboundGuard;
  resolve: ResolveHost;
  /** Null: every request has its own connection. */
  kept: KeptConnections | null;
}

function createOpen(parts: OpenParts): SafeOpen {
  return async (text, request) => {
    const url = checkRequest(parts.guard, text, request);
    // One that fails meanwhile is told by the request, which reads it.
    if (request.body instanceof Readable) request.body.on("error", () => undefined);
    return new Exchange(parts, (await loadOutboundClient()).Client, url, request).open();
  };
}

function readWhole(open: SafeOpen): SafeFetch {
  return async (text, request) => {
    const reply = await open(text, request);
    return { status: reply.status, headers: reply.headers, ...(await readBody(reply.body, request.maxResponseBytes)) };
  };
}

/** A request that is called off right before its first byte leaves an unused connection behind. */
function createWarm(open: SafeOpen, kept: KeptConnections): KeepingPorts["warm"] {
  const opening = new Set<string>();
  const beforeSend = () => {
    throw new Error("Only its connection is wanted.");
  };
  return (text) => {
    const origin = URL.parse(text)?.origin ?? "";
    const idle = kept.take(origin);
    if (idle) return kept.keep(idle);
    if (opening.has(origin)) return;
    opening.add(origin);
    open(text, { method: "GET", headers: {}, timeoutMs: WARM_TIMEOUT_MS, beforeSend })
      .catch(() => undefined)
      .finally(() => opening.delete(origin));
  };
}

/** One request and its answer, on a kept connection or on its own. */
class Exchange {
  readonly #parts: OpenParts;
  readonly #Client: typeof Client;
  readonly #url: URL;
  readonly #request: RequestHead;
  readonly #deadline: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #connection: Connection | undefined;
  #isSent = false;
  #isAnswered = false;
  #hasTimedOut = false;
  #isOver = false;

  constructor(parts: OpenParts, client: typeof Client, url: URL, request: RequestHead) {
    this.#parts = parts;
    this.#Client = client;
    this.#url = url;
    this.#request = request;
    // undici's own timers start anew with every chunk: a byte each 100 ms held it for 20 s (measured).
    const stop = new AbortController();
    this.#deadline = setTimeout(() => {
      this.#hasTimedOut = true;
      stop.abort(new Error(`${request.timeoutMs} ms have passed.`));
    }, request.timeoutMs);
    this.#signal = request.signal ? AbortSignal.any([stop.signal, request.signal]) : stop.signal;
  }

  async open(): Promise<OutboundStream> {
    try {
      this.#signal.throwIfAborted();
      const reply = await this.#sendOnKept();
      return {
        status: reply.statusCode,
        headers: flatten(reply.headers),
        body: this.#handOn(reply.body),
        close: () => this.#end(false),
      };
    } catch (error) {
      // A connection on which nothing was sent is as good as new.
      this.#end(!this.#isSent);
      discardBody(this.#request);
      throw this.#explain(error);
    }
  }

  async #sendOnKept(): Promise<Dispatcher.ResponseData> {
    const mayRepeat = !(this.#request.body instanceof Readable);
    const kept = mayRepeat ? this.#parts.kept?.take(this.#url.origin) : undefined;
    if (!kept) return this.#sendOn(this.#connect());
    try {
      return await this.#sendOn(kept);
    } catch (error) {
      if (this.#isAnswered || this.#signal.aborted || !isLoss(error)) throw error;
      destroyConnection(kept);
      return this.#sendOn(this.#connect());
    }
  }

  #connect(): Connection {
    const { guard, resolve, kept } = this.#parts;
    const url = this.#url;
    const { timeoutMs } = this.#request;
    const client = new this.#Client(url.origin, {
      connect: createGuardedConnector({ url, guard, resolve, signal: this.#signal, timeoutMs }),
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      ...(kept ? { keepAliveTimeout: kept.limits.idleMs, keepAliveMaxTimeout: kept.limits.idleMs } : {}),
    });
    return { client, origin: url.origin, openedAtMs: performance.now() };
  }

  #sendOn(connection: Connection): Promise<Dispatcher.ResponseData> {
    this.#connection = connection;
    const dispatcher = connection.client.compose((dispatch) => (options, handler) => {
      return dispatch(options, this.#watch(handler));
    });
    return dispatcher.request(toDispatch(this.#url, this.#request, this.#signal, this.#parts.kept !== null));
  }

  /** Notes when the first byte of the request leaves, and when the first of the answer comes. */
  #watch(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      ...passOn(handler),
      onRequestStart: (controller, context: unknown) => {
        handler.onRequestStart?.(controller, context);
        if (controller.aborted) return;
        assertWanted(this.#request);
        this.#isSent = true;
      },
      onResponseStarted: () => {
        this.#isAnswered = true;
      },
    };
  }

  async *#handOn(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let isWhole = false;
    try {
      yield* source;
      isWhole = true;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#end(isWhole);
    }
  }

  #end(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    if (!this.#connection) return;
    if (isReusable && this.#parts.kept) this.#parts.kept.keep(this.#connection);
    else destroyConnection(this.#connection);
  }

  #explain(error: unknown): OutboundError {
    const isSent = this.#isSent;
    if (this.#hasTimedOut)
      return new OutboundError("TIMEOUT", isSent, "The request took longer than its deadline.", error);
    if (this.#request.signal?.aborted)
      return new OutboundError("ABORTED", isSent, "The request was called off.", error);
    if (error instanceof OutboundError)
      return error.bytesSent || !isSent ? error : new OutboundError(error.kind, true, error.message, error);
    return new OutboundError("PROTOCOL", isSent, `The answer could not be read: ${toError(error).message}`, error);
  }
}

/** True for the failure of a connection that the other side had closed. */
function isLoss(error: unknown): boolean {
  return error instanceof OutboundError ? error.kind === "PROTOCOL" : LOSSES.has(codeOf(error) ?? "");
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

function toDispatch(url: URL, request: RequestHead, signal: AbortSignal, keeps: boolean): Dispatcher.RequestOptions {
  return {
    path: url.pathname + url.search,
    method: request.method,
    headers: {
      "accept-encoding": "identity",
      ...request.headers,
      ...(request.bodyBytes === undefined ? {} : { "content-length": String(request.bodyBytes) }),
    },
    body: request.body ?? null,
    ...(keeps ? {} : { reset: true }),
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
