import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { toError } from "#src/platform/kernel/errors.ts";
import { bareHost, portOf, type OutboundGuard } from "./outbound-guard.ts";

/** The most addresses tried for a name: more would only use up the deadline. */
const MAX_ADDRESSES_TRIED = 4;

/**
 * Reason for the failure of an outbound request. PROTOCOL: after the connection was established. ABORTED: by our own
 * caller.
 */
export type OutboundFailure = "BLOCKED" | "TIMEOUT" | "CONNECT" | "TLS" | "PROTOCOL" | "ABORTED";

/** An outbound request that got no complete answer. */
export class OutboundError extends Error {
  readonly kind: OutboundFailure;
  /** False proves that the receiver got no byte of the request. True means that it may have processed it. */
  readonly bytesSent: boolean;

  constructor(kind: OutboundFailure, bytesSent: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutboundError";
    this.kind = kind;
    this.bytesSent = bytesSent;
  }
}

/** Returns every address that a host name resolves to. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Resolves with the machine's own resolver, in its order. */
export const resolveWithSystem: ResolveHost = async (hostname) => {
  const answers = await lookup(hostname, { all: true, order: "verbatim" });
  return answers.map((answer) => answer.address);
};

/** Options of a guarded connection. */
export interface ConnectOptions {
  url: URL;
  guard: OutboundGuard;
  resolve: ResolveHost;
  signal: AbortSignal;
  /** For all addresses together; each gets a share. */
  timeoutMs: number;
}

/**
 * Creates a connector for one connection. It resolves the name once, checks every address and connects to a checked one,
 * so that no second DNS answer can lead elsewhere. A client that asks again is refused, because that would send twice.
 */
export function createGuardedConnector(options: ConnectOptions): buildConnector.connector {
  let isUsed = false;
  async function connectFor(callback: buildConnector.Callback): Promise<void> {
    let socket: Socket;
    try {
      socket = await openConnection(options);
    } catch (error) {
      return callback(toError(error), null);
    }
    callback(null, socket);
  }
  return (_target, callback) => {
    if (isUsed) return callback(new OutboundError("PROTOCOL", true, "The connection was lost."), null);
    isUsed = true;
    void connectFor(callback);
  };
}

async function openConnection(options: ConnectOptions): Promise<Socket> {
  const addresses = await findAddresses(options);
  const tried = addresses.slice(0, MAX_ADDRESSES_TRIED);
  const patience = { ...options, timeoutMs: Math.ceil(options.timeoutMs / tried.length) };
  let failure: unknown;
  for (const [i, address] of tried.entries()) {
    try {
      const socket = await openTcp(address, patience, i === tried.length - 1);
      return options.url.protocol === "https:" ? await openTls(socket, options) : socket;
    } catch (error) {
      failure = error;
      const mayTryNext = error instanceof OutboundError && error.kind === "CONNECT" && !options.signal.aborted;
      if (!mayTryNext) break;
    }
  }
  throw failure;
}

async function findAddresses({ url, guard, resolve, signal }: ConnectOptions): Promise<string[]> {
  const host = bareHost(url.hostname);
  const addresses = isIP(host) ? [host] : await resolveName(host, resolve, signal);
  for (const address of addresses) {
    try {
      guard.assertAddress(host, address, portOf(url));
    } catch (error) {
      throw new OutboundError("BLOCKED", false, toError(error).message, error);
    }
  }
  return addresses;
}

/** Resolves a host name. A DNS query cannot be cancelled, so an aborted request stops waiting for its answer. */
async function resolveName(host: string, resolve: ResolveHost, signal: AbortSignal): Promise<string[]> {
  let addresses: string[] = [];
  try {
    addresses = await Promise.race([resolve(host), whenAborted(signal)]);
  } catch (error) {
    throw new OutboundError("CONNECT", false, `The name ${host} cannot be resolved.`, error);
  }
  if (addresses.length === 0) throw new OutboundError("CONNECT", false, `The name ${host} has no address.`);
  return addresses;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(toError(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Connects over TCP. The last address may use the rest of the request's own deadline, so it needs no timer. */
async function openTcp(address: string, options: ConnectOptions, isLast: boolean): Promise<Socket> {
  const { url, signal, timeoutMs } = options;
  const socket = connectTcp({ host: address, port: portOf(url), noDelay: true });
  try {
    await whenReady(socket, "connect", isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    return socket;
  } catch (error) {
    throw new OutboundError("CONNECT", false, `No connection to ${url.host}: ${toError(error).message}`, error);
  }
}

/**
 * Adds TLS. The certificate must be for the URL's name, whatever address was dialled; an address has no SNI (RFC 6066).
 */
async function openTls(tcp: Socket, { url, signal }: ConnectOptions): Promise<Socket> {
  const host = bareHost(url.hostname);
  const servername = isIP(host) ? {} : { servername: host };
  const socket = connectTls({ socket: tcp, host, ...servername, ALPNProtocols: ["http/1.1"] });
  try {
    await whenReady(socket, "secureConnect", signal);
    return socket;
  } catch (error) {
    throw new OutboundError("TLS", false, `No secure connection to ${url.host}: ${toError(error).message}`, error);
  }
}

/** Resolves at the event. Destroys the socket and rejects when it fails, closes or the signal aborts first. */
function whenReady(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      finish();
      // A socket that fails again later must not end the process.
      socket.on("error", () => undefined);
      socket.destroy();
      reject(toError(error));
    };
    const succeed = () => {
      finish();
      resolve();
    };
    const onClose = () => fail(new Error("the other side closed it."));
    const onAbort = () => fail(signal.reason);
    function finish(): void {
      socket.off("error", fail).off("close", onClose).off(event, succeed);
      signal.removeEventListener("abort", onAbort);
    }
    if (signal.aborted) return onAbort();
    socket.once("error", fail).once("close", onClose).once(event, succeed);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
