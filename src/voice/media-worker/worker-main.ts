import { parentPort } from "node:worker_threads";
import { MediaWorker } from "./media-worker.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { PortTransport } from "./port-transport.ts";

/* The entry of the media thread. */
if (!parentPort) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const worker = new MediaWorker(
  (message: FromWorker) => port.postMessage(message),
  (source, events) => {
    if (source.kind === "PORT") return new PortTransport(source.port, events);
    throw new Error("The socket of this call is not open.");
  },
);
port.on("message", (order: ToWorker) => worker.take(order));
port.postMessage({ kind: "READY" } satisfies FromWorker);
