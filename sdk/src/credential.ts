import type { Clock } from "./clock.ts";
import { ParleyError } from "./errors.ts";

/** Credential of a request. */
export interface Credential {
  /** Returns the headers that authenticate the caller. */
  headers(signal?: AbortSignal): Promise<Record<string, string>>;
  /** Reports that the server refused these headers; true when another call of `headers` may return better ones. */
  refused(headers: Record<string, string>): boolean;
}

/** A workspace's API key. An empty one counts as missing, and a placeholder with other characters than a key's is told. */
export function apiKeyCredential(apiKey: string): Credential {
  if (apiKey === "") return missingCredential();
  if (!/^[!-~]+$/.test(apiKey)) {
    return failing("The API key has characters that no key has: is it a placeholder, such as svc_live_…?");
  }
  return {
    headers: () => Promise.resolve({ "X-API-Key": apiKey }),
    refused: () => false,
  };
}

/** Stands for a missing key: every request fails before it is sent, and the message says what to do. */
export function missingCredential(): Credential {
  return failing("No credential. Set PARLEY_API_KEY, or pass apiKey, or clientId and clientSecret.");
}

function failing(message: string): Credential {
  return { headers: () => Promise.reject(new ParleyError(message)), refused: () => false };
}

/** Fields of the token endpoint's answer that are used. */
export interface TokenAnswer {
  access_token: string;
  /** Seconds. */
  expires_in: number;
}

/** A token is renewed this long before it ends, so that none ends on the way. */
const RENEW_EARLY_MS = 60_000;

/**
 * OAuth client credentials (RFC 6749, section 4.4). Keeps the token until a minute before its end (half its
 * life for shorter ones); requests that need one at the same time share one call of `fetchToken`.
 */
export class OAuthCredential implements Credential {
  readonly #fetchToken: () => Promise<TokenAnswer>;
  readonly #clock: Clock;
  #token: string | undefined;
  #renewAtMs = 0;
  #pending: Promise<string> | undefined;

  constructor(fetchToken: () => Promise<TokenAnswer>, clock: Clock) {
    this.#fetchToken = fetchToken;
    this.#clock = clock;
  }

  /** Returns the bearer header, with a new token when the kept one is about to end. */
  async headers(): Promise<Record<string, string>> {
    const fresh = this.#token !== undefined && this.#clock.nowMs() < this.#renewAtMs;
    const token = fresh ? this.#token : await this.#renew();
    return { Authorization: `Bearer ${token}` };
  }

  /** Forgets a token that the server refused (revoked, or its database restored), unless a newer one is kept. */
  refused(headers: Record<string, string>): boolean {
    if (headers.Authorization === `Bearer ${this.#token}`) this.#token = undefined;
    return true;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #fetch(): Promise<string> {
    const answer = await this.#fetchToken();
    const lifetimeMs = answer.expires_in * 1000;
    this.#renewAtMs = this.#clock.nowMs() + lifetimeMs - Math.min(RENEW_EARLY_MS, lifetimeMs / 2);
    this.#token = answer.access_token;
    return answer.access_token;
  }
}
