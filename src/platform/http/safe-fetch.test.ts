import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { RECEIVER_CERTIFICATE, RECEIVER_TLS, LoopbackServers } from "#kit/loopback-servers.ts";
import { failureOf } from "#kit/outbound-failure.ts";
import type { ResolveHost } from "./guarded-connector.ts";
import { createOutboundGuard } from "./outbound-guard.ts";
import { createSafeFetch, createSafeOpen, type OutboundRequest } from "./safe-fetch.ts";

const REQUEST: OutboundRequest = {
  method: "POST",
  headers: {},
  body: "hi",
  timeoutMs: 20_000,
  maxResponseBytes: 10_000,
};
const toLoopback: ResolveHost = () => Promise.resolve(["127.0.0.1"]);

const servers = new LoopbackServers();
const listenHttp = (handler: RequestListener) => servers.listenHttp(handler);
const listenRaw = (handler: (socket: Socket) => void) => servers.listenRaw(handler);
afterEach(() => servers.close());

/** Creates a fetch that may connect to one port of loopback and of receiver.example, which `resolve` finds. */
function fetchFor(port: number, resolve: ResolveHost = toLoopback) {
  const allow = [`127.0.0.1:${port}`, `receiver.example:${port}`];
  return createSafeFetch(createOutboundGuard({ allowPrivateNetwork: false, allow }), resolve);
}

