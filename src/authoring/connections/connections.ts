import type { Database, Executor } from "#src/platform/db/database.ts";
import { checkUrlField, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { assertHeaderAllowed, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { keepsStored, MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { type Connection, type ConnectionChange, type ConnectionInput } from "./connection-fields.ts";
import { assertAddresses, readBaseUrl, readCustom } from "./connection-rules.ts";
import { apiOriginsOf, KNOWN_PROVIDERS, type Method, type ProviderName, providerOf, toHeader } from "./providers.ts";
import { openClientSecret, openTokens, sealClientSecret, sealTokens, type Tokens } from "./secrets.ts";
import {
  connect,
  type ConnectionContent,
  type ConnectionRow,
  deleteConnection,
  disconnect,
  dropSignIns,
  findConnection,
  listConnections,
  lockConnection,
  saveConnection,
} from "./store.ts";
import { type OAuthClient, revokeTokens } from "./token-endpoint.ts";

/** Dependencies for checking and sealing a connection. */
export interface ConnectionParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Dependencies of what asks a provider. */
export interface ProviderParts extends ConnectionParts {
  safeFetch: SafeFetch;
  log: Log;
}

/** A workspace's connections, oldest first. */
export async function getConnections(db: Executor, workspaceId: string): Promise<Connection[]> {
  return (await listConnections(db, workspaceId)).map(toConnection);
}

/** One connection; 404 when there is none. */
export async function getConnection(db: Executor, workspaceId: string, id: string): Promise<Connection> {
  const row = await findConnection(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toConnection(row);
}

/** Makes a connection. One of method API_KEY is connected at once; nothing is sent to the provider. */
export async function createConnection(
  tx: Executor,
  parts: ConnectionParts,
  workspaceId: string,
  input: ConnectionInput,
  by: string,
): Promise<Connection> {
  const { name, provider, method = "OAUTH" } = input;
  if (provider !== "CUSTOM" && !KNOWN_PROVIDERS[provider].methods.includes(method)) {
    throw fieldError("method", "NOT_ALLOWED", `is not for ${KNOWN_PROVIDERS[provider].title}, which has no such keys.`);
  }
  const id = uuidv7();
  const before = { provider, method, name, client_id: null, client_secret: null, base_url: null, custom: null };
  const content = readContent(parts, workspaceId, id, input, { ...before, scopes: [] });
  assertSecret("clientSecret", input.clientSecret);
  const row = await saveConnection(tx, workspaceId, id, content);
  return toConnection(await storeKey(tx, parts, row, input, by));
}

/**
 * Merges the sent fields into a connection. A change of an address, or of the app's id, ends the sign-in and needs the
 * secret again: whoever makes the change may be unable to read what would be sent elsewhere.
 */
export async function changeConnection(
  tx: Executor,
  parts: ConnectionParts,
  { workspaceId, id, ifUpdatedAt }: { workspaceId: string; id: string; ifUpdatedAt?: string | undefined },
  input: ConnectionChange,
  by: string,
): Promise<Connection> {
  const before = await lockConnection(tx, workspaceId, id);
  if (!before) throw new AppError("NOT_FOUND");
  assertUnchanged(before.updated_at, ifUpdatedAt);
  for (const field of ["provider", "method"] as const) {
    const isOther = input[field] !== undefined && input[field] !== before[field];
    if (isOther) throw fieldError(field, "IMMUTABLE", "cannot be changed. Make another connection.");
  }
  const content = readContent(parts, workspaceId, before.id, input, before);
  const isElsewhere = addressesOf(content) !== addressesOf(before);
  if (isElsewhere || content.client_id !== before.client_id) {
    const [field, stored] =
      before.method === "API_KEY"
        ? (["apiKey", before.tokens] as const)
        : (["clientSecret", before.client_secret] as const);
    if (stored !== null && keepsStored(input[field])) {
      throw fieldError(field, "REQUIRED", "is required again when an address or the app changes.");
    }
    await disconnect(tx, workspaceId, before.id);
  }
  // A code that is under way belongs to the addresses of before.
  await dropSignIns(tx, workspaceId, before.id);
  const row = await saveConnection(tx, workspaceId, before.id, content);
  return toConnection(await storeKey(tx, parts, row, input, by));
}

function addressesOf({ base_url: baseUrl, custom }: Pick<ConnectionContent, "base_url" | "custom">): string {
  const { authorizationUrl, tokenUrl, revocationUrl, apiOrigins, keyHeader } = custom ?? {};
  return JSON.stringify(
    [baseUrl, authorizationUrl, tokenUrl, revocationUrl, apiOrigins, keyHeader].map((one) => one ?? null),
  );
}

function readContent(
  { guard, box }: ConnectionParts,
  workspaceId: string,
  id: string,
  input: ConnectionChange,
  before: ConnectionContent,
): ConnectionContent {
  const { provider, method } = before;
  const custom = input.custom === undefined ? before.custom : input.custom && readCustom(input.custom);
  const baseUrl = input.baseUrl === undefined ? before.base_url : readBaseUrl(input.baseUrl);
  const clientId = input.clientId === undefined ? before.client_id : input.clientId;
  assertAddresses((field, url) => checkUrlField(guard, field, "NOT_ALLOWED", url), {
    provider,
    method,
    baseUrl,
    custom,
  });
  if (method === "OAUTH" && clientId === null) throw fieldError("clientId", "REQUIRED", "is required for OAUTH.");
  assertSecret("clientSecret", input.clientSecret, before.client_secret);
  const secret = keepsStored(input.clientSecret) ? before.client_secret : input.clientSecret;
  return {
    provider,
    method,
    name: input.name ?? before.name,
    client_id: clientId,
    client_secret: typeof secret === "string" ? sealClientSecret(box, workspaceId, id, secret) : (secret ?? null),
    base_url: baseUrl,
    custom,
    scopes: input.scopes ?? before.scopes,
  };
}

function assertSecret(field: string, sent: string | null | undefined, stored: Buffer | null = null): void {
  if (sent === MASK && stored === null) throw fieldError(field, "MASKED", "is the mask, but nothing is stored.");
}

/** Stores the key of a connection of method API_KEY as it was sent; without one the stored key stays. */
async function storeKey(
  tx: Executor,
  { box }: ConnectionParts,
  row: ConnectionRow,
  { apiKey }: ConnectionChange,
  by: string,
): Promise<ConnectionRow> {
  if (row.method === "OAUTH") {
    if (apiKey) throw fieldError("apiKey", "METHOD", "is for connections of method API_KEY.");
    return row;
  }
  assertSecret("apiKey", apiKey, row.tokens);
  if (!apiKey && row.tokens === null) throw fieldError("apiKey", "REQUIRED", "is required for API_KEY.");
  if (apiKey === null) throw fieldError("apiKey", "REQUIRED", "cannot be cleared. Delete the connection.");
  if (keepsStored(apiKey)) return row;
  try {
    assertHeaderAllowed(...toHeader(row, row.method, apiKey));
  } catch {
    throw fieldError("apiKey", "FORMAT", "cannot be sent in that header.");
  }
  const sealed = sealTokens(box, row.workspace_id, row.id, { accessToken: apiKey, refreshToken: null });
  const tokens = { sealed, expiresInSeconds: null };
  const none = { grantedScopes: null, instanceOrigin: null, by };
  return (await connect(tx, row.workspace_id, row.id, tokens, none)) as ConnectionRow;
}

/**
 * Deletes a connection, then has the provider revoke what it granted. Returns whether the provider did so; null when
 * there was nothing to revoke, or it has no way to. Tools that name the connection fail from then on.
 */
export async function removeConnection(
  { db }: Database,
  { box, safeFetch, log }: ProviderParts,
  workspaceId: string,
  id: string,
): Promise<boolean | null> {
  const row = await deleteConnection(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  const opened = row.method === "OAUTH" ? openOrWarn(box, log, row) : null;
  if (!opened?.tokens) return null;
  const revoked = await revokeTokens(safeFetch, opened.client, opened.tokens);
  if (revoked === false) log.warn("A provider did not revoke the tokens of a deleted connection.", { workspaceId, id });
  return revoked;
}

function openOrWarn(
  box: SecretBox,
  log: Log,
  row: ConnectionRow,
): { client: OAuthClient; tokens: Tokens | null } | null {
  try {
    return { client: openClient(box, row), tokens: openTokens(box, row) };
  } catch {
    log.warn("The sealed tokens of a deleted connection cannot be read, so they are not revoked.", { id: row.id });
    return null;
  }
}

/** Returns the OAuth client of a connection, with its secret open. */
export function openClient(box: SecretBox, row: ConnectionRow): OAuthClient {
  return {
    provider: providerOf(row),
    clientId: row.client_id ?? "",
    clientSecret: openClientSecret(box, row),
    authentication: row.custom?.clientAuthentication ?? "POST",
  };
}

/** The parts of a connection that a tool, or a tool pack, must fit. */
export interface ToolTarget {
  row: ConnectionRow;
  provider: ProviderName;
  method: Method;
  /** Servers that get its token. */
  origins: readonly string[];
  /** Header that the service sets, in lower case. */
  header: string;
}

/** Returns what a tool with this connection must fit; undefined when the workspace has no such connection. */
export async function findToolTarget(db: Executor, workspaceId: string, id: string): Promise<ToolTarget | undefined> {
  const row = await findConnection(db, workspaceId, id);
  return row && toTarget(row);
}

/** Does the same under a lock, so that two changes that follow wait for each other; 404 when there is none. */
export async function lockToolTarget(tx: Executor, workspaceId: string, id: string): Promise<ToolTarget | undefined> {
  const row = await lockConnection(tx, workspaceId, id);
  return row && toTarget(row);
}

function toTarget(row: ConnectionRow): ToolTarget {
  const [header] = toHeader(row, row.method, "");
  return { row, provider: row.provider, method: row.method, origins: apiOriginsOf(row), header };
}

/** Returns a connection as it is read. */
export function toConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    method: row.method,
    state: row.state,
    clientId: row.client_id,
    clientSecret: row.client_secret && MASK,
    scopes: row.scopes,
    grantedScopes: row.granted_scopes,
    apiKey: row.method === "API_KEY" && row.tokens !== null ? MASK : null,
    baseUrl: row.base_url,
    custom: row.custom,
    apiOrigins: [...apiOriginsOf(row)],
    connectedBy: row.connected_by,
    connectedAt: row.connected_at?.toISOString() ?? null,
    refreshedAt: row.refreshed_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    failure: row.failure,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
