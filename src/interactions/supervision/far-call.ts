import { WebSocket } from "ws";
import { type FarNode, NODE_HEADER } from "#src/platform/kernel/node-identity.ts";
import { SUPERVISION_PATH } from "./supervision.ts";

const OPENS_WITHIN_MS = 4_000;
/** Silence after which the connection is dead. The other node sends audio all the time, and pings every ten seconds. */
const SILENT_MS = 25_000;
const LOOK_MS = 5_000;
const MAX_MESSAGE_BYTES = 4_096;
/** Bytes waiting to be sent above which audio frames are dropped. */
const MAX_WAITING_BYTES = 16_000;
/** Codes of RFC 6455 that are reported for a connection but never sent. */
const NO_CODE = 1005;
const LOST = 1006;
const INTERNAL = 1011;

/** Callbacks for the forwarding side. `onEnd` is called once, and nothing after it. */
export interface FarListener {
  onMessage(data: string | Uint8Array): void;
  onEnd(code: number, reason: string): void;
}

/**
 * A supervisor's connection forwarded to the node that holds the call. That node takes the token, keeps the mode and
 * records what was done, as for a supervisor of its own. The address comes from the table of nodes, so it needs no
 * guard of outbound requests.
 */
export class FarCall {
  readonly #socket: WebSocket;
  readonly #looks: NodeJS.Timeout;
  #heardAt = performance.now();
  #wasOpen = false;

  constructor({ id, address }: FarNode, token: string, listener: FarListener) {
    this.#socket = new WebSocket(address.replace(/^http/, "ws") + SUPERVISION_PATH, {
      headers: { [NODE_HEADER]: id },
      handshakeTimeout: OPENS_WITHIN_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket.on("open", () => {
      this.#wasOpen = true;
      this.send(JSON.stringify({ type: "hello", token }));
    });
    this.#socket.on("message", (data, isBinary) => {
      this.#heardAt = performance.now();
      listener.onMessage(isBinary ? (data as Buffer) : (data as Buffer).toString());
    });
    this.#socket.on("ping", () => (this.#heardAt = performance.now()));
    this.#looks = setInterval(() => {
      if (performance.now() - this.#heardAt > SILENT_MS) this.#socket.terminate();
    }, LOOK_MS);
    this.#looks.unref();
    // Errors also end in "close".
    this.#socket.on("error", () => undefined);
    this.#socket.once("close", (code, reason) => {
      clearInterval(this.#looks);
      if (code !== LOST && code !== NO_CODE) listener.onEnd(code, reason.toString());
      else if (this.#wasOpen) listener.onEnd(INTERNAL, "The connection to the server that holds the call was lost.");
      else listener.onEnd(INTERNAL, "The server that holds the call cannot be reached: see PARLEY_NODE_URL.");
    });
  }

  /** Forwards a message. Audio frames are dropped while the connection is behind. */
  send(data: string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (typeof data === "string" || this.#socket.bufferedAmount < MAX_WAITING_BYTES)
      this.#socket.send(data, () => undefined);
  }

  /** Closes the connection; the other node releases the call. */
  close(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000);
    else this.#socket.terminate();
  }
}
