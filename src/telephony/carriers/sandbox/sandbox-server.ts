import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TransferOrder } from "#src/audio/line/line.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { ChaosOptions } from "./chaos.ts";
import { EventPoster } from "./event-poster.ts";
import { SandboxExchange } from "./exchange.ts";
import { ledgerFiles } from "./ledger.ts";
import { readJson, readNumberFrom, readText, sendJson, toDialRequest, WireError } from "./sandbox-wire.ts";

export interface ServeOptions {
  host?: string;
  /** 0: any free port. */
  port: number;
  ledgerPath: string;
  chaos?: ChaosOptions;
  /** See `ExchangeOptions`. */
  isUnforgiving?: boolean;
  /** Default true: a ring is on the disk before the dial is answered. */
  fsync?: boolean;
  log?: Log;
}

/** Signals of one call: `stop` ends the work in progress, `wake` ends a wait for speech. */
interface LineWork {
  stop: AbortController;
  wake: AbortController;
}

/** Dependencies of a request handler. */
interface Served {
  exchange: SandboxExchange;
  ledgerPath: string;
  atWork: Map<string, LineWork>;
}

/**
 * Serves an exchange over HTTP, for tests in which the service dies and the telephone network does not. Dials return a
 * DialResult, look-ups a LookUpResult; events are posted to each dial's eventsUrl until they are accepted.
 */
export async function serveSandboxExchange(options: ServeOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { host = "127.0.0.1", port, ledgerPath, chaos, isUnforgiving, fsync = true, log } = options;
  const poster = new EventPoster();
  const deliver = poster.post.bind(poster);
  const exchange = await SandboxExchange.open({ deliver, ledgerPath, fsync, chaos, isUnforgiving, log });
  const served: Served = { exchange, ledgerPath, atWork: new Map() };
  // Longer than any client keeps an idle connection: a dial on a connection that is just being closed would have to
  // count as uncertain.
  const server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 30_000 }, (request, response) => {
    void answer(served, request, response, log);
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await exchange.close();
      poster.close();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

async function answer(served: Served, request: IncomingMessage, response: ServerResponse, log?: Log): Promise<void> {
  try {
    await route(served, request, response);
  } catch (thrown) {
    const error = thrown instanceof WireError ? thrown : new WireError(500, "INTERNAL", toError(thrown).message);
    if (error.status === 500) log?.error("A sandbox request failed.", { error: error.message });
    // The unread rest of the body would be parsed as the next request.
    if (!request.complete) response.setHeader("connection", "close");
    sendJson(response, error.status, { error: { code: error.code, message: error.message } });
  }
}

async function route(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://exchange");
  const [room = "", id = "", action = "", ...rest] = pathname.split("/").slice(1).map(decode);
  const what = `${request.method} ${room}`;
  if (rest.length === 0 && what === "POST calls" && id === "") return dial(served, request, response);
  if (rest.length === 0 && what === "POST calls") return useLine(served, id, action, request, response);
  if (what === "GET attempts" && id !== "" && action === "")
    return sendJson(response, 200, await served.exchange.lookUp(id));
  if (what === "GET ledger" && id === "") return sendLedger(served.ledgerPath, response);
  throw new WireError(404, "NOT_FOUND", `There is no ${request.method} ${pathname}.`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new WireError(400, "INVALID_PATH", "The path cannot be read.");
  }
}

async function dial(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await served.exchange.dial(toDialRequest(await readJson(request)));
  if (answer.kind === "REPLY") return sendJson(response, 200, answer.result);
  if (answer.kind === "ERROR") throw new WireError(500, "INTERNAL", "The call was accepted, and then something broke.");
  // NOTHING: the connection stays open and silent until the caller gives up.
}

async function useLine(
  served: Served,
  callId: string,
  action: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const { exchange, atWork } = served;
  if (action === "stop" || action === "wake") {
    atWork.get(callId)?.[action].abort();
    return sendJson(response, 200, {});
  }
  if (action === "hang-up") {
    await exchange.hangUp(callId);
    return sendJson(response, 200, {});
  }
  const line = exchange.lineOf(callId);
  const work: LineWork = { stop: new AbortController(), wake: new AbortController() };
  response.once("close", () => work.stop.abort());
  atWork.set(callId, work);
  try {
    const result = await lineWork(line, action, body, work);
    sendJson(response, 200, { result, elapsedMs: line.elapsedMs() });
  } finally {
    if (atWork.get(callId) === work) atWork.delete(callId);
  }
}

async function lineWork(
  line: ReturnType<SandboxExchange["lineOf"]>,
  action: string,
  body: Record<string, unknown>,
  { stop: { signal }, wake }: LineWork,
): Promise<unknown> {
  if (action === "say") return line.say(readText(body, "text", 0), signal);
  if (action === "listen") {
    return line.listen(readNumberFrom(body, "timeoutMs", 0), signal, body.wakes === true ? wake.signal : undefined);
  }
  if (action === "transfer") return line.transfer?.(body.order as TransferOrder, signal);
  if (action === "digits") return line.sendDigits(readText(body, "digits"), signal).then(() => null);
  throw new WireError(404, "NOT_FOUND", `A call has no ${action}.`);
}

async function sendLedger(path: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  for (const file of ledgerFiles(path)) {
    try {
      for await (const chunk of createReadStream(file)) {
        if (!response.write(chunk))
          await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
        if (response.destroyed) return;
      }
    } catch (error) {
      // Only a rotated ledger has an older file.
      if (codeOf(error) !== "ENOENT") return void response.destroy(toError(error));
    }
  }
  response.end();
}
