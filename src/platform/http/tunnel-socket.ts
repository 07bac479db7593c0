import { type IncomingMessage, request as startHttp } from "node:http";
import { request as startHttps } from "node:https";
import type { Duplex } from "node:stream";
import { type FarNode, NODE_HEADER } from "#src/platform/kernel/node-identity.ts";
import { refuseSocket } from "./web-socket.ts";

const OPENS_WITHIN_MS = 4_000;
/** Time for the last bytes to leave once the other side has closed. */
const FAREWELL_MS = 1_000;

/**
 * Passes a WebSocket to another node: the handshake as it came, then the bytes of both directions unread. The client
 * gets that node's answer to the handshake, 404 when `find` has no node, and 503 when the node cannot be reached.
 */
export function tunnelSocket(
  request: IncomingMessage,
  raw: Duplex,
  head: Buffer,
  find: () => Promise<FarNode | null>,
): void {
  // A client that breaks off meanwhile ends in "close".
  raw.on("error", () => undefined);
  request.socket.setTimeout(0);
  find().then(
    (node) => (node ? connect(request, raw, head, node) : refuseSocket(raw, 404)),
    () => refuseSocket(raw, 503),
  );
}

function connect(request: IncomingMessage, raw: Duplex, head: Buffer, { id, address }: FarNode): void {
  const start = address.startsWith("https:") ? startHttps : startHttp;
  const headers = { ...request.headers, [NODE_HEADER]: id };
  const asked = start(address + (request.url ?? ""), { headers, agent: false });
  const late = setTimeout(() => asked.destroy(new Error("The node did not answer in time.")), OPENS_WITHIN_MS);
  const giveUp = () => asked.destroy();
  raw.once("close", giveUp);
  asked.once("upgrade", (answer, far, farHead) => {
    clearTimeout(late);
    raw.off("close", giveUp);
    raw.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(answer)}\r\n`);
    raw.write(farHead);
    far.setNoDelay(true);
    far.write(head);
    join(raw, far);
  });
  asked.once("response", (answer) => {
    clearTimeout(late);
    answer.destroy();
    refuseSocket(raw, answer.statusCode === 404 ? 404 : 503);
  });
  asked.once("error", () => {
    clearTimeout(late);
    refuseSocket(raw, 503);
  });
  asked.end();
}

function linesOf({ rawHeaders }: IncomingMessage): string {
  let lines = "";
  for (let i = 0; i < rawHeaders.length; i += 2) lines += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return lines;
}

/** Joins two connections. When one ends, the other gets what is still on its way, and ends as well. */
function join(raw: Duplex, far: Duplex): void {
  far.on("error", () => undefined);
  raw.pipe(far);
  far.pipe(raw);
  raw.once("close", () => endSoon(far));
  far.once("close", () => endSoon(raw));
}

function endSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}
