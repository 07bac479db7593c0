import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** A dial as it arrived at a carrier. */
export interface Ring {
  carrier: string;
  /** Milliseconds since the epoch, when its last byte had arrived. */
  atMs: number;
  /** Earliest possible time of arrival, if the process that recorded it may have been paused; else `atMs`. */
  earliestMs?: number;
  attemptId: string;
  to: string;
}

/** Paths of the requests that dial, by carrier. */
const DIALS: Record<string, RegExp> = { TWILIO: /\/Calls\.json$/, TELNYX: /\/calls$/, VONAGE: /^\/v1\/calls$/ };

/** Proxy in front of a carrier that records every dial that arrives there, whatever the carrier makes of it. */
export class DialLedger implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(carrier: string, target: string, note: (ring: Ring) => void): Promise<DialLedger> {
    const server = createServer((incoming, outgoing) => void handOn(carrier, target, note, incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    return new DialLedger(server, `http://127.0.0.1:${port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

async function handOn(
  carrier: string,
  target: string,
  note: (ring: Ring) => void,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  incoming.on("error", () => undefined);
  outgoing.on("error", () => undefined);
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const { method = "GET", url: path = "/" } = incoming;
  if (method === "POST" && DIALS[carrier]?.test(path))
    note({ carrier, atMs: Date.now(), ...readDial(body.toString()) });
  const call = request(new URL(path, target), { method, headers: incoming.headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
    reply.on("error", () => outgoing.destroy());
  });
  call.on("error", () => outgoing.destroy());
  call.end(body);
}

/** Reads the attempt id from the address of its webhooks. */
function readDial(body: string): { attemptId: string; to: string } {
  const attemptId = /calls(?:\/|%2F)([0-9a-f-]{36})/.exec(body)?.[1] ?? "";
  if (!body.startsWith("{")) return { attemptId, to: new URLSearchParams(body).get("To") ?? "" };
  const { to } = JSON.parse(body) as { to: string | { number: string }[] };
  return { attemptId, to: typeof to === "string" ? to : `+${to[0]?.number ?? ""}` };
}