async function readAll(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

describe("safe fetch: requests and answers", () => {
  test("sends what it is told and gives the answer", async () => {
    const port = await listenHttp(async (message, reply) => {
      const { method, url, headers } = message;
      reply.writeHead(201, { "X-Answer": "yes", "Set-Cookie": ["a=1", "b=2"] });
      reply.end(JSON.stringify({ method, url, headers, body: await readAll(message) }));
    });
    const headers = { "X-Service-Event-Id": "e1", "content-type": "application/json" };
    const reply = await fetchFor(port)(`http://receiver.example:${port}/a%20b?c=d#e`, { ...REQUEST, headers });
    expect(reply.status).toBe(201);
    expect(reply.truncated).toBe(false);
    expect(reply.headers).toMatchObject({ "x-answer": "yes", "set-cookie": "a=1, b=2" });
    const seen = JSON.parse(reply.body.toString()) as Record<string, unknown>;
    expect(seen).toMatchObject({ method: "POST", url: "/a%20b?c=d", body: "hi" });
    expect(seen["headers"]).toEqual({
      host: `receiver.example:${port}`,
      connection: "close",
      "content-length": "2",
      "content-type": "application/json",
      "accept-encoding": "identity",
      "x-service-event-id": "e1",
    });
  });

  test.each([301, 302, 303, 307, 308])("gives a %i back instead of following it", async (status) => {
    const seen: (string | undefined)[] = [];
    const port = await listenHttp((message, reply) => {
      seen.push(message.url);
      reply.writeHead(status, { location: `http://127.0.0.1:${port}/inside` }).end();
    });
    const reply = await fetchFor(port)(`http://127.0.0.1:${port}/`, REQUEST);
    expect(reply.status).toBe(status);
    expect(reply.headers["location"]).toContain("/inside");
    expect(seen).toEqual(["/"]);
  });

  test("keeps a packed body packed", async () => {
    const packed = gzipSync(Buffer.alloc(5_000_000));
    const port = await listenHttp((_message, reply) =>
      reply.writeHead(200, { "content-encoding": "gzip" }).end(packed),
    );
    const reply = await fetchFor(port)(`http://127.0.0.1:${port}/`, REQUEST);
    expect(reply.body).toEqual(packed);
  });

  test("stops reading an endless body at the limit", async () => {
    const port = await listenRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`));
      };
      socket.on("drain", more);
      more();
    });
    const reply = await fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, maxResponseBytes: 100_000 });
    expect(reply.truncated).toBe(true);
    expect(reply.body).toHaveLength(100_000);
  });

  test("a body of exactly the limit is whole", async () => {
    const port = await listenHttp((_message, reply) => reply.end("x".repeat(100)));
    const reply = await fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, maxResponseBytes: 100 });
    expect(reply).toMatchObject({ truncated: false, body: Buffer.from("x".repeat(100)) });
  });

  test("uses a new connection for every request", async () => {
    const ports = new Set<number | undefined>();
    const port = await listenHttp((message, reply) => {
      ports.add(message.socket.remotePort);
      reply.end();
    });
    const safeFetch = fetchFor(port);
    for (let i = 0; i < 3; i++) await safeFetch(`http://127.0.0.1:${port}/`, REQUEST);
    expect(ports.size).toBe(3);
  });
});

describe("safe fetch: where it goes", () => {
  test.each(["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "①②⑦.⓪.⓪.①", "localhost", "[::1]"])(
    "does not reach a listener on this machine as %s",
    async (host) => {
      let connections = 0;
      const port = await listenRaw(() => connections++);
      const safeFetch = createSafeFetch(createOutboundGuard({ allowPrivateNetwork: false, allow: [] }), toLoopback);
      expect(await failureOf(safeFetch(`http://${host}:${port}/`, REQUEST))).toEqual({
        kind: "BLOCKED",
        bytesSent: false,
      });
      expect(connections).toBe(0);
    },
  );

  test.each([[["127.0.0.1"]], [["93.184.216.34", "127.0.0.1"]], [["2606:4700::1111", "::1"]], [["169.254.169.254"]]])(
    "refuses a name that stands for %j",
    async (addresses) => {
      const safeFetch = createSafeFetch(
        createOutboundGuard({ allowPrivateNetwork: false, allow: [] }),
        async () => addresses,
      );
      const reply = safeFetch("http://rebind.example/", REQUEST);
      expect(await failureOf(reply)).toEqual({ kind: "BLOCKED", bytesSent: false });
    },
  );

  test("connects to the address it checked and asks the name server once", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const asked: string[] = [];
    let reached = "";
    const port = await listenHttp((message, reply) => {
      reached = message.socket.localAddress ?? "";
      reply.end();
    });
    const resolve: ResolveHost = async (hostname) => {
      asked.push(hostname);
      return answers.shift() ?? [];
    };
    await fetchFor(port, resolve)(`http://receiver.example:${port}/`, REQUEST);
    expect(asked).toEqual(["receiver.example"]);
    expect(reached).toBe("127.0.0.1");
  });

  test("tries the next address when one refuses", async () => {
    const port = await listenHttp((_message, reply) => reply.end("here"));
    const resolve: ResolveHost = async () => ["127.0.0.2", "127.0.0.1"];
    const reply = await fetchFor(port, resolve)(`http://receiver.example:${port}/`, REQUEST);
    expect(reply.body.toString()).toBe("here");
  });

  test.each([
    ["X-Key", "a\r\nX-Evil: 1"],
    ["X-Key", "a\u0000"],
    ["X-Key", "☃"],
    ["Bad Name", "a"],
    ["Host", "other.example"],
    ["Content-Length", "0"],
    ["Transfer-Encoding", "chunked"],
  ])("refuses the header %j: %j before it connects", async (name, value) => {
    let connections = 0;
    const port = await listenRaw(() => connections++);
    const reply = fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, headers: { [name]: value } });
    expect(await failureOf(reply)).toEqual({ kind: "BLOCKED", bytesSent: false });
    expect(connections).toBe(0);
  });
});

