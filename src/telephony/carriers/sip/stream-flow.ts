import type { Socket } from "node:net";
import type { Flow, Hop, Place, SipTransportName } from "./flow.ts";
import type { MalformedMessage } from "./parse-message.ts";
import type { SipMessage } from "./sip-message.ts";
import { StreamFramer } from "./stream-framer.ts";

/** Time within which a new inbound connection must send a message. */
const FIRST_MESSAGE_MS = 10_000;
/** Unsent bytes at which a far end that accepts no data counts as lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Callbacks of a connection. */
export interface StreamEvents {
  onMessage(message: SipMessage | MalformedMessage): void;
  onEnd(reason: string): void;
}

/** SIP over an established connection. */
export class StreamFlow implements Flow {
  readonly key: string;
  readonly transport: SipTransportName;
  readonly remote: Place;
  readonly local: Place;
  readonly hop: Hop | null;
  readonly #socket: Socket;
  readonly #events: StreamEvents;
  readonly #framer = new StreamFramer();
  #patience: NodeJS.Timeout | undefined;
  #fault = "The connection was closed.";
  #isOpen = true;

  constructor(key: string, socket: Socket, hop: Hop | null, local: Place, events: StreamEvents) {
    this.key = key;
    this.hop = hop;
    // The server accepts no TLS.
    this.transport = hop?.transport ?? "TCP";
    this.local = local;
    this.#socket = socket;
    this.#events = events;
    this.remote = { address: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 };
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.on("data", (bytes) => this.#take(bytes));
    socket.on("error", (error) => (this.#fault = `The connection broke: ${error.message}`));
    socket.once("end", () => socket.end());
    socket.once("close", () => this.#end());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(bytes: Buffer): void {
    if (!this.#isOpen) {
      queueMicrotask(() => this.#events.onEnd(this.#fault));
      return;
    }
    this.#socket.write(bytes, () => undefined);
    if (this.#socket.writableLength > MAX_WAITING_BYTES) this.#socket.destroy();
  }

  /** Ends the connection unless a message comes soon. */
  expectSoon(): void {
    this.#patience = setTimeout(() => this.#socket.destroy(), FIRST_MESSAGE_MS);
    this.#patience.unref();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    for (const item of this.#framer.push(bytes)) {
      if (!this.#isOpen) return;
      if (item.kind === "PING") this.#socket.write("\r\n", () => undefined);
      else if (item.kind === "BROKEN") {
        this.#fault = `The far end sent what is no SIP: ${item.reason}`;
        this.#socket.destroy();
        return;
      } else {
        clearTimeout(this.#patience);
        this.#events.onMessage(item);
      }
    }
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#patience);
    this.#events.onEnd(this.#fault);
  }
}
