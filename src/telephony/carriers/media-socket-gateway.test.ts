import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createTwilioSocket } from "#src/telephony/carriers/twilio/twilio-socket.ts";
import { VonageMediaSocket } from "#src/telephony/carriers/vonage/vonage-socket.ts";
import { MEDIA_PATH, type MediaNodes, MediaSocketGateway } from "./media-socket-gateway.ts";

const ATTEMPT = "0190a0b0-0000-7000-8000-000000000001";
const START = {
  event: "start",
  sequenceNumber: "1",
  streamSid: "MZ1",
  start: {
    streamSid: "MZ1",
    callSid: "CA1",
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: {},
  },
};

let server: Server;
let gateway: MediaSocketGateway;
let closing: (() => void)[] = [];

beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  gateway = new MediaSocketGateway({ publicUrl: `http://127.0.0.1:${port}`, keys: () => [Buffer.alloc(32, 1)] });
  server.on("upgrade", (request, raw, head) => gateway.takeSocket(request, raw, head, {}));
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  gateway.closeAll();
  server.closeAllConnections();
  server.close();
  closing = [];
});

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  closing.push(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

function takePort(): MessagePort {
  const source = gateway.sourceOf(ATTEMPT);
  if (source?.kind !== "PORT") throw new Error("No port.");
  closing.push(() => source.port.close());
  return source.port;
}

async function nextMessage(port: MessagePort): Promise<unknown> {
  const [message] = (await once(port, "message")) as [unknown];
  return message;
}

test("sound, keys and the end go through, whichever comes first, the socket or the call", async () => {
  const started: string[] = [];
  const url = gateway.expect(ATTEMPT, createTwilioSocket, ({ callId }) => started.push(callId));
  const socket = await connect(url);
  socket.send(JSON.stringify(START));
  const payload = Buffer.alloc(160, 0x42);
  const media = {
    event: "media",
    streamSid: "MZ1",
    media: { track: "inbound", chunk: "1", payload: payload.toString("base64") },
  };
  const port = takePort();
  const heard = nextMessage(port);
  socket.send(JSON.stringify(media));
  expect(Buffer.from((await heard) as Uint8Array)).toEqual(payload);
  expect(started).toEqual(["CA1"]);
  const key = nextMessage(port);
  socket.send(JSON.stringify({ event: "dtmf", streamSid: "MZ1", dtmf: { track: "inbound_track", digit: "7" } }));
  expect(await key).toEqual({ digits: "7" });
  const said = once(socket, "message");
  port.postMessage(new Uint8Array(160).fill(0x11));
  const message = JSON.parse(String((await said)[0])) as { streamSid: string; media: { payload: string } };
  expect(message).toMatchObject({ event: "media", streamSid: "MZ1" });
  expect(Buffer.from(message.media.payload, "base64")).toEqual(Buffer.alloc(160, 0x11));
  const end = nextMessage(port);
  socket.send(JSON.stringify({ event: "stop", streamSid: "MZ1", stop: { callSid: "CA1" } }));
  expect(await end).toEqual({ closed: true });
});

test("keys of ours are said as tones, where the socket takes none", async () => {
  const begun = Promise.withResolvers<unknown>();
  const socket = await connect(gateway.expect(ATTEMPT, () => new VonageMediaSocket(), begun.resolve));
  socket.send(JSON.stringify({ event: "websocket:connected", "content-type": "audio/l16;rate=8000" }));
  // Audio sent before the stream begins is dropped.
  await begun.promise;
  const port = takePort();
  port.postMessage({ digits: "5" });
  const said = once(socket, "message");
  port.postMessage(new Uint8Array(160).fill(0xff));
  const [bytes, isBinary] = (await said) as [Buffer, boolean];
  expect([isBinary, bytes.length]).toEqual([true, 320]);
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 320));
  expect(Math.max(...samples)).toBeGreaterThan(5_000);
});

test("a clean close is a hang-up, a cut is a lost line", async () => {
  const socket = await connect(gateway.expect(ATTEMPT, createTwilioSocket));
  const port = takePort();
  const end = nextMessage(port);
  expect(gateway.hasHungUp(ATTEMPT)).toBe(false);
  socket.close();
  expect(await end).toEqual({ closed: true });
  expect(gateway.hasHungUp(ATTEMPT)).toBe(true);
  gateway.close(ATTEMPT);
  const cut = await connect(gateway.expect(ATTEMPT, createTwilioSocket));
  const other = takePort();
  const messages: unknown[] = [];
  other.on("message", (message) => messages.push(message));
  const closed = once(other, "close");
  cut.terminate();
  await closed;
  expect(messages).toEqual([]);
  expect(gateway.hasHungUp(ATTEMPT)).toBe(false);
});

