import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Time in which a client may still send the body of an answered request: enough to read the answer and stop. */
export const GRACE_MS = 2_000;
/** Each window of this length must bring so many bytes of a streamed body: 1 KiB a second. */
const RATE_WINDOW_MS = 30_000;
const RATE_BYTES = 30 * 1024;

/**
 * Ends the connection of a request that was answered before its body arrived, unless the rest follows soon: a client
 * that sends it drop by drop would otherwise hold the socket for ever.
 */
export function boundUnreadBody(response: ServerResponse, graceMs = GRACE_MS): void {
  response.once("finish", function stopReading(this: ServerResponse) {
    const { req: request } = this;
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(
      () =>
        afterReading(() => {
          // A request that was destroyed meanwhile has no socket any more.
          if (!request.complete) (request.socket as Socket | null)?.destroy();
        }),
      graceMs,
    );
    timer.unref();
  });
}

/** Ends the connection of a body that arrives too slowly or not at all, until it is complete. */
export function demandRate(request: IncomingMessage, windowMs = RATE_WINDOW_MS, bytes = RATE_BYTES): void {
  let before = request.socket.bytesRead;
  const check = () => {
    if (request.complete || request.destroyed) return clearInterval(timer);
    const { bytesRead } = request.socket;
    // A slow reader holds the sender back, which is not to blame.
    if (bytesRead - before < bytes && !request.isPaused() && request.readableLength === 0) request.destroy();
    before = bytesRead;
  };
  const timer = setInterval(() => afterReading(check), windowMs);
  timer.unref();
  request.once("close", () => clearInterval(timer));
}

/**
 * Calls a function once what the sockets already hold has been read. Timers that ran out while the process stood still
 * fire before anything is read, and bytes that came in time would count as missing.
 */
function afterReading(check: () => void): void {
  setImmediate(check);
}
