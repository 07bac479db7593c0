/** A reply that nobody took by then is dropped: what it tells may no longer be so. */
const KEPT_MS = 10_000;

const replies = new Map<string, Promise<Response>>();
let firstAskMs: number | undefined;

/** Asks for something before whoever needs it has loaded; the first reader of the same URL is given this reply. */
export function askEarly(url: string): Promise<Response> {
  firstAskMs ??= performance.now();
  const reply = fetch(url, { credentials: "same-origin", headers: { accept: "application/json" } });
  // Its reader hears of a failure; without one nobody needs to.
  reply.catch(() => undefined);
  replies.set(url, reply);
  setTimeout(() => replies.delete(url), KEPT_MS);
  return reply;
}

/** The reply that was asked for early, once; undefined when there is none. */
export function takeEarlyReply(url: string): Promise<Response> | undefined {
  const reply = replies.get(url);
  replies.delete(url);
  return reply;
}

/** When the first of them was asked for, told once; undefined when that was told, or nothing was asked for. */
export function takeFirstAskMs(): number | undefined {
  const ms = firstAskMs;
  firstAskMs = undefined;
  return ms;
}
