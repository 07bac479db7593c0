import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";

/** Range of usable ports, both ends included; a call takes an even one for RTP and the next one for RTCP. */
export interface PortRange {
  first: number;
  last: number;
}

/** Takes a datagram; the receiver may change the bytes. */
export type DatagramReceiver = (bytes: Uint8Array, from: RemoteInfo) => void;

/** Attempts without a range: the system chooses a port, and the one beside it may be taken. */
const ATTEMPTS = 64;
/** Last port used per range. Ports are assigned in turn, so that a new call gets no late packets of an ended one. */
const lastUsed = new Map<string, number>();

/** The two sockets of one call, RTP's and RTCP's. Neither input nor a network error makes it throw. */
export class RtpSocket {
  readonly host: string;
  readonly port: number;
  /** Called when the socket is closed. */
  onClose: () => void = () => undefined;
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  #targetHost = "";
  #targetPort = 0;
  #targetRtcpPort = 0;
  #isMuxed = false;
  #isLocked = false;
  #isClosed = false;
  #faults = 0;

  constructor(host: string, rtp: Socket, rtcp: Socket) {
    this.host = host;
    this.port = rtp.address().port;
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    // A far end that closed its port answers with ICMP, which Node reports as an error of the socket. The call goes on,
    // because the port may open again; silence ends it.
    for (const socket of [rtp, rtcp]) socket.on("error", () => void this.#faults++);
  }

  /** Datagrams that could not be sent or were refused, as far as the system reports it. */
  get faults(): number {
    return this.#faults;
  }

  /** True when only the target's packets reach us. */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** True when `host` is an address of this socket's family. */
  canReach(host: string): boolean {
    return isIP(host) === isIP(this.host);
  }

  /** Starts to receive. */
  listen(onRtp: DatagramReceiver, onRtcp: DatagramReceiver): void {
    this.#rtp.on("message", onRtp);
    this.#rtcp.on("message", onRtcp);
  }

  /** Sets the destination of packets; port 0 is nowhere. `rtcpPort` null: RTCP shares the port of RTP. */
  aim(host: string, port: number, rtcpPort: number | null): void {
    this.unlock();
    this.#targetHost = host;
    this.#targetPort = port;
    this.#isMuxed = rtcpPort === null;
    this.#targetRtcpPort = rtcpPort ?? port;
  }

  /** Connects the socket: the system drops other senders' packets at no cost to us, and sends without an address. */
  lock(): void {
    if (this.#isLocked || this.#isClosed || this.#targetPort === 0) return;
    this.#isLocked = this.#try(() => {
      this.#rtp.connect(this.#targetPort, this.#targetHost);
      // Throws unless the connection succeeded.
      this.#rtp.remoteAddress();
    });
  }

  /** Receives from all senders again. */
  unlock(): void {
    if (!this.#isLocked || this.#isClosed) return;
    this.#isLocked = false;
    this.#try(() => this.#rtp.disconnect());
  }

  /** Sends a packet; the bytes may be reused at once. */
  send(packet: Uint8Array): void {
    if (this.#isClosed || this.#targetPort === 0) return;
    try {
      // A packet that the system queues would be read later, when its bytes are another packet's, so it is dropped.
      if (this.#rtp.getSendQueueCount() > 0) this.#faults++;
      else if (this.#isLocked) this.#rtp.send(packet);
      else this.#rtp.send(packet, this.#targetPort, this.#targetHost);
    } catch {
      this.#faults++;
    }
  }

  /** Sends an RTCP packet. */
  sendRtcp(packet: Uint8Array): void {
    if (this.#isMuxed) {
      this.send(packet);
      return;
    }
    if (this.#isClosed || this.#targetRtcpPort === 0) return;
    this.#try(() => this.#rtcp.send(packet, this.#targetRtcpPort, this.#targetHost));
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const socket of [this.#rtp, this.#rtcp]) {
      socket.removeAllListeners("message");
      socket.close();
    }
    this.onClose();
  }

  #try(step: () => void): boolean {
    try {
      step();
      return true;
    } catch {
      this.#faults++;
      return false;
    }
  }
}

/**
 * Opens the sockets of a call on a local address: RTP on an even port, RTCP on the next. Throws a RangeError for an
 * invalid address, and an Error when no pair of ports is free.
 */
export async function openRtpSocket(host: string, range: PortRange | null = null): Promise<RtpSocket> {
  if (isIP(host) === 0) throw new RangeError("RTP needs the address of an interface, as digits.");
  let failure: unknown;
  for (const port of range ? portsOf(host, range) : Array.from({ length: ATTEMPTS }, () => 0)) {
    try {
      return await openPair(host, port || (await findFree(host)));
    } catch (error) {
      failure = error;
      if (!isTaken(error)) break;
    }
  }
  throw new Error("No pair of ports for RTP is free.", { cause: failure });
}

function* portsOf(host: string, { first, last }: PortRange): Generator<number> {
  const lowest = first + (first % 2);
  const pairs = Math.floor((last - lowest + 1) / 2);
  const key = `${host} ${first} ${last}`;
  for (let i = 0; i < pairs; i++) {
    const next = ((lastUsed.get(key) ?? Math.floor(Math.random() * pairs)) + 1) % pairs;
    lastUsed.set(key, next);
    yield lowest + next * 2;
  }
}

async function openPair(host: string, port: number): Promise<RtpSocket> {
  const rtp = await bind(host, port);
  try {
    return new RtpSocket(host, rtp, await bind(host, port + 1));
  } catch (error) {
    rtp.close();
    throw error;
  }
}

/**
 * Returns an even port that was free a moment ago. It is bound again by number, because Linux takes a port that the
 * system chose itself away from a socket when it is disconnected.
 */
async function findFree(host: string): Promise<number> {
  const probe = await bind(host, 0);
  const { port } = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port - (port % 2);
}

function bind(host: string, port: number): Promise<Socket> {
  // Addresses are numeric, and sending must not wait for a look-up.
  const family = isIP(host);
  const lookup = (address: string, _options: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, address, family);
  const socket = createSocket({ type: family === 6 ? "udp6" : "udp4", lookup: lookup as never });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.close();
      reject(error);
    };
    socket.once("error", fail);
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" || code === "EACCES";
}
