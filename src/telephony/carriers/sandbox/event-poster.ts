import http from "node:http";
import https from "node:https";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";

const TIMEOUT_MS = 10_000;

/**
 * Posts events to the URL of their dial; the events of one call are posted one after the other. A post rejects unless
 * it was answered 2xx, which makes the exchange send the event again.
 */
export class EventPoster {
  readonly #agents = {
    "http:": new http.Agent({ keepAlive: true, maxSockets: 64 }),
    "https:": new https.Agent({ keepAlive: true, maxSockets: 64 }),
  };
  /** The last post of each call that has a post in progress. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Posts an event; resolves when the receiver has accepted it. */
  async post(event: CarrierEvent, eventsUrl: string): Promise<void> {
    const before = this.#last.get(event.providerCallId);
    const posting = (before ?? Promise.resolve()).then(() => this.#send(event, new URL(eventsUrl)));
    const settled = posting.catch(() => undefined);
    this.#last.set(event.providerCallId, settled);
    await posting.finally(() => {
      if (this.#last.get(event.providerCallId) === settled) this.#last.delete(event.providerCallId);
    });
  }

  /** Closes the connections. */
  close(): void {
    this.#agents["http:"].destroy();
    this.#agents["https:"].destroy();
  }

  #send(event: CarrierEvent, url: URL): Promise<void> {
    const body = JSON.stringify(event);
    const isSecure = url.protocol === "https:";
    const options = {
      method: "POST",
      agent: isSecure ? this.#agents["https:"] : this.#agents["http:"],
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request(url, options, (response) => {
        response.resume();
        response.once("error", reject);
        response.once("end", () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve();
          else reject(new Error(`The receiver of events answered ${status}.`));
        });
      });
      request.once("error", reject);
      request.end(body);
    });
  }
}
