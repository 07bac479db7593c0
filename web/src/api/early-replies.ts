/** Milliseconds after which an unused reply is dropped, because it may be outdated. */
const KEPT_MS = 10_000;

const replies = new Map<string, Promise<Response>>();
let firstAskMs: number | undefined;

/** Requests a URL before the code that needs it has loaded; the first reader of that URL gets this reply. */
export function askEarly(url: string): Promise<Response> {
  firstAskMs ??= performance.now();
  const reply = fetch(url, { credentials: "same-origin", headers: { accept: "application/json" } });
  // The reader handles a failure; without a reader it does not matter.
  reply.catch(() => undefined);
  replies.set(url, reply);
  setTimeout(() => replies.delete(url), KEPT_MS);
  return reply;
}

/** Returns the early reply once; undefined when there is none. */
export function takeEarlyReply(url: string): Promise<Response> | undefined {
  const reply = replies.get(url);
  replies.delete(url);
  return reply;
}

/** Returns the time of the first early request, once. Undefined after that, or when there was none. */
export function takeFirstAskMs(): number | undefined {
  const ms = firstAskMs;
  firstAskMs = undefined;
  return ms;
}
