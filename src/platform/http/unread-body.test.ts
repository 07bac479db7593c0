import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { boundUnreadBody, demandRate } from "./unread-body.ts";

/** Starts a server with one listener, and a client that has sent the head of a large body. */
async function start(listener: RequestListener): Promise<{ client: Socket; stop: () => void }> {
  const server = createServer({ requestTimeout: 0 }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
  return { client, stop: () => server.close() };
}

/** Waits for the end of a connection; a server that gives up on a body may reset it. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

function drip(client: Socket): void {
  const timer = setInterval(() => client.write("x"), 10);
  client.once("close", () => clearInterval(timer));
}

test("a client that drips its body after the answer loses the connection", async () => {
  const { client, stop } = await start((_request, response) => {
    boundUnreadBody(response, 50);
    response.writeHead(401, { "content-length": "2" }).end("no");
  });
  const [answer] = (await once(client, "data")) as [Buffer];
  expect(answer.toString()).toContain("401");
  drip(client);
  await closed(client);
  stop();
});

test("one whose body ends soon keeps it", async () => {
  const { client, stop } = await start((request, response) => {
    boundUnreadBody(response, 200);
    response.writeHead(401, { "content-length": "2" }).end("no");
    request.once("end", () => setTimeout(() => client.end("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 300));
  });
  let answers = "";
  client.setEncoding("utf8").on("data", (chunk: string) => (answers += chunk));
  client.write("x".repeat(100_000));
  await closed(client);
  expect(answers.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
  stop();
});

test("a process that stands still longer than the grace takes what came meanwhile as in time", async () => {
  const { client, stop } = await start((_request, response) => {
    boundUnreadBody(response, 50);
    response.writeHead(401, { "content-length": "2" }).end("no");
  });
  client.setEncoding("utf8");
  await once(client, "data");
  client.write(`${"x".repeat(100_000)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  standStill(200);
  let answers = "";
  client.on("data", (chunk: string) => (answers += chunk));
  await closed(client);
  expect(answers).toContain("HTTP/1.1 401");
  stop();
});

test("nor does it end a body that comes at its rate", async () => {
  let complete = false;
  const { client, stop } = await start((request, response) => {
    demandRate(request, 100, 1_000);
    request.on("error", () => undefined).resume();
    request.once("end", () => {
      ({ complete } = request);
      response.end("done", () => client.end());
    });
    setImmediate(() => {
      client.write("x".repeat(100_000));
      standStill(150);
    });
  });
  client.resume();
  await closed(client);
  expect(complete).toBe(true);
  stop();
});

/** Keeps this process from everything else, as a pause of its machine does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each([
  ["drips", false],
  ["comes at once", true],
])("a body that is read as it comes must come at a rate: one that %s", async (_how, isComplete) => {
  let complete = false;
  const { client, stop } = await start((request, response) => {
    demandRate(request, 100, 1_000);
    request.on("error", () => undefined).resume();
    request.once("end", () => {
      ({ complete } = request);
      // Longer than several windows, in which nothing more has to come.
      setTimeout(() => response.end("done", () => client.end()), 500);
    });
  });
  client.resume();
  if (isComplete) client.write("x".repeat(100_000));
  else drip(client);
  await closed(client);
  expect(complete).toBe(isComplete);
  stop();
});