describe("safe fetch: failures", () => {
  test("a port where nobody listens and a name nobody knows are CONNECT, with nothing sent", async () => {
    const port = await listenRaw(() => undefined);
    await servers.close();
    expect(await failureOf(fetchFor(port)(`http://127.0.0.1:${port}/`, REQUEST))).toEqual({
      kind: "CONNECT",
      bytesSent: false,
    });
    const noSuchName: ResolveHost = () => Promise.reject(new Error("ENOTFOUND"));
    for (const resolve of [noSuchName, async () => []]) {
      const reply = fetchFor(port, resolve)(`http://receiver.example:${port}/`, REQUEST);
      expect(await failureOf(reply)).toEqual({ kind: "CONNECT", bytesSent: false });
    }
  });

  test("a receiver that drips bytes is cut off at the deadline", async () => {
    const port = await listenRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    const reply = fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, timeoutMs: 250 });
    expect(await failureOf(reply)).toEqual({ kind: "TIMEOUT", bytesSent: true });
  });

  test("one that drips headers, never answers, or whose name server sleeps is cut off too", async () => {
    const dripping = await listenRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("a: b\r\n"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    const silent = await listenRaw(() => undefined);
    for (const port of [dripping, silent]) {
      const reply = fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, timeoutMs: 250 });
      expect(await failureOf(reply)).toEqual({ kind: "TIMEOUT", bytesSent: true });
    }
    const asleep: ResolveHost = () => new Promise(() => undefined);
    const reply = fetchFor(silent, asleep)(`http://receiver.example:${silent}/`, { ...REQUEST, timeoutMs: 100 });
    expect(await failureOf(reply)).toEqual({ kind: "TIMEOUT", bytesSent: false });
  });

  test("a secure greeting that never comes is a timeout with nothing sent", async () => {
    const port = await listenRaw(() => undefined);
    const reply = fetchFor(port)(`https://127.0.0.1:${port}/`, { ...REQUEST, timeoutMs: 250 });
    expect(await failureOf(reply)).toEqual({ kind: "TIMEOUT", bytesSent: false });
  });

  test.each([
    ["hangs up", ""],
    ["speaks something else", "220 mail.example ESMTP\r\n"],
    ["stops within the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
    ["changes the protocol", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["sends endless headers", `HTTP/1.1 200 OK\r\nA: ${"x".repeat(100_000)}\r\n\r\n`],
  ])("a receiver that %s is PROTOCOL, with bytes sent once", async (_title, answer) => {
    let requests = 0;
    const port = await listenRaw((socket) => {
      socket.once("data", () => {
        requests++;
        socket.end(answer);
      });
    });
    expect(await failureOf(fetchFor(port)(`http://127.0.0.1:${port}/`, REQUEST))).toEqual({
      kind: "PROTOCOL",
      bytesSent: true,
    });
    expect(requests).toBe(1);
  });

  test("a request can be called off before and while it runs", async () => {
    const called = new AbortController();
    const port = await listenRaw((socket) => socket.once("data", () => called.abort(new Error("off"))));
    const reply = fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, signal: called.signal });
    expect(await failureOf(reply)).toEqual({ kind: "ABORTED", bytesSent: true });
    const late = fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, signal: called.signal });
    expect(await failureOf(late)).toEqual({ kind: "ABORTED", bytesSent: false });
  });
});

describe("safe fetch: https", () => {
  const ownCertificates = getCACertificates();
  afterEach(() => setDefaultCACertificates(ownCertificates));

  async function listenTls(names: (string | false)[]): Promise<number> {
    const server = createTlsServer(RECEIVER_TLS, (socket) => {
      names.push(socket.servername ?? false);
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret"));
    });
    return await servers.listen(server);
  }

  test("asks for the name, checks the certificate against it, and reads the answer", async () => {
    setDefaultCACertificates([RECEIVER_CERTIFICATE]);
    const names: (string | false)[] = [];
    const port = await listenTls(names);
    const reply = await fetchFor(port)(`https://receiver.example:${port}/`, REQUEST);
    expect(reply.body.toString()).toBe("secret");
    expect(names).toEqual(["receiver.example"]);
  });

  test("a certificate for another host, an unknown issuer and plain http are TLS, with nothing sent", async () => {
    const failed = { kind: "TLS", bytesSent: false };
    const port = await listenTls([]);
    expect(await failureOf(fetchFor(port)(`https://receiver.example:${port}/`, REQUEST))).toEqual(failed);
    setDefaultCACertificates([RECEIVER_CERTIFICATE]);
    expect(await failureOf(fetchFor(port)(`https://127.0.0.1:${port}/`, REQUEST))).toEqual(failed);
    const plain = await listenHttp((_message, reply) => reply.end());
    expect(await failureOf(fetchFor(plain)(`https://127.0.0.1:${plain}/`, REQUEST))).toEqual(failed);
  });
});

