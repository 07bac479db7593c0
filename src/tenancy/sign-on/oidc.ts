import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from "openid-client";
import type { OutboundRequest, SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { afterSignOutUrlOf, isOnThisMachine, openClientSecret, redirectUrlOf } from "./identity-providers.ts";
import type { ProviderRow } from "./store.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_048_576;
/** Time for which a provider's metadata and keys are kept. */
const KEPT_MS = 600_000;
const BODYLESS = new Set([101, 204, 205, 304]);

/** Dependencies for requests to providers. */
export interface OidcParts {
  safeFetch: SafeFetch;
  box: SecretBox;
  publicUrl: string;
}

/** Secrets of one sign-in, all made from what its browser alone holds. */
export interface SignOnSecrets {
  state: string;
  nonce: string;
  /** Proves the request for the token (PKCE, RFC 7636). */
  verifier: string;
}

/** Checked content of a provider's answer. */
export interface Answer {
  claims: Record<string, unknown>;
  /** Address that ends the provider's session; null where it has none. */
  signOutUrl: string | null;
}

/** Client of all identity providers, by OpenID Connect. */
export class OidcClient {
  readonly #parts: OidcParts;
  readonly #known = new Map<string, { version: string; until: number; config: Promise<Configuration> }>();

  constructor(parts: OidcParts) {
    this.#parts = parts;
  }

  /** Returns the address at the provider with which a sign-in begins. */
  async begin(provider: ProviderRow, { state, nonce, verifier }: SignOnSecrets): Promise<string> {
    const config = await this.#configOf(provider);
    const url = buildAuthorizationUrl(config, {
      redirect_uri: redirectUrlOf(this.#parts.publicUrl, provider.key),
      scope: [...new Set(["openid", "email", "profile", ...provider.scopes])].join(" "),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return url.href;
  }

  /**
   * Exchanges the code of an answer, and checks the ID token: signature, issuer, audience, times, nonce. Claims that it
   * lacks are read from the userinfo endpoint, which must name the same subject. Throws for everything else.
   */
  async finish(provider: ProviderRow, { state, nonce, verifier }: SignOnSecrets, query: string): Promise<Answer> {
    const config = await this.#configOf(provider);
    const url = new URL(redirectUrlOf(this.#parts.publicUrl, provider.key));
    url.search = query;
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(config, url, checks);
    const claims = tokens.claims();
    if (!claims) throw new Error("The answer has no ID token.");
    const isWhole = claims.email !== undefined && claims[provider.group_claim] !== undefined;
    const canAsk = config.serverMetadata().userinfo_endpoint !== undefined;
    const more = isWhole || !canAsk ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub);
    return { claims: { ...more, ...claims }, signOutUrl: this.#signOutUrlOf(config, tokens.id_token) };
  }

  /** Reads a provider's metadata anew. Throws when it cannot be read, or names another issuer. */
  async probe(provider: ProviderRow): Promise<ServerMetadata> {
    this.#known.delete(provider.id);
    return (await this.#configOf(provider)).serverMetadata();
  }

  #signOutUrlOf(config: Configuration, idToken: string | undefined): string | null {
    if (config.serverMetadata().end_session_endpoint === undefined || idToken === undefined) return null;
    const after = afterSignOutUrlOf(this.#parts.publicUrl);
    return buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: after }).href;
  }

  #configOf(provider: ProviderRow): Promise<Configuration> {
    const version = provider.updated_at.toISOString();
    const known = this.#known.get(provider.id);
    if (known && known.version === version && known.until > performance.now()) return known.config;
    const config = this.#discover(provider);
    this.#known.set(provider.id, { version, until: performance.now() + KEPT_MS, config });
    config.catch(() => this.#known.delete(provider.id));
    return config;
  }

  #discover(provider: ProviderRow): Promise<Configuration> {
    const { safeFetch, box } = this.#parts;
    const issuer = new URL(provider.issuer);
    const secret = openClientSecret(box, provider);
    const execute = [enableNonRepudiationChecks, ...(isOnThisMachine(issuer) ? [allowInsecureRequests] : [])];
    const auth = secret === undefined ? None() : authenticate(secret);
    return discovery(issuer, provider.client_id, undefined, auth, {
      execute,
      timeout: TIMEOUT_MS / 1_000,
      [customFetch]: toCustomFetch(safeFetch),
    });
  }
}

/** Authenticates as the metadata allow; by Basic, which is the default (OpenID Connect Discovery 1.0, 3). */
function authenticate(secret: string) {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (...given: Parameters<typeof basic>) => {
    const methods = given[0].token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (methods.includes("client_secret_basic") ? basic : post)(...given);
  };
}

/** Returns the guarded fetch as the library takes it. An answer that is too long is refused. */
function toCustomFetch(safeFetch: SafeFetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const reply = await safeFetch(url, {
      method: method as OutboundRequest["method"],
      headers,
      ...(body === undefined || body === null ? {} : { body: await new Response(body as string).text() }),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
      ...(signal ? { signal } : {}),
    });
    if (reply.truncated) throw new Error("The provider's answer is longer than 1 MiB.");
    const content = BODYLESS.has(reply.status) ? null : new Uint8Array(reply.body);
    return new Response(content, { status: reply.status, headers: reply.headers });
  };
}
