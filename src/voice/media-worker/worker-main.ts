import { parentPort, workerData } from "node:worker_threads";
import { MediaWorker } from "./media-worker.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { PortTransport } from "./port-transport.ts";
import { isSocketOrder, RtpSockets } from "./rtp-sockets.ts";
import { ThreadRest } from "./thread-rest.ts";

/* The entry of the media thread. */
if (!parentPort) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
// Sound is handed over and not copied: what is copied soon makes the collector stop the thread (bench/media).
const tell = (message: FromWorker) => port.postMessage(message, message.kind === "NEWS" ? [message.audio.buffer] : []);
const sockets = new RtpSockets(tell);
const worker = new MediaWorker(
  tell,
  (source, events) =>
    source.kind === "PORT" ? new PortTransport(source.port, events) : sockets.connect(source, events),
  new ThreadRest(workerData as SharedArrayBuffer),
);
port.on("message", (order: ToWorker) => (isSocketOrder(order) ? sockets.take(order) : worker.take(order)));
port.postMessage({ kind: "READY" } satisfies FromWorker);
