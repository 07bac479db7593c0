import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer, isIPv6, type Server, type Socket } from "node:net";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { connectStream } from "./connect-stream.ts";
import type { Flow, Hop, Place } from "./flow.ts";
import { type MalformedMessage, parseMessage } from "./parse-message.ts";
import type { SipMessage } from "./sip-message.ts";
import { StreamFlow } from "./stream-flow.ts";

/** Most connections that others may hold open to us; trunks need few. */
const MAX_ACCEPTED = 256;
/** Size of the UDP socket's buffers. */
const UDP_BUFFER_BYTES = 4 * 1024 * 1024;

/** Our addresses, and the trusted authorities. */
export interface TransportSettings {
  /** Address of this machine to bind, in digits. */
  host: string;
  /** Address given to others instead; null: the same. */
  publicHost: string | null;
  /** 0: the system chooses. */
  port: number;
  /** PEM of authorities trusted besides Node's own; null: Node's alone. */
  ca: Buffer | null;
}

/** Callbacks for the owner of the transports. */
export interface TransportEvents {
  onMessage(message: SipMessage | MalformedMessage, flow: Flow): void;
  /** Messages sent over this flow may not have arrived. */
  onBroken(flow: Flow, message: string): void;
}

/**
 * The sockets of the user agent: one for UDP, one that accepts connections, and the connections themselves, which are
 * reused. External input never makes it throw.
 */
export class SipTransports {
  readonly #settings: TransportSettings;
  readonly #events: TransportEvents;
  readonly #log: Log;
  readonly #streams = new Map<string, StreamFlow>();
  readonly #connecting = new Map<string, Promise<StreamFlow>>();
  #udp: UdpSocket | undefined;
  #server: Server | undefined;
  #port = 0;
  #accepted = 0;
  #isClosed = false;

  constructor(settings: TransportSettings, events: TransportEvents, log: Log) {
    this.#settings = settings;
    this.#events = events;
    this.#log = log;
  }

  /** Address and port for our Via and Contact. */
  get local(): Place {
    const { host, publicHost } = this.#settings;
    return { address: publicHost ?? host, port: this.#port };
  }

  /** Binds both sockets to one port. Rejects when it is taken. */
  async open(): Promise<void> {
    const { host, port } = this.#settings;
    for (let tries = port === 0 ? 10 : 1; ; tries--) {
      try {
        this.#udp = await this.#bindUdp(host, port);
        this.#port = this.#udp.address().port;
        this.#server = await this.#listen(host, this.#port);
        return;
      } catch (error) {
        this.#udp?.close();
        this.#udp = undefined;
        if (tries === 1) throw error;
      }
    }
  }

  /** Returns a flow to a hop; connections are reused. Rejects with an Error for people when there is none. */
  async connect(hop: Hop, signal: AbortSignal): Promise<Flow> {
    if (this.#isClosed) throw new Error("The SIP user agent is closed.");
    if (hop.transport === "UDP") return this.#udpFlow(hop);
    const key = `${hop.transport} ${hop.host} ${hop.address} ${hop.port}`;
    const open = this.#streams.get(key);
    if (open?.isOpen) return open;
    let connecting = this.#connecting.get(key);
    if (!connecting) {
      connecting = this.#connect(key, hop).finally(() => this.#connecting.delete(key));
      connecting.catch(() => undefined);
      this.#connecting.set(key, connecting);
    }
    return abandonable(connecting, signal);
  }

  /** Closes all sockets. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#udp?.close();
    this.#server?.close();
    for (const flow of this.#streams.values()) flow.close();
  }

  async #connect(key: string, hop: Hop): Promise<StreamFlow> {
    const socket = await connectStream(hop, this.#settings.ca);
    if (this.#isClosed) {
      socket.destroy();
      throw new Error("The SIP user agent is closed.");
    }
    return this.#adopt(key, socket, hop);
  }

  #adopt(key: string, socket: Socket, hop: Hop | null): StreamFlow {
    const flow = new StreamFlow(key, socket, hop, this.local, {
      onMessage: (message) => this.#take(message, flow),
      onEnd: (reason) => {
        if (this.#streams.get(key) === flow) this.#streams.delete(key);
        if (!this.#isClosed) this.#events.onBroken(flow, reason);
      },
    });
    this.#streams.set(key, flow);
    return flow;
  }

  #udpFlow({ address, port }: Place): Flow {
    const flow: Flow = {
      key: `UDP ${address} ${port}`,
      transport: "UDP",
      remote: { address, port },
      local: this.local,
      send: (bytes) => this.#sendUdp(bytes, flow),
      toPort: (other) => this.#udpFlow({ address, port: other }),
    };
    return flow;
  }

  #sendUdp(bytes: Buffer, flow: Flow): void {
    const fail = (error: unknown): void => {
      if (!this.#isClosed) this.#events.onBroken(flow, toError(error).message);
    };
    try {
      this.#udp?.send(bytes, flow.remote.port, flow.remote.address, (error) => (error ? fail(error) : undefined));
    } catch (error) {
      // The caller is in the middle of a call; it is notified later, as the network would do it.
      queueMicrotask(() => fail(error));
    }
  }

  #bindUdp(host: string, port: number): Promise<UdpSocket> {
    const type = isIPv6(host) ? "udp6" : "udp4";
    // Addresses are digits, and sending must not wait for a look-up.
    const lookup = (address: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
      done(null, address, type === "udp6" ? 6 : 4);
    const socket = createSocket({ type, lookup: lookup as never });
    socket.on("message", (bytes, { address, port: from }) => {
      // Keep-alives are empty or line ends (RFC 5626, 3.5.2).
      if (bytes.length <= 4) return;
      this.#take(parseMessage(bytes), this.#udpFlow({ address, port: from }));
    });
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.bind({ address: host, port, exclusive: true }, () => {
        socket.off("error", reject);
        // A network error for one datagram does not affect the socket.
        socket.on("error", (error) => this.#log.debug("The SIP socket told an error.", { error: error.message }));
        growBuffers(socket);
        resolve(socket);
      });
    });
  }

  #listen(host: string, port: number): Promise<Server> {
    const server = createServer((socket) => this.#accept(socket));
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true }, () => {
        server.off("error", reject);
        server.on("error", () => undefined);
        server.unref();
        resolve(server);
      });
    });
  }

  #accept(socket: Socket): void {
    const { remoteAddress: address = "", remotePort: port = 0 } = socket;
    if (this.#accepted >= MAX_ACCEPTED || address === "") {
      socket.on("error", () => undefined).destroy();
      return;
    }
    this.#accepted++;
    socket.once("close", () => this.#accepted--);
    this.#adopt(`TCP < ${address} ${port}`, socket, null).expectSoon();
  }

  #take(message: SipMessage | MalformedMessage, flow: Flow): void {
    if (this.#isClosed) return;
    try {
      this.#events.onMessage(message, flow);
    } catch (error) {
      // A message that we cannot handle must not end the calls of others.
      this.#log.error("A SIP message was not handled.", { error: toError(error) });
    }
  }
}

/** Enlarges the buffers, so that a burst of calls does not overflow them in a busy moment; some systems refuse. */
function growBuffers(socket: UdpSocket): void {
  try {
    socket.setRecvBufferSize(UDP_BUFFER_BYTES);
    socket.setSendBufferSize(UDP_BUFFER_BYTES);
  } catch {
    // The system's own sizes do.
  }
}

/** Lets one waiting caller give up without ending the connection, because others wait for it too. */
function abandonable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(toError(signal.reason));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
