import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/**
 * Called synchronously for every request of the service to its carrier: before it is forwarded, and before its answer
 * is.
 */
export type Interceptor = (method: string, path: string, when: "BEFORE" | "AFTER") => void;

/** Forwards requests from the service to its carrier, so that a test can act between a dial and its answer. */
export class CarrierProxy implements AsyncDisposable {
  readonly url: string;
  intercept: Interceptor = () => undefined;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(target: string): Promise<CarrierProxy> {
    const server = createServer((incoming, outgoing) => forward(proxy, target, incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const proxy: CarrierProxy = new CarrierProxy(server, `http://127.0.0.1:${port}`);
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

function forward(proxy: CarrierProxy, target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = "GET", url: path = "/" } = incoming;
  proxy.intercept(method, path, "BEFORE");
  const call = request(new URL(path, target), { method, headers: incoming.headers }, (reply) => {
    proxy.intercept(method, path, "AFTER");
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
    reply.on("error", () => outgoing.destroy());
  });
  call.on("error", () => outgoing.destroy());
  incoming.pipe(call);
  incoming.on("error", () => call.destroy());
  outgoing.on("error", () => undefined);
}
