import { connect, type Socket } from "node:net";
import { Client, WebSocket } from "undici";

/** A JSON message of the server. */
export type ServerMessage = { type: string } & Record<string, unknown>;

/** The page's end of a web phone's connection, without a page. */
export class PageSocket implements Disposable {
  readonly messages: ServerMessage[] = [];
  readonly frames: Uint8Array[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;
  readonly #cut: () => void;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket, cut: () => void) {
    this.#socket = socket;
    this.#cut = cut;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }: { data: string | ArrayBuffer }) => {
      if (typeof data === "string") this.messages.push(JSON.parse(data) as ServerMessage);
      else this.frames.push(new Uint8Array(data));
      this.#wake();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
    socket.addEventListener("error", () => undefined);
  }

  static async open(url: string, origin?: string): Promise<PageSocket> {
    let raw: Socket | undefined;
    const { hostname, port } = new URL(url);
    const client = new Client(url.replace("ws", "http").replace(/(?<=\d)\/.*$/, ""), {
      connect: (_options, callback) => {
        raw = connect(Number(port), hostname, () => callback(null, raw as Socket));
      },
    });
    const socket = new WebSocket(url, { dispatcher: client, headers: origin === undefined ? {} : { origin } });
    const page = new PageSocket(socket, () => raw?.destroy());
    await new Promise((resolve) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("close", resolve, { once: true });
    });
    return page;
  }

  /** Opens a connection and says hello. */
  static async hello(url: string, token: unknown, origin?: string): Promise<PageSocket> {
    const page = await PageSocket.open(url, origin);
    page.send({ type: "hello", token });
    return page;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  close(code = 1000): void {
    this.#socket.close(code);
  }

  /** Breaks the connection off, without a farewell. */
  destroy(): void {
    this.#cut();
  }

  /** Waits until something holds of what came. */
  async until<T>(look: () => T | undefined | null | false, timeoutMs = 25_000): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== null && found !== false) return found;
      if (performance.now() > deadline) {
        throw new Error(`It did not come: ${JSON.stringify({ messages: this.messages, closed: this.closed })}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 50);
      });
    }
  }

  /** The first message of a type, or the `count`th. */
  next(type: string, count = 1): Promise<ServerMessage> {
    return this.until(() => this.messages.filter((message) => message.type === type)[count - 1]);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
