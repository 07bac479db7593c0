import type { IncomingMessage, ServerResponse } from "node:http";

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Holds a request whose client sends its body only after 100 Continue (RFC 9110, 10.1.1). */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** Sends 100 Continue for a held request, once its sender, route and length have been checked. */
export function askForBody(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  response.writeContinue();
}

/** True while the client of a request still waits for 100 Continue. */
export function isHeld(request: IncomingMessage): boolean {
  return waiting.has(request);
}
