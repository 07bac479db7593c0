import type { IncomingMessage, ServerResponse } from "node:http";

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Keeps a request whose client sends its body only once it is told to (RFC 9110, 10.1.1). */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** Tells the client of such a request to send its body: now it is known who sends it, where to, and how much. */
export function askForBody(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  response.writeContinue();
}

/** True while the client of a request still waits to be told to send its body. */
export function isHeld(request: IncomingMessage): boolean {
  return waiting.has(request);
}