describe("safe fetch: streams", () => {
  const pieces = () => Readable.from([Buffer.from("first "), Buffer.from("second")]);
  const openFor = (port: number) =>
    createSafeOpen(createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${port}`] }));

  test.each([
    ["with its length", { bodyBytes: 12 }, { "content-length": "12" }],
    ["in chunks when its length is unknown", {}, { "transfer-encoding": "chunked" }],
  ])("sends a streamed body %s", async (_name, length, framing) => {
    const seen: [unknown, string][] = [];
    const port = await listenHttp(async (message, reply) => {
      seen.push([message.headers, await readAll(message)]);
      reply.end("ok");
    });
    const reply = await fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, body: pieces(), ...length });
    expect(reply.body.toString()).toBe("ok");
    expect(seen).toEqual([[expect.objectContaining(framing), "first second"]]);
  });

  test("a streamed body longer or shorter than its length is never taken for the whole", async () => {
    const port = await listenHttp((message, reply) => {
      message.resume();
      message.on("end", () => reply.end("ok"));
    });
    for (const bodyBytes of [5, 500]) {
      const failure = await failureOf(
        fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, body: pieces(), bodyBytes }),
      );
      expect(failure.kind).toBe("PROTOCOL");
    }
  });

  test("a body whose request is refused or breaks off is destroyed", async () => {
    const blocked = pieces();
    const port = await listenRaw((socket) => socket.once("data", () => socket.destroy()));
    await failureOf(fetchFor(port)("http://127.0.0.1:1/", { ...REQUEST, body: blocked }));
    const broken = pieces();
    await failureOf(fetchFor(port)(`http://127.0.0.1:${port}/`, { ...REQUEST, body: broken }));
    expect([blocked.destroyed, broken.destroyed]).toEqual([true, true]);
  });

  test("the caller cannot set the framing by header", async () => {
    const headers = { "content-length": "1" };
    expect(await failureOf(fetchFor(1)("http://127.0.0.1:1/", { ...REQUEST, headers }))).toMatchObject({
      kind: "BLOCKED",
      bytesSent: false,
    });
  });

  test("an answer is handed on as it comes, and leaving it closes the connection", async () => {
    let isClosed: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const port = await listenRaw((socket) => {
      socket.resume().on("close", isClosed);
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    });
    const reply = await openFor(port)(`http://127.0.0.1:${port}/`, REQUEST);
    expect(reply.status).toBe(200);
    for await (const piece of reply.body) {
      expect(piece.toString()).toBe("hello");
      break;
    }
    await closed;
  });

  test("an answer that is not wanted is closed unread", async () => {
    let isClosed: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const port = await listenRaw((socket) => {
      socket.resume().on("close", isClosed);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    });
    const reply = await openFor(port)(`http://127.0.0.1:${port}/`, REQUEST);
    expect(reply.headers["content-length"]).toBe("1000");
    reply.close();
    await closed;
  });

  test("an answer that is cut off fails while it is read", async () => {
    const port = await listenRaw((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"));
    const reply = await openFor(port)(`http://127.0.0.1:${port}/`, REQUEST);
    const read = async () => {
      for await (const piece of reply.body) expect(piece.toString()).toBe("half");
    };
    expect((await failureOf(read())).kind).toBe("PROTOCOL");
  });
});
