import { Readable } from "node:stream";
import type { OutboundRequest, SafeOpen } from "./safe-fetch.ts";

/** The part of the standard fetch that libraries use: an address and the request's content. */
export type WebFetch = typeof globalThis.fetch;

const BODYLESS = new Set([101, 204, 205, 304]);

/**
 * Creates a guarded fetch with the standard's interface, for libraries that take a `fetch` from their caller: same
 * guard, same deadline, no redirects, and the answer's body as it arrives.
 */
export function createWebFetch(open: SafeOpen, timeoutMs: number): WebFetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const reply = await open(url, {
      method: (init.method ?? "GET").toUpperCase() as OutboundRequest["method"],
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body === undefined || init.body === null ? {} : { body: await readBody(init.body) }),
      timeoutMs,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    if (BODYLESS.has(reply.status)) {
      reply.close();
      return new Response(null, { status: reply.status, headers: reply.headers });
    }
    const body = Readable.toWeb(Readable.from(reply.body, { objectMode: false }));
    return new Response(body as ReadableStream, { status: reply.status, headers: reply.headers });
  };
}

async function readBody(body: NonNullable<RequestInit["body"]>): Promise<string | Buffer> {
  return typeof body === "string" ? body : Buffer.from(await new Response(body).arrayBuffer());
}
