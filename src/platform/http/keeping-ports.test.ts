import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RECEIVER_CERTIFICATE, RECEIVER_TLS, LoopbackServers } from "#kit/loopback-servers.ts";
import { failureOf } from "#kit/outbound-failure.ts";
import type { ResolveHost } from "./guarded-connector.ts";
import { KEEP_LIMITS, type KeepLimits } from "./kept-connections.ts";
import { createOutboundGuard, type OutboundGuard } from "./outbound-guard.ts";
import { createKeepingPorts, type KeepingPorts, type OutboundRequest } from "./safe-fetch.ts";

const REQUEST: OutboundRequest = {
  method: "POST",
  headers: {},
  body: "hi",
  timeoutMs: 5_000,
  maxResponseBytes: 10_000,
};
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const toLoopback: ResolveHost = () => Promise.resolve(["127.0.0.1"]);

const servers = new LoopbackServers();
const opened: KeepingPorts[] = [];
const ownCertificates = getCACertificates();
beforeEach(() => setDefaultCACertificates([RECEIVER_CERTIFICATE]));
afterEach(async () => {
  for (const ports of opened.splice(0)) ports.close();
  setDefaultCACertificates(ownCertificates);
  await servers.close();
});

interface Options {
  guard?: OutboundGuard;
  resolve?: ResolveHost;
  limits?: Partial<KeepLimits>;
}

function keep({ guard, resolve = toLoopback, limits }: Options = {}): KeepingPorts {
  const open = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
  const ports = createKeepingPorts(guard ?? open, resolve, { ...KEEP_LIMITS, ...limits });
  opened.push(ports);
  return ports;
}

/** A receiver that counts what reaches it. `act` gets each request, which comes in one piece. */
class Counter {
  connections = 0;
  requests = 0;
  readonly sockets: Socket[] = [];
  readonly scheme: "http" | "https";
  port = 0;

  constructor(scheme: "http" | "https") {
    this.scheme = scheme;
  }

  static async listen(scheme: "http" | "https", act: (socket: Socket, request: number) => void): Promise<Counter> {
    const counter = new Counter(scheme);
    const accept = (socket: Socket) => {
      counter.connections++;
      counter.sockets.push(socket);
      socket.on("error", () => undefined);
      socket.on("data", () => act(socket, ++counter.requests));
    };
    counter.port =
      scheme === "https"
        ? await servers.listen(createTlsServer(RECEIVER_TLS, accept))
        : await servers.listenRaw(accept);
    return counter;
  }

  get url(): string {
    return `${this.scheme}://receiver.example:${this.port}/`;
  }
}

function answer(socket: Socket): void {
  socket.write(OK);
}

