import { parentPort, workerData } from "node:worker_threads";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import { SileroBatch } from "#src/audio/vad/silero-batch.ts";
import { openSileroProcess } from "#src/audio/vad/silero-process.ts";
import { SileroVad } from "#src/audio/vad/silero-vad.ts";
import { raiseThread } from "#src/platform/kernel/thread-priority.ts";
import { MediaWorker } from "./media-worker.ts";
import type { FromWorker, MediaThreadData, ToWorker } from "./messages.ts";
import { PortTransport } from "./port-transport.ts";
import { isSocketOrder, RtpSockets } from "./rtp-sockets.ts";
import { ThreadRest } from "./thread-rest.ts";

/* The entry of the media thread. */
if (!parentPort) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
// A frame is due every 20 ms, whatever the other threads and the database have to do.
raiseThread();
// Audio is transferred and not copied: copies soon make the collector stop the thread (bench/media).
const notify = (message: FromWorker) =>
  port.postMessage(message, message.kind === "EVENTS" ? [message.audio.buffer] : []);
const sockets = new RtpSockets(notify);
const { vadModel, rest } = workerData as MediaThreadData;
const silero = vadModel === null ? null : openSilero(vadModel);
const worker = new MediaWorker(
  notify,
  {
    openTransport: (source, events) =>
      source.kind === "PORT" ? new PortTransport(source.port, events) : sockets.connect(source, events),
    countForeign: () => sockets.foreignPackets,
    openVad: () => (silero?.isOn ? new SileroVad(silero) : new EnergyVad()),
  },
  new ThreadRest(rest),
);
port.on("message", (order: ToWorker) => (isSocketOrder(order) ? sockets.take(order) : worker.take(order)));
port.postMessage({ kind: "READY" } satisfies FromWorker);

function openSilero(modelPath: string): SileroBatch {
  return new SileroBatch(openSileroProcess(modelPath), (error) => notify({ kind: "VAD_LOST", fault: error.message }));
}