test("who breaks off while they are turned away harms nobody", async () => {
  const { port } = server.address() as AddressInfo;
  const lines = [`GET ${MEDIA_PATH}/wrong HTTP/1.1`, "Host: parley", "Connection: Upgrade", "Upgrade: websocket"];
  for (let i = 0; i < 20; i++) {
    const client = connectTcp(port, "127.0.0.1");
    const came = once(server, "upgrade");
    client.write(`${lines.join("\r\n")}\r\n\r\n`);
    const [, raw] = (await came) as [unknown, Duplex];
    const closed = new Promise((resolve) => raw.once("close", resolve));
    client.resetAndDestroy();
    await closed;
    expect(raw.errored).toMatchObject({ code: "ECONNRESET" });
  }
});

test("a ticket that is wrong, used or over is turned away", async () => {
  const url = gateway.expect(ATTEMPT, createTwilioSocket);
  for (const wrong of [`${url}x`, url.replace(ATTEMPT, ATTEMPT.replace(/1$/, "2")), url.replace(/\.[^.]*$/, "")]) {
    await expect(connect(wrong)).rejects.toThrow(/404/);
  }
  await connect(url);
  await expect(connect(url)).rejects.toThrow(/404/);
  gateway.close(ATTEMPT);
  await expect(connect(url)).rejects.toThrow(/404/);
});

test("garbage ends the call only when there is no end of it, and never this process", async () => {
  const socket = await connect(gateway.expect(ATTEMPT, createTwilioSocket));
  socket.send("{");
  socket.send(JSON.stringify(START));
  const port = takePort();
  const closed = once(port, "close");
  for (let i = 0; i < 150; i++) socket.send(Buffer.from([i]));
  await expect(closed).resolves.toBeDefined();
});

test("an account reaches the audio of its own calls, and of nobody else's", () => {
  const [mine, other] = [gateway.ofAccount("mine"), gateway.ofAccount("other")];
  mine.expect(ATTEMPT, createTwilioSocket);
  other.expect(ATTEMPT, createTwilioSocket);
  other.close(ATTEMPT);
  expect(other.sourceOf(ATTEMPT)).toBeNull();
  expect(gateway.ofAccount("mine")).toBe(mine);
  const source = mine.sourceOf(ATTEMPT);
  if (source?.kind !== "PORT") throw new Error("No port.");
  closing.push(() => source.port.close());
  mine.close(ATTEMPT);
  expect(mine.sourceOf(ATTEMPT)).toBeNull();
});

describe("a socket that arrives at another node", () => {
  const key = Buffer.alloc(32, 1);
  const publicUrl = "http://carriers.example";
  const FAR = "00000000-0000-7000-8000-00000000000f";
  let address: string;
  const nodes = (id: string, find: MediaNodes["find"] = async () => ({ id: FAR, address })) => ({ self: { id }, find });

  /** Serves the gateway of the node that the carriers reach; returns the address of a ticket there. */
  async function serveNear(find?: MediaNodes["find"]): Promise<(url: string) => string> {
    const near = new MediaSocketGateway({ publicUrl, keys: () => [key], nodes: nodes("near", find) });
    const nearServer = createServer().listen(0, "127.0.0.1");
    await once(nearServer, "listening");
    nearServer.on("upgrade", (request, raw, head) => near.takeSocket(request, raw, head, {}));
    closing.push(() => nearServer.close());
    const { port } = nearServer.address() as AddressInfo;
    return (url) => url.replace(publicUrl.replace("http", "ws"), `ws://127.0.0.1:${port}`);
  }

  beforeEach(() => {
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = new MediaSocketGateway({ publicUrl, keys: () => [key], nodes: nodes(FAR) });
  });

  test("is passed to the node that expects it, both ways and to its end", async () => {
    const toNear = await serveNear();
    const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
    const socket = await connect(toNear(gateway.expect(ATTEMPT, createTwilioSocket, () => onStarted())));
    socket.send(JSON.stringify(START));
    await started;
    const port = takePort();
    const heard: unknown[] = [];
    port.on("message", (message) => heard.push(message));
    const closed = once(port, "close");
    port.postMessage(new Uint8Array(160).fill(0x42));
    const [said] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(said.toString())).toMatchObject({ event: "media" });
    socket.close(1000);
    await closed;
    expect(heard.at(-1)).toEqual({ closed: true });
    expect(gateway.hasHungUp(ATTEMPT)).toBe(true);
  });

  test("is turned away when that node expects nothing, is gone or cannot be reached, and is passed on once", async () => {
    const url = gateway.expect(ATTEMPT, createTwilioSocket);
    const gone = await serveNear(async () => null);
    await expect(connect(gone(url))).rejects.toThrow(/404/);
    const unreachable = await serveNear(async () => ({ id: FAR, address: "http://127.0.0.1:1" }));
    await expect(connect(unreachable(url))).rejects.toThrow(/503/);
    const loop = await serveNear();
    address = loop(publicUrl.replace("http", "ws")).replace("ws", "http");
    await expect(connect(loop(url))).rejects.toThrow(/404/);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway.close(ATTEMPT);
    await expect(connect(loop(url))).rejects.toThrow(/404/);
  });
});
