import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createOpenSocket, type SafeSocket, type SocketEnd } from "#src/platform/http/safe-socket.ts";
import { type SocketBehaviour, SocketServer } from "../kit/socket-server.ts";

const REQUEST = { headers: { authorization: "Token k" }, connectTimeoutMs: 20_000, maxMessageBytes: 1_000 };

function openTo(url: string, port: number, request: Partial<typeof REQUEST> = {}, resolve?: () => Promise<string[]>) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${port}`] });
  const messages: (string | Buffer)[] = [];
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<SocketEnd>();
  let ends = 0;
  const socket: SafeSocket = createOpenSocket(guard, resolve)(
    url,
    { ...REQUEST, ...request },
    {
      onOpen: () => opened.resolve(),
      onMessage: (data) => void messages.push(data),
      onEnd: (end) => {
        ends++;
        ended.resolve(end);
      },
    },
  );
  return { socket, messages, opened: opened.promise, ended: ended.promise, countEnds: () => ends };
}

async function trial(behaviour: SocketBehaviour, request: Partial<typeof REQUEST> = {}) {
  const server = await SocketServer.start([behaviour]);
  return { server, ...openTo(`${server.origin}/v1/listen?a=1`, server.port, request) };
}

test("messages go both ways, texts as texts and bytes as bytes, with the headers that were given", async () => {
  const echo: SocketBehaviour = (socket) => socket.onMessage((message) => socket.send(message));
  const { server, socket, messages, opened, ended } = await trial(echo);
  await using _server = server;
  await opened;
  socket.send("grüße");
  socket.send(new Uint8Array([1, 2, 255]));
  await expect.poll(() => messages).toEqual(["grüße", Buffer.from([1, 2, 255])]);
  expect(server.sockets[0]?.headers.authorization).toBe("Token k");
  expect(server.sockets[0]?.url.search).toBe("?a=1");
  socket.close(20_000);
  expect(await ended).toMatchObject({ kind: "CLOSED", code: 1000 });
  expect(server.sockets[0]?.closeCode).toBe(1000);
});

test("private addresses are closed, also when a public name stands for one", async () => {
  await using server = await SocketServer.start([() => undefined]);
  for (const [url, addresses] of [
    ["http://127.0.0.1:9/", []],
    ["http://169.254.169.254/", []],
    ["http://public.example/", ["127.0.0.1"]],
    ["http://public.example/", ["93.184.216.34", "10.0.0.1"]],
  ] as const) {
    const { ended } = openTo(url, server.port, {}, () => Promise.resolve([...addresses]));
    expect(await ended, url).toMatchObject({ kind: "FAILED", error: { kind: "BLOCKED", bytesSent: false } });
  }
  expect(server.handshakes).toBe(0);
});

test.each([401, 429, 503, 302])("a handshake that is answered %i tells the status", async (status) => {
  const headers = { "retry-after": "7", location: "http://127.0.0.1:1/" };
  const { server, ended } = await trial({ refuse: status, headers, body: "no" });
  await using _server = server;
  expect(await ended).toMatchObject({ kind: "REFUSED", status, headers: { "retry-after": "7" } });
});

const FAULTS: [string, SocketBehaviour][] = [
  ["a cut in the handshake", { raw: (raw) => raw.destroy() }],
  ["garbage for a handshake", { raw: (raw) => raw.end("\0\xffnonsense") }],
  [
    "a handshake for another key",
    {
      raw: (raw) =>
        raw.write("HTTP/1.1 101 Ok\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n"),
    },
  ],
  ["a cut after the handshake", (socket) => socket.cut()],
  ["a frame with reserved bits", (socket) => socket.sendRaw(Buffer.from([0xf1, 1, 65]))],
  ["a masked frame", (socket) => socket.sendRaw(Buffer.from([0x81, 0x81, 1, 2, 3, 4, 65]))],
  ["text that is not UTF-8", (socket) => socket.sendRaw(Buffer.from([0x81, 2, 0xff, 0xfe]))],
  ["a message that is too long", (socket) => socket.send("x".repeat(1_001))],
  [
    "a message that says it is 2 GB",
    (socket) => socket.sendRaw(Buffer.from([0x82, 127, 0, 0, 0, 0, 0x7f, 0, 0, 0, 1])),
  ],
];
test.each(FAULTS)("%s ends the connection once, as a failure or an unclean close", async (_name, behaviour) => {
  const { server, ended, messages, countEnds, socket } = await trial(behaviour);
  await using _server = server;
  const end = await ended;
  const found = end.kind === "FAILED" ? end.error.kind : end.kind === "CLOSED" ? end.code : end.kind;
  expect(["PROTOCOL", 1002, 1006, 1007, 1009]).toContain(found);
  socket.destroy();
  expect(messages).toEqual([]);
  expect(countEnds()).toBe(1);
});

test("a server that takes the connection and never answers is given up at the deadline", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const { ended } = openTo(`http://127.0.0.1:${port}/`, port, { connectTimeoutMs: 50 });
  expect(await ended).toMatchObject({ kind: "FAILED", error: { kind: "TIMEOUT" } });
  silent.close();
});

test("what a slow reader does not take is counted, and giving up frees it", async () => {
  const { server, socket, opened, ended } = await trial((one) => void one.raw.pause());
  await using _server = server;
  await opened;
  for (let i = 0; i < 200; i++) socket.send(new Uint8Array(64 * 1024));
  expect(socket.waitingBytes).toBeGreaterThan(1024 * 1024);
  socket.destroy();
  expect(await ended).toMatchObject({ kind: "FAILED", error: { kind: "ABORTED" } });
});

test("a ping's answer shows in the bytes that came; a dead connection's count stands still", async () => {
  const { server, socket, opened } = await trial(() => undefined);
  await using _server = server;
  await opened;
  const before = socket.receivedBytes;
  socket.ping();
  await expect.poll(() => socket.receivedBytes).toBeGreaterThan(before);
  socket.destroy();
});

test("a farewell that is not answered ends at the end of its grace", async () => {
  const { server, socket, opened, ended } = await trial((one) => void one.raw.pause());
  await using _server = server;
  await opened;
  socket.close(30);
  expect(await ended).toMatchObject({ kind: "FAILED", error: { kind: "ABORTED" } });
});

test("giving up while the handshake is under way ends it once", async () => {
  const { server, socket, ended, countEnds } = await trial({ raw: () => undefined });
  await using _server = server;
  socket.destroy();
  expect(await ended).toMatchObject({ kind: "FAILED" });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(countEnds()).toBe(1);
});
