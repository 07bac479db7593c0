type Json = Record<string, unknown>;
type Answer = [status: number, body: Json];

/** Vendors that the server of the tests can be. */
export type Vendor = "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK";

/** Tokens that a grant gives. */
export interface GrantedTokens {
  accessToken: string;
  refreshToken: string | null;
  scope: string;
  origin: string;
}

/** Rules of a vendor's OAuth endpoints, as its public documents say. */
export interface OAuthRules {
  authorizePath: string;
  tokenPath: string;
  revokePath: string | null;
  /** True where the vendor checks a code challenge. */
  usesPkce: boolean;
  /** True where each refresh replaces the refresh token. */
  rotates: boolean;
  /** True when this authorization request asks for a refresh token. */
  isOffline: (query: URLSearchParams) => boolean;
  /** Seconds; null where the answer does not say. */
  expiresIn: number | null;
  grant: (tokens: GrantedTokens, expiresIn: number | null) => Json;
  refuse: (error: string) => Answer;
}

const plain = { usesPkce: true, rotates: false, isOffline: () => true } as const;
const refuse = (error: string): Answer => [error === "invalid_client" ? 401 : 400, { error, error_description: "No." }];
const base = ({ accessToken, refreshToken }: GrantedTokens, expiresIn: number | null): Json => ({
  access_token: accessToken,
  ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
  ...(expiresIn === null ? {} : { expires_in: expiresIn }),
});

/** OAuth endpoints of each vendor. */
export const OAUTH_RULES: Record<Vendor, OAuthRules> = {
  // developers.google.com/identity/protocols/oauth2/web-server
  GOOGLE: {
    ...plain,
    authorizePath: "/o/oauth2/v2/auth",
    tokenPath: "/token",
    revokePath: "/revoke",
    expiresIn: 3_599,
    isOffline: (query) => query.get("access_type") === "offline" && query.get("prompt") === "consent",
    grant: (tokens, expiresIn) => ({ ...base(tokens, expiresIn), scope: tokens.scope, token_type: "Bearer" }),
    refuse,
  },
  // cal.com/docs/api-reference/v2/oauth
  CAL_COM: {
    ...plain,
    authorizePath: "/auth/oauth2/authorize",
    tokenPath: "/v2/auth/oauth2/token",
    revokePath: null,
    rotates: true,
    expiresIn: 1_800,
    grant: (tokens, expiresIn) => ({ ...base(tokens, expiresIn), scope: tokens.scope, token_type: "bearer" }),
    refuse,
  },
  // developers.hubspot.com/docs/api-reference/latest/authentication/oauth-tokens
  HUBSPOT: {
    ...plain,
    authorizePath: "/oauth/authorize",
    tokenPath: "/oauth/2026-03/token",
    revokePath: "/oauth/2026-03/token/revoke",
    expiresIn: 1_800,
    grant: (tokens, expiresIn) => ({ ...base(tokens, expiresIn), token_type: "bearer", hub_id: 1 }),
    refuse,
  },
  // help.salesforce.com: OAuth 2.0 Web Server Flow; the answer has no expires_in
  SALESFORCE: {
    ...plain,
    authorizePath: "/services/oauth2/authorize",
    tokenPath: "/services/oauth2/token",
    revokePath: "/services/oauth2/revoke",
    expiresIn: null,
    isOffline: (query) => (query.get("scope") ?? "").split(" ").includes("refresh_token"),
    grant: (tokens, expiresIn) => ({
      ...base(tokens, expiresIn),
      instance_url: tokens.origin,
      issued_at: "1700000000000",
      scope: tokens.scope,
      token_type: "Bearer",
      id_token: "not.a.token",
    }),
    refuse,
  },
  // docs.slack.dev/reference/methods/oauth.v2.access; errors have status 200, bot tokens do not end
  SLACK: {
    ...plain,
    authorizePath: "/oauth/v2/authorize",
    tokenPath: "/api/oauth.v2.access",
    revokePath: "/api/auth.revoke",
    usesPkce: false,
    expiresIn: null,
    isOffline: () => false,
    grant: (tokens, expiresIn) => ({
      ok: true,
      ...base(tokens, expiresIn),
      token_type: "bot",
      scope: tokens.scope,
      team: { id: "T1", name: "Team" },
    }),
    refuse: (error) => [200, { ok: false, error: error === "invalid_grant" ? "invalid_code" : error }],
  },
};
