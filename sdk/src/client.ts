import { CallHistory, Calls } from "./calls.ts";
import { Chats } from "./chats.ts";
import { type Clock, systemClock } from "./clock.ts";
import {
  apiKeyCredential,
  type Credential,
  missingCredential,
  OAuthCredential,
  type TokenAnswer,
} from "./credential.ts";
import { DoNotCall } from "./do-not-call.ts";
import { Flows, PhoneNumbers, StructuredOutputs } from "./flows.ts";
import { Jobs } from "./jobs.ts";
import { OptOutReviews } from "./opt-out-reviews.ts";
import { Simulations } from "./simulations.ts";
import { type RateLimit, type RetryNotice, Transport } from "./transport.ts";
import type { Warning } from "./types.ts";
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
  /** Milliseconds for each attempt of a request. Default 30,000. */
  timeoutMs?: number;
  /** Default 2. */
  maxRetries?: number;
  /** Called before a request waits to be sent again. */
  onRetry?: (notice: RetryNotice) => void;
  /**
   * Called for each member of a sent body that the server does not know, a misspelt one for example; it had no effect.
   */
  onWarning?: (warning: Warning) => void;
}

/** A client of the Parley API. Safe to share; holds no connection that needs closing. */
export class Parley {
  readonly calls: Calls;
  readonly callHistory: CallHistory;
  readonly chats: Chats;
  readonly jobs: Jobs;
  readonly flows: Flows;
  readonly phoneNumbers: PhoneNumbers;
  readonly structuredOutputs: StructuredOutputs;
  readonly simulations: Simulations;
  readonly doNotCall: DoNotCall;
  readonly optOutReviews: OptOutReviews;
  /** Checks for receivers of webhooks; needs no server. */
  readonly webhooks: typeof webhooks = webhooks;
  readonly #transport: Transport;

  constructor(options: ParleyOptions = {}, clock: Clock = systemClock) {
    this.#transport = new Transport({
      baseUrl: options.baseUrl ?? environment("PARLEY_URL") ?? "http://127.0.0.1:8080",
      fetch: options.fetch ?? globalThis.fetch,
      timeoutMs: options.timeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 2,
      clock,
      onRetry: options.onRetry,
      onWarning: options.onWarning,
    });
    this.#transport.present(chooseCredential(options, this.#transport, clock));
    this.calls = new Calls(this.#transport);
    this.callHistory = new CallHistory(this.#transport);
    this.chats = new Chats(this.#transport);
    this.jobs = new Jobs(this.#transport);
    this.flows = new Flows(this.#transport);
    this.phoneNumbers = new PhoneNumbers(this.#transport);
    this.structuredOutputs = new StructuredOutputs(this.#transport);
    this.simulations = new Simulations(this.#transport);
    this.doNotCall = new DoNotCall(this.#transport);
    this.optOutReviews = new OptOutReviews(this.#transport);
  }

  /** The caller's bucket as of the last answer; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }
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
export { Pages } from "./pages.ts";
export type { CallWatchOptions } from "./calls.ts";
export type { CsvSource, JobWaitOptions } from "./jobs.ts";
export { isEndedSimulation, type SimulationWaitOptions } from "./simulations.ts";
export type { RateLimit, RetryNotice } from "./transport.ts";
export type * from "./calling-window.ts";
export type * from "./chat-types.ts";
export type * from "./do-not-call-types.ts";
export type { DoNotCallFilters } from "./do-not-call.ts";
export type * from "./flow-types.ts";
export type * from "./job-types.ts";
export type * from "./opt-out-review-types.ts";
export type { OptOutReviewFilters } from "./opt-out-reviews.ts";
export type * from "./output-types.ts";
export type * from "./rehearsal-types.ts";
export type * from "./simulation-types.ts";
export type * from "./types.ts";
export { type CallEvent, isEndedJob, isEndedRow } from "./watch.ts";
export type * from "./webhook-types.ts";
export type { RawBody, VerifyOptions, WebhookAuth, WebhookDelivery, WebhookHeaders } from "./webhooks.ts";
