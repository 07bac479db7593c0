import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { writeAnswer } from "../../kit/sip/message-kit.ts";
import { createDial, HOST, SipTrunkManager } from "../../kit/sip/sip-harness.ts";

const signal = new AbortController().signal;
let harness: SipTrunkManager;
let server: Server;
let port: number;
let heard: string[];
let connections: Socket[];
/** Connections on which nothing is answered any more. */
let dead: Set<Socket>;

beforeEach(async () => {
  heard = [];
  connections = [];
  dead = new Set();
  server = createServer((socket) => {
    connections.push(socket);
    socket
      .on("error", () => undefined)
      .on("data", (bytes) => {
        const text = bytes.toString();
        heard.push(text);
        if (!dead.has(socket) && !text.startsWith("ACK")) {
          socket.write(writeAnswer(text, { status: 200, tag: "one", port }));
        }
      });
  }).listen(0, HOST);
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  harness = new SipTrunkManager();
});
afterEach(async () => {
  vi.useRealTimers();
  await harness.close();
  server.close();
});

function requests(method: string): string[] {
  return heard.filter((text) => text.startsWith(`${method} `));
}

/** Lets time pass for the timers, and for the network too. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a call whose connection was lost is hung up over a new one", async () => {
  const carrier = await harness.open({ port, transport: "TCP" });
  const dial = createDial();
  await carrier.dial(dial, signal);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await harness.until(() => requests("ACK").length === 1);
  connections[0]?.destroy();
  await carrier.hangUp(providerCallId);
  await harness.until(() => requests("BYE").length > 0);
  expect(connections).toHaveLength(2);
});

test("a connection on which the trunk falls silent is left for a new one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const carrier = await harness.open({ port, transport: "TCP" });
  await pass(26_000);
  const [first] = connections;
  if (first) dead.add(first);
  // The next OPTIONS, and the time for its answer.
  await pass(60_000);
  const dialled = carrier.dial(createDial(), signal);
  await pass(9_000);
  expect(await dialled).toMatchObject({ kind: "ACCEPTED" });
  expect(requests("INVITE")).toHaveLength(1);
});
