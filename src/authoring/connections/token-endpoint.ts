import * as oauth from "oauth4webapi";
import { OutboundError, type OutboundReply, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { Provider } from "./providers.ts";
import type { Tokens } from "./secrets.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
const MAX_SHOWN_CHARACTERS = 300;

/** The client of a provider's OAuth endpoints: the workspace's own app. */
export interface OAuthClient {
  provider: Provider;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  authentication: "POST" | "BASIC";
}

/** Tokens that a provider granted. */
export interface Granted {
  kind: "GRANTED";
  tokens: Tokens;
  expiresInSeconds: number | null;
  /** Null: those that were asked for. */
  scopes: string[] | null;
  /** The member `instance_url`, as it came. */
  instanceUrl: string | null;
}

/** Answer of a token endpoint. UNAVAILABLE: it did not decide, so a later try may succeed. */
export type TokenAnswer = Granted | { kind: "REFUSED"; reason: string } | { kind: "UNAVAILABLE" };

/** Parameters with which a provider sent the browser back, and the sign-in that they belong to. */
export interface CodeGrant {
  code: string;
  /** Issuer that the provider named (RFC 9207), if any. */
  issuer: string | undefined;
  verifier: string;
  redirectUri: string;
}

/** Exchanges an authorization code for tokens. */
export function exchangeCode(safeFetch: SafeFetch, client: OAuthClient, grant: CodeGrant): Promise<TokenAnswer> {
  const server = toServer(client.provider, grant.issuer);
  const parameters = new URLSearchParams({ code: grant.code });
  if (grant.issuer !== undefined) parameters.set("iss", grant.issuer);
  return ask(client.provider, safeFetch, async (options) => {
    const sent = oauth.validateAuthResponse(server, toClient(client), parameters, oauth.expectNoState);
    const verifier = client.provider.usesPkce ? grant.verifier : oauth.nopkce;
    const authentication = authenticate(client);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      toClient(client),
      authentication,
      sent,
      grant.redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, toClient(client), response);
  });
}

/** Exchanges a refresh token for new tokens. The former refresh token stays where the provider gives no new one. */
export async function refreshTokens(
  safeFetch: SafeFetch,
  client: OAuthClient,
  refreshToken: string,
): Promise<TokenAnswer> {
  const server = toServer(client.provider);
  const answer = await ask(client.provider, safeFetch, async (options) => {
    const authentication = authenticate(client);
    const response = await oauth.refreshTokenGrantRequest(
      server,
      toClient(client),
      authentication,
      refreshToken,
      options,
    );
    return oauth.processRefreshTokenResponse(server, toClient(client), response);
  });
  if (answer.kind !== "GRANTED" || answer.tokens.refreshToken !== null) return answer;
  return { ...answer, tokens: { ...answer.tokens, refreshToken } };
}

/** Has the provider forget a grant; false when it did not say so, null when it has no such endpoint. */
export async function revokeTokens(
  safeFetch: SafeFetch,
  client: OAuthClient,
  { accessToken, refreshToken }: Tokens,
): Promise<boolean | null> {
  if (!client.provider.revocationUrl) return null;
  // Slack knows only access tokens there; elsewhere the refresh token ends the whole grant.
  const token = client.provider.usesPkce ? (refreshToken ?? accessToken) : accessToken;
  try {
    const server = toServer(client.provider);
    const options = toOptions(client.provider, safeFetch, () => undefined);
    const response = await oauth.revocationRequest(server, toClient(client), authenticate(client), token, options);
    return response.ok;
  } catch {
    return false;
  }
}

type Options = oauth.TokenEndpointRequestOptions;

