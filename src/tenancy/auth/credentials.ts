import { crc32 } from "node:zlib";
import type { Executor } from "#src/platform/db/database.ts";
import { KEY_PREFIX } from "#src/platform/http/admission.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { type LimitsInput, readLimits } from "./limits.ts";
import { expandPermissions, PERMISSIONS, type Permission } from "./permissions.ts";
import {
  type CredentialRow,
  findCredential,
  lockCredential,
  insertCredential,
  listBuckets,
  listCredentials,
  listPermitted,
  revokeCredential,
  setPermissions,
} from "./store.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CLIENT_PREFIX = "svc_client_";
/** Longest life of a token in seconds, 24 hours, whatever a client is set to. */
export const MAX_TOKEN_SECONDS = 86_400;

/** A key or client as it may be shown: never its secret. */
export interface CredentialInfo {
  id: string;
  workspaceId: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  name: string;
  clientId: string | null;
  secretLast4: string;
  permissions: string[];
  tokenLifetimeSeconds: number | null;
  expiresAt: string | null;
  /** Networks from which it is accepted; null: all. */
  allowedAddresses: string[] | null;
  /** Time of its last request, and the address that it came from. */
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
  revokedAt: string | null;
  createdAt: string;
}

/** Makes a workspace key. The key is only in the answer; the database stores its digest. */
export async function createKey(
  tx: Executor,
  workspaceId: string,
  input: { name?: string; permissions?: string[] } & LimitsInput,
): Promise<{ keyId: string; apiKey: string; permissions: Permission[]; expiresAt: string | null }> {
  const permissions = input.permissions ? readPermissions(input.permissions) : [...PERMISSIONS];
  const apiKey = mintKey();
  const limits = await readLimits(tx, workspaceId, input);
  const keyId = uuidv7();
  await insertCredential(tx, workspaceId, {
    id: keyId,
    kind: "API_KEY",
    name: input.name ?? "API key",
    clientId: null,
    secret: apiKey,
    permissions,
    tokenLifetimeSeconds: null,
    ...limits,
  });
  return { keyId, apiKey, permissions, expiresAt: limits.expiresAt?.toISOString() ?? null };
}

/** Makes an OAuth client. Without permissions it may only authenticate tool-task callbacks (Authentication 3). */
export async function createClient(
  tx: Executor,
  workspaceId: string,
  input: { name?: string; permissions?: string[]; tokenLifetimeSeconds?: number } & LimitsInput,
): Promise<{
  credentialId: string;
  clientId: string;
  clientSecret: string;
  permissions: Permission[];
  tokenLifetimeSeconds: number;
  expiresAt: string | null;
}> {
  const permissions = readPermissions(input.permissions ?? []);
  const clientId = CLIENT_PREFIX + randomText(24);
  const clientSecret = randomText(48);
  const tokenLifetimeSeconds = Math.min(input.tokenLifetimeSeconds ?? 3_600, MAX_TOKEN_SECONDS);
  const credentialId = uuidv7();
  const limits = await readLimits(tx, workspaceId, input);
  await insertCredential(tx, workspaceId, {
    id: credentialId,
    kind: "OAUTH_CLIENT",
    name: input.name ?? "OAuth client",
    clientId,
    secret: clientSecret,
    permissions,
    tokenLifetimeSeconds,
    ...limits,
  });
  const expiresAt = limits.expiresAt?.toISOString() ?? null;
  return { credentialId, clientId, clientSecret, permissions, tokenLifetimeSeconds, expiresAt };
}

/**
 * Replaces the permissions of a client (by client id) or key (by id); effective on its next request. Returns its
 * workspace, too.
 */
export async function changePermissions(
  tx: Executor,
  idOrClientId: string,
  names: string[],
): Promise<{ workspaceId: string; permissions: Permission[] }> {
  const permissions = readPermissions(names);
  const workspaceId = await setPermissions(tx, idOrClientId, permissions);
  if (workspaceId === undefined) throw new AppError("NOT_FOUND", "There is no such credential.");
  return { workspaceId, permissions };
}

