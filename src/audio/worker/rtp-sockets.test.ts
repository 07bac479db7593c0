import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { FromWorker } from "./messages.ts";
import { RtpSockets } from "./rtp-sockets.ts";
import type { RtpTransport } from "./rtp-transport.ts";

const HOST = "127.0.0.1";
const SOCKET_ID = 1;
const frame = new Int16Array(FRAME_SAMPLES);
const notify = vi.fn<(message: FromWorker) => void>();
let sockets: RtpSockets;
let far: Socket;
let heard: number;
let closed: string[];

beforeEach(async () => {
  notify.mockReset();
  far = createSocket("udp4").bind(0, HOST);
  await once(far, "listening");
  heard = 0;
  far.on("message", () => heard++);
  closed = [];
  sockets = new RtpSockets(notify);
  sockets.take({ kind: "OPEN_SOCKET", socketId: SOCKET_ID, host: HOST, ports: null });
});
afterEach(() => {
  sockets.take({ kind: "CLOSE_SOCKET", socketId: SOCKET_ID });
  far.close();
});

const farEnd = () => ({ host: HOST, port: far.address().port });

async function untilOpen(): Promise<void> {
  await expect.poll(() => notify.mock.lastCall?.[0]).toMatchObject({ kind: "SOCKET", error: null });
}

function connect(remote: { host: string; port: number }): RtpTransport {
  const target = { remote, codec: "PCMU", payloadType: 0, eventPayloadType: null, srtp: null } as const;
  const events = { onDigit: () => undefined, onClosed: (by: string) => closed.push(by) };
  return sockets.connect({ socketId: SOCKET_ID, ...target }, events);
}

function tick(transport: RtpTransport, count: number): void {
  for (let i = 0; i < count; i++) {
    transport.read(frame);
    transport.write(frame);
  }
}

test("a call on hold before its audio is opened is sent nothing, and may be silent for longer than 20 s", async () => {
  await untilOpen();
  sockets.take({ kind: "REDIRECT_SOCKET", socketId: SOCKET_ID, remote: { host: HOST, port: 0 }, isHeld: true });
  const transport = connect(farEnd());
  tick(transport, 1_100);
  expect(closed).toEqual([]);
  sockets.take({ kind: "REDIRECT_SOCKET", socketId: SOCKET_ID, remote: farEnd(), isHeld: false });
  tick(transport, 1);
  await expect.poll(() => heard).toBe(1);
});

test("of several redirects of a waiting socket the last applies, also while it is being opened", async () => {
  sockets.take({ kind: "REDIRECT_SOCKET", socketId: SOCKET_ID, remote: { host: HOST, port: 0 }, isHeld: true });
  sockets.take({ kind: "REDIRECT_SOCKET", socketId: SOCKET_ID, remote: farEnd(), isHeld: false });
  await untilOpen();
  tick(connect({ host: HOST, port: 9 }), 1);
  await expect.poll(() => heard).toBe(1);
});

test("a redirect to an address that the socket cannot reach leaves a waiting call where it was", async () => {
  await untilOpen();
  sockets.take({ kind: "REDIRECT_SOCKET", socketId: SOCKET_ID, remote: { host: "::1", port: 9 }, isHeld: false });
  tick(connect(farEnd()), 1);
  await expect.poll(() => heard).toBe(1);
});