async function ask(
  provider: Provider,
  safeFetch: SafeFetch,
  request: (options: Options) => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenAnswer> {
  let reply: OutboundReply | undefined;
  const options = toOptions(provider, safeFetch, (came) => (reply = came));
  try {
    return toGranted(await request(options), provider);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      return isPassing(error.status, error.error) ? { kind: "UNAVAILABLE" } : refused(error.error);
    }
    if (reply === undefined && !(error instanceof OutboundError)) throw error;
    const isRefusal = reply !== undefined && reply.status >= 400 && !isPassing(reply.status, "");
    return isRefusal ? refused(`status ${reply?.status}`) : { kind: "UNAVAILABLE" };
  }
}

/** Errors of RFC 6749 and RFC 8628, and those that Slack gives with status 200, of a server that cannot answer now. */
const PASSING = new Set(
  (
    "temporarily_unavailable server_error slow_down rate_limited ratelimited " +
    "internal_error fatal_error service_unavailable request_timeout team_added_to_org"
  ).split(" "),
);

/** True for an answer that says nothing about the grant itself. */
function isPassing(status: number, error: string): boolean {
  return PASSING.has(error) || status >= 500 || status === 408 || status === 429;
}

function refused(reason: string): TokenAnswer {
  return { kind: "REFUSED", reason: reason.replaceAll(/[^\x20-\x7e]/g, " ").slice(0, MAX_SHOWN_CHARACTERS) };
}

function toGranted(answer: oauth.TokenEndpointResponse, { scopeSeparator }: Provider): Granted {
  const { access_token: accessToken, refresh_token: refreshToken = null, expires_in: expires, scope } = answer;
  const instanceUrl = typeof answer.instance_url === "string" ? answer.instance_url : null;
  return {
    kind: "GRANTED",
    tokens: { accessToken, refreshToken },
    expiresInSeconds: expires ?? null,
    scopes: typeof scope === "string" ? scope.split(scopeSeparator).filter(Boolean) : null,
    instanceUrl,
  };
}

/**
 * Returns the server as the library takes it. Its issuer is the one that it named; `assertIssuer` has compared that with
 * the authorization endpoint.
 */
function toServer({ authorizationUrl, tokenUrl, revocationUrl }: Provider, issuer?: string): oauth.AuthorizationServer {
  const revocation = revocationUrl ? { revocation_endpoint: revocationUrl } : {};
  return { issuer: issuer ?? new URL(authorizationUrl).origin, token_endpoint: tokenUrl, ...revocation };
}

function toClient({ clientId }: OAuthClient): oauth.Client {
  return { client_id: clientId };
}

function authenticate({ clientSecret, authentication }: OAuthClient): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None();
  return authentication === "BASIC" ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

function toOptions({ tokenUrl }: Provider, safeFetch: SafeFetch, onReply: (reply: OutboundReply) => void): Options {
  return {
    // The addresses of a connection allow plain http for this machine alone.
    [oauth.allowInsecureRequests]: tokenUrl.startsWith("http:"),
    [oauth.customFetch]: async (
      url: string,
      { method, headers, body }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
    ) => {
      const reply = await safeFetch(url, {
        method,
        headers,
        body: String(body),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_ANSWER_BYTES,
      });
      onReply(reply);
      return toResponse(reply);
    },
  };
}

/**
 * Returns the answer in the form of RFC 6749: some providers give errors with status 200, Slack gives its own token
 * types, and an ID token is of no use here.
 */
function toResponse({ status, body }: OutboundReply): Response {
  const headers = { "content-type": "application/json" };
  let answer: Record<string, unknown>;
  try {
    answer = JSON.parse(body.toString("utf8")) as Record<string, unknown>;
  } catch {
    return new Response(body.toString("utf8"), { status });
  }
  const { id_token: _, ...rest } = answer;
  const isFailure = status === 200 && typeof rest.error === "string" && rest.access_token === undefined;
  if (rest.token_type === undefined || rest.token_type === "bot" || rest.token_type === "user") {
    rest.token_type = "bearer";
  }
  return new Response(JSON.stringify(rest), { status: isFailure ? 400 : status, headers });
}
