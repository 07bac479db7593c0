import { type Clock, systemClock } from "./clock.ts";
import {
  apiKeyCredential,
  type Credential,
  missingCredential,
  OAuthCredential,
  type TokenAnswer,
} from "./credential.ts";
import { ParleyError } from "./errors.ts";
import type { Warning } from "./generated/shapes.ts";
import { Resources } from "./resources.ts";
import { DEFAULT_URL, type RateLimit, type RetryNotice, Transport } from "./transport.ts";
import { delivery, verify } from "./webhooks.ts";

/** Settings of the client. An API key takes precedence over client credentials. */
export interface ParleyOptions {
  /** Origin of the server. Default: PARLEY_URL, then http://127.0.0.1:8080. */
  baseUrl?: string;
  /** Default: PARLEY_API_KEY. */
  apiKey?: string;
  clientId?: string;
  clientSecret?: string;
  fetch?: typeof fetch;
  /** Milliseconds for each attempt of a request but an upload, which has its own option alone. Default 30,000. */
  timeoutMs?: number;
  /** Default 2. */
  maxRetries?: number;
  /** Called before a request waits to be sent again. */
  onRetry?: (notice: RetryNotice) => void;
  /**
   * Called for each member of a sent body that the server does not know, a misspelt one for example; it had no effect.
   * Default: console.warn.
   */
  onWarning?: (warning: Warning) => void;
}

/** A client of the Parley API. Safe to share; holds no connection that needs closing. */
export class Parley extends Resources {
  /** Checks for receivers of webhooks; needs no server. */
  readonly webhooks: typeof webhooks = webhooks;
  readonly #transport: Transport;

  constructor(options: ParleyOptions = {}, clock: Clock = systemClock) {
    const transport = new Transport({
      baseUrl: toBase(options.baseUrl ?? environment("PARLEY_URL") ?? DEFAULT_URL),
      // Called without the options as its receiver, which browsers refuse.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 2,
      clock,
      onRetry: options.onRetry,
      onWarning: options.onWarning ?? printWarning,
    });
    super(transport);
    this.#transport = transport;
    transport.present(chooseCredential(options, transport, clock));
  }

  /** The caller's bucket as of the last answer; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }
}

/** Returns the base of every path. The address of the API, as the server prints it, means the same server. */
function toBase(given: string): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new ParleyError(`baseUrl must be an address such as https://parley.example.com, not ${given}.`);
  }
  return given.replace(/\/+$/, "").replace(/\/api\/external\/v1$/, "");
}

function printWarning({ path, message }: Warning): void {
  // oxlint-disable-next-line no-console -- A misspelt member must not be lost in silence.
  console.warn(`Parley: ${path}: ${message}`);
}

/** Checks of incoming webhooks. */
export const webhooks = { verify, delivery };

function chooseCredential(options: ParleyOptions, transport: Transport, clock: Clock): Credential {
  if (options.apiKey !== undefined) return apiKeyCredential(options.apiKey);
  const { clientId, clientSecret } = options;
  if (clientId !== undefined && clientSecret !== undefined) {
    return new OAuthCredential(() => fetchToken(transport, clientId, clientSecret), clock);
  }
  const apiKey = environment("PARLEY_API_KEY");
  return apiKey === undefined ? missingCredential() : apiKeyCredential(apiKey);
}

function fetchToken(transport: Transport, clientId: string, clientSecret: string): Promise<TokenAnswer> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  return transport.request({
    method: "POST",
    path: "/api/oauth/token",
    raw: { contentType: "application/x-www-form-urlencoded", content: form.toString() },
    authenticated: false,
  });
}

/** Returns an environment variable; undefined in browsers, which have no environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

export { systemClock, type Clock } from "./clock.ts";
export * from "./errors.ts";
export { type Page, type PageOf, Pages } from "./pages.ts";
export type { CallWaitOptions } from "./calls.ts";
export type { FollowOptions } from "./chats.ts";
export type { CsvSource, JobWaitOptions } from "./jobs.ts";
export type { RequestOptions } from "./resource.ts";
export type { SimulationWaitOptions } from "./simulations.ts";
export type { ChatEvent, ChatState } from "./server-sent-events.ts";
export type { RateLimit, RetryNotice } from "./transport.ts";
export type * from "./generated/shapes.ts";
export type * from "./types.ts";
export { type CallEvent, isEndedJob, isEndedRow, isEndedSimulation, type WatchOptions } from "./watch.ts";
export type * from "./webhook-types.ts";
export type { RawBody, VerifyOptions, WebhookAuth, WebhookDelivery, WebhookHeaders } from "./webhooks.ts";
