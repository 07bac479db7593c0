import { parentPort } from "node:worker_threads";
import { MediaWorker } from "./media-worker.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { PortTransport } from "./port-transport.ts";
import { isSocketOrder, RtpSockets } from "./rtp-sockets.ts";

/* The entry of the media thread. */
if (!parentPort) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const tell = (message: FromWorker) => port.postMessage(message);
const sockets = new RtpSockets(tell);
const worker = new MediaWorker(tell, (source, events) =>
  source.kind === "PORT" ? new PortTransport(source.port, events) : sockets.connect(source, events),
);
port.on("message", (order: ToWorker) => (isSocketOrder(order) ? sockets.take(order) : worker.take(order)));
port.postMessage({ kind: "READY" } satisfies FromWorker);
