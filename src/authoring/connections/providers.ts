/** Providers that a connection may name; CUSTOM is any server that speaks OAuth 2.0 or takes a key. */
export const PROVIDERS = ["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Kinds of access to a provider. */
export const METHODS = ["OAUTH", "API_KEY"] as const;
export type Method = (typeof METHODS)[number];

/** Servers and rules of a provider, as its public documents name them. */
export interface Provider {
  title: string;
  methods: readonly Method[];
  authorizationUrl: string;
  tokenUrl: string;
  /** RFC 7009; null where the provider has none. */
  revocationUrl: string | null;
  /** Origins to which its tokens may be sent; empty where the token's answer names it. */
  apiOrigins: readonly string[];
  /** Asked for when a connection names no scopes. */
  scopes: readonly string[];
  scopeSeparator: " " | ",";
  /** Further parameters of the authorization request. */
  parameters: Readonly<Record<string, string>>;
  usesPkce: boolean;
}

const common = { methods: METHODS, revocationUrl: null, scopeSeparator: " ", parameters: {}, usesPkce: true } as const;

/** Providers whose addresses are known. */
export const KNOWN_PROVIDERS: Readonly<Record<Exclude<ProviderName, "CUSTOM">, Provider>> = {
  GOOGLE: {
    ...common,
    title: "Google",
    methods: ["OAUTH"],
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    revocationUrl: "https://oauth2.googleapis.com/revoke",
    apiOrigins: ["https://www.googleapis.com", "https://sheets.googleapis.com"],
    scopes: [
      "https://www.googleapis.com/auth/calendar.events",
      "https://www.googleapis.com/auth/calendar.freebusy",
      "https://www.googleapis.com/auth/spreadsheets",
    ],
    // Without both, Google gives no refresh token, or only at the first consent.
    parameters: { access_type: "offline", prompt: "consent" },
  },
  CAL_COM: {
    ...common,
    title: "Cal.com",
    authorizationUrl: "https://app.cal.com/auth/oauth2/authorize",
    tokenUrl: "https://api.cal.com/v2/auth/oauth2/token",
    apiOrigins: ["https://api.cal.com"],
    scopes: ["BOOKING_READ", "BOOKING_WRITE"],
  },
  HUBSPOT: {
    ...common,
    title: "HubSpot",
    authorizationUrl: "https://app.hubspot.com/oauth/authorize",
    tokenUrl: "https://api.hubapi.com/oauth/2026-03/token",
    revocationUrl: "https://api.hubapi.com/oauth/2026-03/token/revoke",
    apiOrigins: ["https://api.hubapi.com"],
    scopes: ["crm.objects.contacts.read", "crm.objects.contacts.write", "crm.objects.deals.write"],
  },
  SALESFORCE: {
    ...common,
    title: "Salesforce",
    methods: ["OAUTH"],
    authorizationUrl: "https://login.salesforce.com/services/oauth2/authorize",
    tokenUrl: "https://login.salesforce.com/services/oauth2/token",
    revocationUrl: "https://login.salesforce.com/services/oauth2/revoke",
    apiOrigins: [],
    scopes: ["api", "refresh_token"],
  },
  SLACK: {
    ...common,
    title: "Slack",
    authorizationUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    revocationUrl: "https://slack.com/api/auth.revoke",
    apiOrigins: ["https://slack.com"],
    scopes: ["chat:write"],
    scopeSeparator: ",",
    // Slack takes a code challenge only from apps that are public clients, which have no bot token.
    usesPkce: false,
  },
};

/** Addresses and header of a CUSTOM provider, as they are stored. */
export interface CustomProvider {
  authorizationUrl?: string | null;
  tokenUrl?: string | null;
  revocationUrl?: string | null;
  apiOrigins: string[];
  clientAuthentication?: "POST" | "BASIC" | null;
  keyHeader?: string | null;
  keyPrefix?: string | null;
}

/** The parts of a connection that decide to which servers its secrets are sent. */
export interface Target {
  provider: ProviderName;
  base_url: string | null;
  custom: CustomProvider | null;
  instance_origin: string | null;
}

/** Returns the servers and rules of a connection's provider, at its base address where it has one. */
export function providerOf({ provider, base_url: baseUrl, custom }: Target): Provider {
  if (provider === "CUSTOM") {
    const { authorizationUrl, tokenUrl, revocationUrl = null, apiOrigins = [] } = custom ?? {};
    const addresses = { authorizationUrl: authorizationUrl ?? "", tokenUrl: tokenUrl ?? "", revocationUrl, apiOrigins };
    return { ...common, ...addresses, title: "The provider", scopes: [] };
  }
  const known = KNOWN_PROVIDERS[provider];
  if (baseUrl === null) return known;
  return {
    ...known,
    authorizationUrl: moveTo(baseUrl, known.authorizationUrl),
    tokenUrl: moveTo(baseUrl, known.tokenUrl),
    revocationUrl: known.revocationUrl && moveTo(baseUrl, known.revocationUrl),
    apiOrigins: known.apiOrigins.length > 0 ? [baseUrl] : [],
  };
}

/** Returns the origins to which a connection's token may be sent; none before Salesforce named the organisation's. */
export function apiOriginsOf(target: Target): readonly string[] {
  return target.instance_origin === null ? providerOf(target).apiOrigins : [target.instance_origin];
}

/**
 * Returns a request's address at the servers of a connection: those of the provider's documents are replaced where the
 * connection has its own. Templates in it stay.
 */
export function moveToConnection(target: Target, url: string): string {
  const origin = target.instance_origin ?? target.base_url;
  return origin === null ? url : moveTo(origin, url);
}

function moveTo(origin: string, url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, origin);
}

/** True for an origin that Salesforce may name as an organisation's. */
export function isSalesforceOrigin(origin: string, baseUrl: string | null): boolean {
  return origin === baseUrl || /^https:\/\/([a-z0-9-]+\.)+(salesforce\.com|force\.com|salesforce\.mil)$/i.test(origin);
}

/** Returns the header that carries a connection's token. */
export function toHeader({ custom }: Pick<Target, "custom">, method: Method, token: string): [string, string] {
  if (method === "OAUTH") return ["authorization", `Bearer ${token}`];
  const name = custom?.keyHeader ?? "Authorization";
  const prefix = custom?.keyPrefix ?? (custom?.keyHeader ? "" : "Bearer ");
  return [name.toLowerCase(), prefix + token];
}

/** Errors by which Slack, whose answers always have status 200, refuses a token. */
const SLACK_REFUSALS = new Set(["invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive"]);

/** True when an answer says that the token is not accepted. */
export function refusesToken({ provider }: Pick<Target, "provider">, status: number, body: Buffer): boolean {
  if (status === 401) return true;
  return provider === "SLACK" && SLACK_REFUSALS.has(readFailure({ provider }, body) ?? "");
}

/** Returns the error in an answer of status 200, which Slack gives instead of another status; null for none. */
export function readFailure({ provider }: Pick<Target, "provider">, body: Buffer): string | null {
  if (provider !== "SLACK") return null;
  try {
    const { ok, error } = JSON.parse(body.toString("utf8")) as { ok?: unknown; error?: unknown };
    return ok === false ? String(error) : null;
  } catch {
    return null;
  }
}
