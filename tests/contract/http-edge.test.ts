import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const BIG = "Content-Length: 100000000";

function open(...lines: string[]): Socket {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.setEncoding("utf8").write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

/** Waits for the end of a connection; a server that gives up on a body may reset it. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** All that comes until the server ends the connection; the client goes on dripping its body. */
async function dripUntilClosed(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: string) => (text += chunk));
  const timer = setInterval(() => socket.write("x"), 200);
  socket.once("close", () => clearInterval(timer));
  await closed(socket);
  return text;
}

describe("an early answer bounds the body that was not read", () => {
  const path = "/api/external/v1/tools";
  const key = () => `X-API-Key: ${world.sample.apiKey}`;
  const cases: [number, string, () => string[]][] = [
    [401, "no credential", () => [`POST ${path} HTTP/1.1`, "Host: x", BIG]],
    [404, "an unknown path", () => ["POST /nowhere HTTP/1.1", "Host: x", BIG, key()]],
    [405, "a method that is not taken", () => [`PATCH ${path} HTTP/1.1`, "Host: x", BIG, key()]],
    [413, "too much", () => [`POST ${path} HTTP/1.1`, "Host: x", BIG, key(), "Content-Type: application/json"]],
    [415, "another type", () => [`POST ${path} HTTP/1.1`, "Host: x", BIG, key(), "Content-Type: text/plain"]],
    [200, "a body that nobody asked for", () => [`GET ${path} HTTP/1.1`, "Host: x", BIG, key()]],
    [501, "a method that is not known", () => [`PROPFIND ${path} HTTP/1.1`, "Host: x", BIG, key()]],
  ];
  test.each(cases)("%i: %s", async (status, _name, lines) => {
    expect(await dripUntilClosed(open(...lines()))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe("Expect: 100-continue", () => {
  const head = (...more: string[]) =>
    open("POST /api/external/v1/outbound/calls HTTP/1.1", "Host: x", "Expect: 100-continue", ...more);
  const json = "Content-Type: application/json";
  const key = () => `X-API-Key: ${world.sample.apiKey}`;

  test("is not granted to who shows no credential, nor for a body that is too large", async () => {
    const cases: [number, string[]][] = [
      [401, ["Content-Length: 1000", json]],
      [413, ["Content-Length: 2000000", json, key()]],
      [415, ["Content-Length: 1000", "Content-Type: text/plain", key()]],
      [415, ["Content-Length: 1000", "Content-Encoding: br", json, key()]],
    ];
    for (const [status, more] of cases) {
      const socket = head(...more);
      let text = "";
      socket.on("data", (chunk: string) => (text += chunk));
      await closed(socket);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text.toLowerCase()).toContain("connection: close");
    }
    const csv = open(
      "POST /api/external/v1/call-jobs HTTP/1.1",
      "Host: x",
      "Expect: 100-continue",
      key(),
      "Content-Type: text/csv",
      `Content-Length: ${4 * 1024 ** 3}`,
    );
    expect(((await once(csv, "data")) as string[])[0]).toMatch(/^HTTP\/1\.1 413 /);
    csv.destroy();
  });

  test("is granted before a body that will be read", async () => {
    const body = JSON.stringify({ customerNumber: "+12025550101" });
    const socket = head(`Content-Length: ${body.length}`, json, key(), "Connection: close");
    expect(((await once(socket, "data")) as string[])[0]).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    let text = "";
    socket.on("data", (chunk: string) => (text += chunk));
    socket.write(body);
    await closed(socket);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test("a content coding is refused with what is taken instead", async () => {
  const headers = { "content-encoding": "gzip" };
  const refused = await world.request("POST", "/tools", { raw: "{}", headers });
  expect([refused.status, refused.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  for (const type of ["application/json; charset=UTF-8", 'application/json;charset="utf-8"']) {
    const taken = await world.request("POST", "/flows", { body: { name: "x" }, headers: { "content-type": type } });
    expect([type, taken.status]).toEqual([type, 200]);
  }
});

test("OPTIONS of the server says what it takes; a path without its id is told so, not taken for the list", async () => {
  const socket = open("OPTIONS * HTTP/1.1", "Host: x", "Connection: close");
  expect(((await once(socket, "data")) as string[])[0]).toMatch(/\r\nallow: .*POST/i);
  const { status, body } = await world.request("GET", "/flows/");
  expect([status, body.message]).toEqual([400, expect.stringContaining("flowId")]);
});

test("Retry-After is the time to the next token, not to a full bucket", async () => {
  const rateLimit = { capacity: 10, refill: 1, periodSeconds: 5 };
  const { apiKey } = await world.createWorkspace({ rateLimit });
  const replies = await Promise.all(Array.from({ length: 11 }, () => world.request("GET", "/flows", { key: apiKey })));
  const refused = replies.find(({ status }) => status === 429);
  const seconds = Number(refused?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(5);
  expect(Number(refused?.headers.get("x-ratelimit-reset"))).toBeGreaterThan(5);
});
