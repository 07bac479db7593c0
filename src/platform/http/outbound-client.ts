import type * as Undici from "undici";

let loaded: Promise<typeof Undici> | undefined;

/**
 * Loads undici, which sends requests to others: a tenth of a start, in which none is sent. A server loads it once it is
 * ready, so that no request waits for that.
 */
export function loadOutboundClient(): Promise<typeof Undici> {
  return (loaded ??= import("undici"));
}

/** Returns a handler that passes everything of a request on to `handler`; a caller replaces what it wants to see. */
export function passOn(handler: Undici.Dispatcher.DispatchHandler): Undici.Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart: (controller, status, headers, text) =>
      handler.onResponseStart?.(controller, status, headers, text),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
