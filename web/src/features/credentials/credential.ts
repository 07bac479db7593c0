import { t } from "#web/i18n/t.ts";

/** An API key or OAuth client, without its secret. */
export interface Credential {
  id: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  name: string;
  clientId: string | null;
  secretLast4: string;
  permissions: string[];
  tokenLifetimeSeconds: number | null;
  expiresAt: string | null;
  /** Networks from which it is accepted; null: all. */
  allowedAddresses: string[] | null;
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
  revokedAt: string | null;
  createdAt: string;
}

/** A new credential with its secret, which is shown only once. */
export interface Minted {
  credential: Credential;
  apiKey?: string;
  clientId?: string;
  clientSecret?: string;
}

/** API path of the credentials. */
export const CREDENTIALS_PATH = "/credentials";

/** Permissions of a credential by area; each name is the API's own. */
export const PERMISSION_AREAS: { area: string; names: { name: string; label: string }[] }[] = [
  area(t`Outbound`, ["OUTBOUND_CALLS_TRIGGER", t`place calls`], ["OUTBOUND_CHATS_TRIGGER", t`start chats`]),
  area(t`Call jobs`, ["CALL_JOBS_READ", t`read`], ["CALL_JOBS_WRITE", t`write`]),
  area(t`Call history`, ["CALL_HISTORY_READ", t`read`]),
  area(t`Flows`, ["FLOWS_READ", t`read`], ["FLOWS_WRITE", t`write`]),
  area(t`Tools`, ["TOOLS_READ", t`read`], ["TOOLS_WRITE", t`write`]),
  area(t`Structured outputs`, ["STRUCTURED_OUTPUTS_READ", t`read`], ["STRUCTURED_OUTPUTS_WRITE", t`write`]),
  area(t`Agents and knowledge`, ["AGENTS_READ", t`read`], ["AGENTS_WRITE", t`write`]),
  area(t`Data stores`, ["DATA_STORES_READ", t`read`], ["DATA_STORES_WRITE", t`write`]),
  area(t`Phone numbers`, ["PHONE_NUMBERS_READ", t`read`], ["PHONE_NUMBERS_WRITE", t`write`]),
  area(t`Transcriptions`, ["TRANSCRIPTIONS_READ", t`read`], ["TRANSCRIPTIONS_WRITE", t`write`]),
  area(t`Reports and balance`, ["REPORTS_READ", t`reports`], ["BALANCE_READ", t`balance`]),
];

function area(name: string, ...names: [string, string][]) {
  return { area: name, names: names.map(([permission, label]) => ({ name: permission, label })) };
}

/** Every permission. */
export const ALL_PERMISSIONS = PERMISSION_AREAS.flatMap(({ names }) => names.map(({ name }) => name));

const WARNING_MS = 7 * 86_400_000;

/** State of a credential; REVOKED and EXPIRED ones are refused, and an EXPIRING one has a week at most. */
export function stateOf(
  { revokedAt, expiresAt }: Credential,
  nowMs = Date.now(),
): "ACTIVE" | "REVOKED" | "EXPIRED" | "EXPIRING" {
  if (revokedAt !== null) return "REVOKED";
  const leftMs = expiresAt === null ? Infinity : Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return "EXPIRED";
  return leftMs < WARNING_MS ? "EXPIRING" : "ACTIVE";
}

/** True for a credential that is accepted. */
export function isLive(credential: Credential): boolean {
  return ["ACTIVE", "EXPIRING"].includes(stateOf(credential));
}

/** Returns the networks that a person typed, one a line or with commas between; null for none, which means all. */
export function readNetworks(text: string): string[] | null {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  return networks.length === 0 ? null : networks;
}