/** Revokes a key (by id) or client (by client id); its tokens stop working on their next use. Returns its workspace's id. */
export async function revoke(tx: Executor, idOrClientId: string): Promise<string> {
  const workspaceId = await revokeCredential(tx, idOrClientId);
  if (workspaceId === undefined) throw new AppError("NOT_FOUND", "There is no such credential.");
  return workspaceId;
}

/** One key or client of a workspace by its id; 404 when there is none. */
export async function getCredential(tx: Executor, workspaceId: string, id: string): Promise<CredentialInfo> {
  const row = await findCredential(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such credential.");
  return toInfo(row);
}

/** Returns those of these whose key or client is valid and has the permission. */
export async function findPermittedCredentials<Asked extends { workspaceId: string; credentialId: string }>(
  tx: Executor,
  asked: Asked[],
  permission: Permission,
): Promise<Asked[]> {
  const rows = asked.length === 0 ? [] : await listPermitted(tx, asked, permission);
  const permitted = new Set(rows.map((row) => `${row.workspace_id}|${row.id}`));
  return asked.filter(({ workspaceId, credentialId }) => permitted.has(`${workspaceId}|${credentialId}`));
}

/** Returns one key or client, locked against changes until the transaction ends; 404 when there is none. */
export async function holdCredential(tx: Executor, workspaceId: string, id: string): Promise<CredentialInfo> {
  const row = await lockCredential(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such credential.");
  return toInfo(row);
}

/** The keys and clients of a workspace, newest first. */
export async function listAll(tx: Executor, workspaceId: string): Promise<CredentialInfo[]> {
  return (await listCredentials(tx, workspaceId)).map(toInfo);
}

/** Returns the current level of each live credential's bucket, without drawing from it. */
export async function readBuckets(tx: Executor, workspaceId: string) {
  return (await listBuckets(tx, workspaceId)).map(({ id, name, kind, capacity, level, per_second: perSecond }) => ({
    credentialId: id,
    name,
    kind,
    limit: Math.floor(capacity),
    remaining: Math.max(0, Math.floor(level)),
    resetSeconds: Math.ceil(Math.max(0, (capacity - level) / perSecond)),
  }));
}

function toInfo(row: CredentialRow): CredentialInfo {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    name: row.name,
    clientId: row.client_id,
    secretLast4: row.secret_last4,
    permissions: row.permissions,
    tokenLifetimeSeconds: row.token_lifetime_seconds,
    expiresAt: row.expires_at?.toISOString() ?? null,
    allowedAddresses: row.allowed_addresses,
    lastUsedAt: row.refilled_at > row.created_at ? row.refilled_at.toISOString() : null,
    lastUsedAddress: row.last_used_address,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

function readPermissions(names: string[]): Permission[] {
  const { permissions, unknown } = expandPermissions(names);
  if (unknown.length === 0) return permissions;
  const faults = unknown.map((name) => ({
    path: "permissions",
    code: "NOT_ALLOWED",
    message: `There is no permission ${name}.${askNearest(name, PERMISSIONS)}`,
  }));
  const messages = faults.map(({ message }) => message).join(" ");
  throw new AppError("VALIDATION_FAILED", `${messages} There are: ${PERMISSIONS.join(", ")}.`, faults);
}

function mintKey(): string {
  const body = randomText(30);
  return KEY_PREFIX + body + checksum(body);
}

/**
 * True when a key's checksum is right, so that a mistyped or invented key costs no database read. The checksum also
 * lets secret scanners distinguish a real key from a look-alike.
 */
export function isWellFormedKey(key: string): boolean {
  if (!key.startsWith(KEY_PREFIX) || key.length !== KEY_PREFIX.length + 36) return false;
  const body = key.slice(KEY_PREFIX.length, -6);
  return /^[0-9A-Za-z]+$/.test(body) && checksum(body) === key.slice(-6);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