function reset(socket: Socket): void {
  // A TLS socket has no reset of its own: its end comes without a goodbye.
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

describe.each(["http", "https"] as const)("kept connections over %s", (scheme) => {
  test("requests one after another use one connection", async () => {
    const counter = await Counter.listen(scheme, answer);
    const { safeFetch } = keep();
    for (let i = 0; i < 3; i++) expect((await safeFetch(counter.url, REQUEST)).body.toString()).toBe("ok");
    expect(counter).toMatchObject({ connections: 1, requests: 3 });
  });

  test.each([
    ["ends", (socket: Socket) => socket.end()],
    ["breaks off", reset],
  ])("a kept connection that %s as the request arrives loses no request", async (_title, end) => {
    const counter = await Counter.listen(scheme, (socket, request) => (request === 2 ? end(socket) : answer(socket)));
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    expect((await safeFetch(counter.url, REQUEST)).body.toString()).toBe("ok");
    expect(counter).toMatchObject({ connections: 2, requests: 3 });
  });

  test("one that breaks off after a byte of its answer is not repeated", async () => {
    for (const begun of [
      "H",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
      "HTTP/1.1 103 Early Hints\r\n\r\n",
    ]) {
      const counter = await Counter.listen(scheme, (socket, request) =>
        request === 2 ? socket.end(begun) : answer(socket),
      );
      const { safeFetch } = keep();
      await safeFetch(counter.url, REQUEST);
      expect(await failureOf(safeFetch(counter.url, REQUEST))).toEqual({ kind: "PROTOCOL", bytesSent: true });
      expect(counter).toMatchObject({ connections: 1, requests: 2 });
    }
  });

  test("a request is repeated once only, and one on a new connection not at all", async () => {
    const counter = await Counter.listen(scheme, (socket, request) => (request > 1 ? reset(socket) : answer(socket)));
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    expect(await failureOf(safeFetch(counter.url, REQUEST))).toEqual({ kind: "PROTOCOL", bytesSent: true });
    expect(counter.requests).toBe(3);
    expect(await failureOf(safeFetch(counter.url, REQUEST))).toEqual({ kind: "PROTOCOL", bytesSent: true });
    expect(counter.requests).toBe(4);
  });

  test("one that was closed while it was idle is not used", async () => {
    const counter = await Counter.listen(scheme, answer);
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    counter.sockets[0]?.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await safeFetch(counter.url, REQUEST);
    expect(counter).toMatchObject({ connections: 2, requests: 2 });
  });

  test("one that got more than an answer is not used", async () => {
    const counter = await Counter.listen(scheme, (socket) => socket.write(`${OK}${OK.replace("ok", "no")}`));
    const { safeFetch } = keep();
    for (let i = 0; i < 2; i++) expect((await safeFetch(counter.url, REQUEST)).body.toString()).toBe("ok");
    expect(counter.connections).toBe(2);
  });

  test("a connection opened ahead carries the first request", async () => {
    const counter = await Counter.listen(scheme, answer);
    const { safeFetch, warm } = keep();
    for (let i = 0; i < 3; i++) warm(counter.url);
    await expect.poll(() => counter.connections).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    warm(counter.url);
    await safeFetch(counter.url, REQUEST);
    expect(counter).toMatchObject({ connections: 1, requests: 1 });
  });
});

describe("kept connections: bounds", () => {
  test("they are closed when idle for too long, by our limit or sooner by the other side's", async () => {
    const hint = OK.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=1\r\n\r\n");
    for (const [text, limits] of [
      [OK, { idleMs: 100 }],
      [hint, {}],
    ] as const) {
      const counter = await Counter.listen("http", (socket) => socket.write(text));
      const { safeFetch } = keep({ limits });
      await safeFetch(counter.url, REQUEST);
      await expect.poll(() => counter.sockets[0]?.destroyed).toBe(true);
    }
  });

  test("one that is too old takes no more requests", async () => {
    const counter = await Counter.listen("http", answer);
    const { safeFetch } = keep({ limits: { ageMs: 50 } });
    await safeFetch(counter.url, REQUEST);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await safeFetch(counter.url, REQUEST);
    expect(counter.connections).toBe(2);
  });

  test("idle ones are bounded for an origin and in all", async () => {
    const open = (counter: Counter) => counter.sockets.filter((socket) => !socket.destroyed).length;
    const [one, other] = [await Counter.listen("http", answer), await Counter.listen("http", answer)];
    const { safeFetch } = keep({ limits: { ofOrigin: 2, inAll: 3 } });
    await Promise.all(Array.from({ length: 5 }, () => safeFetch(one.url, REQUEST)));
    expect(one.connections).toBe(5);
    await expect.poll(() => open(one)).toBe(2);
    await Promise.all(Array.from({ length: 5 }, () => safeFetch(other.url, REQUEST)));
    await expect.poll(() => [open(one), open(other)]).toEqual([1, 2]);
  });

  test("closing ends the idle ones, and those in use after their answer", async () => {
    const counter = await Counter.listen("http", (socket, request) => {
      if (request === 1) return answer(socket);
      setTimeout(() => answer(socket), 200);
    });
    const ports = keep();
    await ports.safeFetch(counter.url, REQUEST);
    const [second, third] = [ports.safeFetch(counter.url, REQUEST), ports.safeFetch(counter.url, REQUEST)];
    await expect.poll(() => counter.requests).toBe(3);
    const idle = await Counter.listen("http", answer);
    await ports.safeFetch(idle.url, REQUEST);
    ports.close();
    await expect.poll(() => idle.sockets[0]?.destroyed).toBe(true);
    expect((await Promise.all([second, third])).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(() => counter.sockets.map((socket) => socket.destroyed)).toEqual([true, true]);
  });

  test("an answer that says so, is left early or called off takes its connection along", async () => {
    const stop = new AbortController();
    const counter = await Counter.listen("http", (socket, request) => {
      if (request === 1) socket.write(OK.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\nhalf");
      if (request === 4) stop.abort();
    });
    const { safeFetch, safeOpen } = keep();
    await safeFetch(counter.url, REQUEST);
    const left = await safeOpen(counter.url, REQUEST);
    for await (const piece of left.body) if (piece.length > 0) break;
    (await safeOpen(counter.url, REQUEST)).close();
    await failureOf(safeFetch(counter.url, { ...REQUEST, signal: stop.signal }));
    await expect.poll(() => counter.sockets.map((socket) => socket.destroyed)).toEqual(Array(4).fill(true));
  });
});

describe("kept connections: what stays as it was", () => {
  test("a streamed body takes a new connection, which is kept", async () => {
    const counter = await Counter.listen("http", answer);
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    await safeFetch(counter.url, { ...REQUEST, body: Readable.from([Buffer.from("hi")]), bodyBytes: 2 });
    expect(counter.connections).toBe(2);
  });

  test("the deadline holds for the repeat as well, and says that bytes were sent", async () => {
    const counter = await Counter.listen("http", (socket, request) => {
      if (request === 1) answer(socket);
      if (request === 2) setTimeout(() => reset(socket), 150);
    });
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    const startedMs = performance.now();
    const late = safeFetch(counter.url, { ...REQUEST, timeoutMs: 300 });
    expect(await failureOf(late)).toEqual({ kind: "TIMEOUT", bytesSent: true });
    expect(performance.now() - startedMs).toBeLessThan(420);
    expect(counter.requests).toBe(3);
  });

  test("a repeat that cannot connect still says that bytes were sent", async () => {
    const answers = [["127.0.0.1"], []];
    const counter = await Counter.listen("http", (socket, request) => (request === 1 ? answer(socket) : reset(socket)));
    const { safeFetch } = keep({ resolve: async () => answers.shift() ?? [] });
    await safeFetch(counter.url, REQUEST);
    expect(await failureOf(safeFetch(counter.url, REQUEST))).toEqual({ kind: "CONNECT", bytesSent: true });
  });

  test("each sending is asked for right before its first byte", async () => {
    const counter = await Counter.listen("http", (socket, request) => (request === 2 ? reset(socket) : answer(socket)));
    const { safeFetch } = keep();
    const seen: number[] = [];
    const beforeSend = () => void seen.push(counter.requests);
    await safeFetch(counter.url, { ...REQUEST, beforeSend });
    await safeFetch(counter.url, { ...REQUEST, beforeSend });
    expect(seen).toEqual([0, 1, 2]);
    const refuse = () => {
      throw new Error("not any more");
    };
    const refused = safeFetch(counter.url, { ...REQUEST, beforeSend: refuse });
    expect(await failureOf(refused)).toEqual({ kind: "ABORTED", bytesSent: false });
    await safeFetch(counter.url, REQUEST);
    expect(counter).toMatchObject({ connections: 2, requests: 4 });
  });

  test("one called off before it is sent sends nothing", async () => {
    const counter = await Counter.listen("http", answer);
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    const stop = new AbortController();
    const reply = safeFetch(counter.url, { ...REQUEST, signal: stop.signal });
    stop.abort();
    expect(await failureOf(reply)).toEqual({ kind: "ABORTED", bytesSent: false });
    expect(counter.requests).toBe(1);
  });

  test("another name, scheme or port has another connection, and the name server is asked once for each", async () => {
    const asked: string[] = [];
    const counter = await Counter.listen("http", answer);
    const resolve: ResolveHost = async (host) => {
      asked.push(host);
      return ["127.0.0.1"];
    };
    const { safeFetch } = keep({ resolve });
    for (const host of ["one.example", "two.example", "one.example"]) {
      await safeFetch(`http://${host}:${counter.port}/`, REQUEST);
    }
    expect(asked).toEqual(["one.example", "two.example"]);
    expect(counter.connections).toBe(2);
  });

  test("a name that the guard refuses meanwhile is refused, though a connection is open", async () => {
    const counter = await Counter.listen("http", answer);
    const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
    let isRefused = false;
    const changing: OutboundGuard = {
      ...guard,
      checkUrl: (url) => {
        if (isRefused) throw new Error("not allowed any more");
        return guard.checkUrl(url);
      },
    };
    const { safeFetch, warm } = keep({ guard: changing });
    await safeFetch(counter.url, REQUEST);
    isRefused = true;
    warm(counter.url);
    expect(await failureOf(safeFetch(counter.url, REQUEST))).toEqual({ kind: "BLOCKED", bytesSent: false });
    expect(counter).toMatchObject({ connections: 1, requests: 1 });
  });

  test("an address that the guard refuses is not reached by a new connection, and nothing is shared between guards", async () => {
    const counter = await Counter.listen("http", answer);
    const { safeFetch } = keep();
    await safeFetch(counter.url, REQUEST);
    const closed = keep({ guard: createOutboundGuard({ allowPrivateNetwork: false, allow: [] }) });
    closed.warm(counter.url);
    expect(await failureOf(closed.safeFetch(counter.url, REQUEST))).toEqual({ kind: "BLOCKED", bytesSent: false });
    expect(counter.connections).toBe(1);
  });

  test("the certificate of each connection is checked", async () => {
    const port = await servers.listen(createHttpsServer(RECEIVER_TLS, (_message, reply) => reply.end("ok")));
    const { safeFetch } = keep();
    await safeFetch(`https://receiver.example:${port}/`, REQUEST);
    const failed = { kind: "TLS", bytesSent: false };
    expect(await failureOf(safeFetch(`https://other.example:${port}/`, REQUEST))).toEqual(failed);
  });
});
