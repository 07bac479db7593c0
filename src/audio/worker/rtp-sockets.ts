import type { RtpTarget } from "#src/audio/line/media-source.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { TransportEvents } from "./media-call.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { openRtpSocket, type RtpSocket } from "./rtp-socket.ts";
import { RtpTransport } from "./rtp-transport.ts";

/** Order that concerns a socket. */
export type SocketOrder = Extract<ToWorker, { kind: "OPEN_SOCKET" | "CLOSE_SOCKET" | "REDIRECT_SOCKET" }>;

type RedirectOrder = Extract<SocketOrder, { kind: "REDIRECT_SOCKET" }>;

/** A socket that no call has taken yet. */
interface WaitingSocket {
  /** Null while the socket is being opened. */
  socket: RtpSocket | null;
  /** The last redirect so far, which applies once a call takes the socket; null: none came. */
  redirect: RedirectOrder | null;
}

/** True when an order concerns a socket and not a call. */
export function isSocketOrder(order: ToWorker): order is SocketOrder {
  return order.kind === "OPEN_SOCKET" || order.kind === "CLOSE_SOCKET" || order.kind === "REDIRECT_SOCKET";
}

/** Most ids of sockets closed while they waited that are remembered. */
const MAX_CLOSED = 1_000;

/** Thrown when the far end hung up before the audio of its call was opened. */
export class HungUpError extends Error {
  constructor() {
    super("The far end hung up before the audio of the call was opened.");
    this.name = "HungUpError";
  }
}

/**
 * Sockets of a media thread that wait for their call. They are opened before the far end is known, because their ports
 * are in our offer. Once a call has taken one, the call closes it. Until then the far end may move, which applies once
 * the socket is taken, or hang up, which closes it.
 */
export class RtpSockets {
  readonly #notify: (message: FromWorker) => void;
  readonly #waiting = new Map<number, WaitingSocket>();
  /** Sockets closed while they waited, the oldest first: the order to open their call may still arrive. */
  readonly #closed = new Set<number>();
  readonly #taken = new Map<number, RtpTransport>();
  /** Rejected packets of calls that are over. */
  #foreignBefore = 0;

  constructor(notify: (message: FromWorker) => void) {
    this.#notify = notify;
  }

  /** Packets, of all calls so far, that were rejected because of their source address. */
  get foreignPackets(): number {
    let count = this.#foreignBefore;
    for (const transport of this.#taken.values()) count += transport.foreignPackets;
    return count;
  }

  /** Opens, closes or redirects a socket; the outcome of opening is emitted as SOCKET. */
  take(order: SocketOrder): void {
    if (order.kind === "OPEN_SOCKET") void this.#open(order);
    else if (order.kind === "CLOSE_SOCKET") this.#close(order.socketId);
    else this.#redirect(order);
  }

  /**
   * Connects a socket to its call, with the last redirect that came before. Throws a HungUpError when it was closed
   * before, and an Error when it is not open or the target is invalid.
   */
  connect(source: RtpTarget & { socketId: number }, events: TransportEvents): RtpTransport {
    if (this.#closed.delete(source.socketId)) throw new HungUpError();
    const { socket = null, redirect = null } = this.#waiting.get(source.socketId) ?? {};
    if (!socket) throw new Error("The socket of this call is not open.");
    this.#waiting.delete(source.socketId);
    try {
      const transport = new RtpTransport(socket, source, events);
      this.#taken.set(source.socketId, transport);
      socket.onClose = () => {
        this.#foreignBefore += transport.foreignPackets;
        this.#taken.delete(source.socketId);
      };
      if (redirect) this.#redirect(redirect);
      return transport;
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  async #open({ socketId, host, ports }: Extract<SocketOrder, { kind: "OPEN_SOCKET" }>): Promise<void> {
    const waiting: WaitingSocket = { socket: null, redirect: null };
    this.#waiting.set(socketId, waiting);
    try {
      const socket = await openRtpSocket(host, ports);
      // It was closed while it was being opened.
      if (!this.#waiting.has(socketId)) return socket.close();
      waiting.socket = socket;
      this.#notify({ kind: "SOCKET", socketId, port: socket.port, error: null });
    } catch (error) {
      this.#waiting.delete(socketId);
      this.#notify({ kind: "SOCKET", socketId, port: 0, error: toError(error).message });
    }
  }

  #redirect(order: RedirectOrder): void {
    const { socketId, remote, isHeld } = order;
    const waiting = this.#waiting.get(socketId);
    // A call on hold from its answer, or a re-INVITE, may redirect the audio before it is opened.
    if (waiting) waiting.redirect = order;
    try {
      this.#taken.get(socketId)?.redirect(remote, isHeld);
    } catch {
      // An address that the socket cannot reach: the call stays where it was.
    }
  }

  #close(socketId: number): void {
    this.#waiting.get(socketId)?.socket?.close();
    if (this.#waiting.delete(socketId)) this.#closed.add(socketId);
    const [oldest] = this.#closed;
    if (this.#closed.size > MAX_CLOSED && oldest !== undefined) this.#closed.delete(oldest);
    this.#taken.get(socketId)?.end();
  }
}
