import type { Socket } from "node:net";
import type { Client, Dispatcher, WebSocket } from "undici";
import { toError } from "#src/platform/kernel/errors.ts";
import { createGuardedConnector, OutboundError, resolveWithSystem, type ResolveHost } from "./guarded-connector.ts";
import { loadOutboundClient, passOn } from "./outbound-client.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { assertHeaderSendable } from "./outbound-headers.ts";

/** State of a WebSocket in which it takes messages. */
const OPEN = 1;

/** Limits and headers of an outbound WebSocket. */
export interface SocketRequest {
  headers: Record<string, string>;
  /** From resolving the name to the end of the handshake. */
  connectTimeoutMs: number;
  /** A longer message ends the connection. */
  maxMessageBytes: number;
}

/** Reason for the end of a WebSocket. REFUSED: the server answered the handshake with a status other than 101. */
export type SocketEnd =
  | { kind: "CLOSED"; code: number; reason: string }
  | { kind: "REFUSED"; status: number; headers: Record<string, string> }
  | { kind: "FAILED"; error: OutboundError };

/** Callbacks of a WebSocket's owner. `onEnd` is called exactly once, and nothing after it. */
export interface SocketListener {
  onOpen(): void;
  onMessage(data: string | Buffer): void;
  onEnd(end: SocketEnd): void;
}

/** A WebSocket that connects only to targets the guard allows. Nothing here throws. */
export interface SafeSocket {
  /** Sends one message while the connection is open; does nothing before and after. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Bytes that the other side has not taken yet. */
  readonly waitingBytes: number;
  /** Bytes received: a count that stands still after a ping reveals a dead connection. */
  readonly receivedBytes: number;
  ping(): void;
  /** Ends the connection at once, without a closing handshake. */
  destroy(): void;
  /** Starts the closing handshake and ends the connection when it is answered, or after `graceMs`. */
  close(graceMs: number): void;
}

/** Opens a WebSocket to an http or https address. */
export type OpenSocket = (url: string, request: SocketRequest, listener: SocketListener) => SafeSocket;

/** Creates WebSockets with the guard that requests use: the same blocked addresses, the same pinned connection. */
export function createOpenSocket(guard: OutboundGuard, resolve: ResolveHost = resolveWithSystem): OpenSocket {
  return (url, request, listener) => new GuardedSocket({ guard, resolve }, url, request, listener);
}

class GuardedSocket implements SafeSocket {
  readonly #request: SocketRequest;
  readonly #listener: SocketListener;
  readonly #stop = new AbortController();
  #client: Client | undefined;
  #socket: Socket | undefined;
  #webSocket: WebSocket | undefined;
  #ping: ((webSocket: WebSocket) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #refusal: { status: number; headers: Record<string, string> } | undefined;
  #failure: OutboundError | undefined;
  #hasEnded = false;

  constructor(
    parts: { guard: OutboundGuard; resolve: ResolveHost },
    url: string,
    request: SocketRequest,
    listener: SocketListener,
  ) {
    this.#request = request;
    this.#listener = listener;
    this.#connect(parts, url).catch((error: unknown) => {
      this.#failure ??= new OutboundError("BLOCKED", false, toError(error).message, error);
      // The owner has not received the socket yet, so the callback waits until it has.
      setImmediate(() => this.#end());
    });
  }

  get waitingBytes(): number {
    return this.#webSocket?.bufferedAmount ?? 0;
  }

  get receivedBytes(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#webSocket?.readyState === OPEN) this.#webSocket.send(data);
  }

  ping(): void {
    if (this.#webSocket?.readyState === OPEN) this.#ping?.(this.#webSocket);
  }

  destroy(): void {
    this.#failure ??= new OutboundError("ABORTED", true, "The connection was given up.");
    this.#end();
  }

  close(graceMs: number): void {
    if (this.#webSocket?.readyState !== OPEN) return this.destroy();
    this.#webSocket.close(1000);
    this.#timer = setTimeout(() => this.destroy(), graceMs);
    this.#timer.unref();
  }

  async #connect({ guard, resolve }: { guard: OutboundGuard; resolve: ResolveHost }, text: string): Promise<void> {
    const url = guard.checkUrl(text);
    const { headers, connectTimeoutMs: timeoutMs, maxMessageBytes } = this.#request;
    for (const [name, value] of Object.entries(headers)) assertHeaderSendable(name, value);
    const undici = await loadOutboundClient();
    if (this.#hasEnded) return;
    const options = { url, guard, resolve, signal: this.#stop.signal, timeoutMs };
    const connector = createGuardedConnector(options);
    const client = new undici.Client(url.origin, {
      connect: (target, callback) =>
        connector(target, (...result) => {
          if (result[0] instanceof OutboundError) this.#failure ??= result[0];
          if (result[1]) this.#socket = result[1];
          callback(...result);
        }),
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      webSocket: { maxPayloadSize: maxMessageBytes, maxFragments: 1_000 },
    });
    this.#client = client;
    this.#timer = setTimeout(() => {
      this.#failure ??= new OutboundError("TIMEOUT", this.#socket !== undefined, `No answer in ${timeoutMs} ms.`);
      this.#end();
    }, timeoutMs);
    const dispatcher = client.compose((dispatch) => this.#watchHandshake(dispatch));
    const address = new URL(url);
    address.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#ping = undici.ping;
    this.#listen(new undici.WebSocket(address, { dispatcher, headers }));
  }

  /** Reads the status of a refused handshake as it passes, because undici reports no reason. */
  #watchHandshake(dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] {
    return (options, handler) =>
      dispatch(options, {
        ...passOn(handler),
        onResponseStart: (controller, status, headers, text) => {
          if (status >= 200) this.#refusal = { status, headers: flatten(headers) };
          handler.onResponseStart?.(controller, status, headers, text);
        },
      });
  }

  #listen(webSocket: WebSocket): void {
    this.#webSocket = webSocket;
    webSocket.binaryType = "arraybuffer";
    webSocket.addEventListener("open", () => {
      clearTimeout(this.#timer);
      if (!this.#hasEnded) this.#listener.onOpen();
    });
    webSocket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
      if (!this.#hasEnded) this.#listener.onMessage(typeof data === "string" ? data : Buffer.from(data));
    });
    webSocket.addEventListener("error", ({ error, message }) => {
      const reason = toError(error ?? message).message || "it broke off.";
      this.#failure ??= new OutboundError("PROTOCOL", true, `The connection failed: ${reason}`, error);
    });
    webSocket.addEventListener("close", ({ code, reason }) => this.#end({ kind: "CLOSED", code, reason }));
  }

  #end(closed?: { kind: "CLOSED"; code: number; reason: string }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#stop.abort(new Error("the connection was given up."));
    // Ends a handshake that is under way; its own failure adds nothing.
    this.#client?.destroy().catch(() => undefined);
    this.#socket?.destroy();
    this.#listener.onEnd(this.#explain(closed));
  }

  #explain(closed?: { kind: "CLOSED"; code: number; reason: string }): SocketEnd {
    if (this.#refusal) return { kind: "REFUSED", ...this.#refusal };
    if (this.#failure) return { kind: "FAILED", error: this.#failure };
    return closed ?? { kind: "CLOSED", code: 1006, reason: "" };
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value ?? "")] as const);
  return Object.fromEntries(entries);
}
