import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";

export interface CredentialRow {
  workspace_id: string;
  id: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  name: string;
  client_id: string | null;
  secret_hash: Buffer;
  secret_last4: string;
  permissions: string[];
  token_lifetime_seconds: number | null;
  expires_at: Date | null;
  allowed_addresses: string[] | null;
  last_used_address: string | null;
  revoked_at: Date | null;
  /** Changes with each request. */
  refilled_at: Date;
  created_at: Date;
}

interface NewCredential {
  id: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  name: string;
  clientId: string | null;
  secret: string;
  permissions: string[];
  tokenLifetimeSeconds: number | null;
  expiresAt: Date | null;
  allowedAddresses: string[] | null;
}

/** Stores a credential with a full bucket. */
export async function insertCredential(tx: Executor, workspaceId: string, input: NewCredential): Promise<void> {
  await all(
    tx,
    sql`insert into credentials (workspace_id, id, kind, name, client_id, secret_hash, secret_last4, permissions,
                                 token_lifetime_seconds, expires_at, allowed_addresses, tokens, refilled_at)
        select ${workspaceId}, ${input.id}, ${input.kind}, ${input.name}, ${input.clientId}, ${sha256(input.secret)},
               ${input.secret.slice(-4)}, ${input.permissions}, ${input.tokenLifetimeSeconds}, ${input.expiresAt},
               ${input.allowedAddresses}::cidr[], w.rate_capacity, now()
        from workspaces w where w.id = ${workspaceId}`,
  );
}

/** All credentials of a workspace, newest first. */
export function listCredentials(tx: Executor, workspaceId: string): Promise<CredentialRow[]> {
  return all<CredentialRow>(tx, sql`select * from credentials where workspace_id = ${workspaceId} order by id desc`);
}

/** The buckets of the credentials that can be used, newest first. */
export function listBuckets(
  tx: Executor,
  workspaceId: string,
): Promise<
  { id: string; name: string; kind: CredentialRow["kind"]; capacity: number; level: number; per_second: number }[]
> {
  return all(
    tx,
    sql`select c.id, c.name, c.kind, w.rate_capacity as capacity, w.rate_refill / w.rate_period_seconds as per_second,
               least(w.rate_capacity, c.tokens + greatest(0, extract(epoch from clock_timestamp() - c.refilled_at))
                 * w.rate_refill / w.rate_period_seconds) as level
          from credentials c join workspaces w on w.id = c.workspace_id
         where c.workspace_id = ${workspaceId} and c.revoked_at is null
           and (c.expires_at is null or c.expires_at > now())
         order by c.id desc`,
  );
}

/** One credential of a workspace. */
export function findCredential(tx: Executor, workspaceId: string, id: string): Promise<CredentialRow | undefined> {
  return first<CredentialRow>(tx, sql`select * from credentials where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The same, locked for the change that follows. */
export function lockCredential(tx: Executor, workspaceId: string, id: string): Promise<CredentialRow | undefined> {
  return first<CredentialRow>(
    tx,
    sql`select * from credentials where workspace_id = ${workspaceId} and id = ${id} for no key update`,
  );
}

/** Returns those of these credentials, pair by pair, that are valid and have a permission. */
export function listPermitted(
  tx: Executor,
  pairs: { workspaceId: string; credentialId: string }[],
  permission: string,
): Promise<{ workspace_id: string; id: string }[]> {
  return all(
    tx,
    sql`select c.workspace_id, c.id
          from unnest(${pairs.map((pair) => pair.workspaceId)}::uuid[], ${pairs.map((pair) => pair.credentialId)}::uuid[])
                 as p(workspace_id, id)
          join credentials c on c.workspace_id = p.workspace_id and c.id = p.id
         where c.revoked_at is null and (c.expires_at is null or c.expires_at > now())
           and ${permission} = any(c.permissions)`,
  );
}

/** An OAuth client as a request for a token finds it. */
export interface ClientRow extends CredentialRow {
  is_expired: boolean;
  is_elsewhere: boolean;
}

/** Finds an OAuth client for the token endpoint, and whether it may be used now and from an address. */
export function findClient(tx: Executor, clientId: string, address: string | null): Promise<ClientRow | undefined> {
  return first<ClientRow>(
    tx,
    sql`select *, coalesce(expires_at <= now(), false) as is_expired,
               not coalesce(${address}::inet <<= any (allowed_addresses), allowed_addresses is null) as is_elsewhere
          from credentials where client_id = ${clientId} and kind = 'OAUTH_CLIENT' and revoked_at is null`,
  );
}

/** Returns the longest life of a workspace's new credentials in days; null when there is no limit. */
export async function findCredentialDays(tx: Executor, workspaceId: string): Promise<number | null> {
  const row = await first<{ credential_days: number | null }>(
    tx,
    sql`select credential_days from workspaces where id = ${workspaceId}`,
  );
  return row?.credential_days ?? null;
}

/** Replaces when a credential expires and from where it may be used. Its owners are warned of the new time again. */
export async function setLimits(
  tx: Executor,
  workspaceId: string,
  id: string,
  limits: { expiresAt: Date | null; allowedAddresses: string[] | null },
): Promise<void> {
  await all(
    tx,
    sql`update credentials
           set expires_at = ${limits.expiresAt}, allowed_addresses = ${limits.allowedAddresses}::cidr[],
               expiry_warned_at = case when expires_at is not distinct from ${limits.expiresAt}::timestamptz
                                       then expiry_warned_at end
         where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Lets a credential that was replaced expire after some seconds, unless it does so sooner. Nobody is warned of it. */
export async function endAfter(tx: Executor, workspaceId: string, id: string, seconds: number): Promise<void> {
  await all(
    tx,
    sql`update credentials set expires_at = least(expires_at, now() + make_interval(secs => ${seconds})), expiry_warned_at = now()
         where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** A credential that will expire soon. */
export interface ExpiringRow {
  workspace_id: string;
  id: string;
  name: string;
  kind: CredentialRow["kind"];
  expires_at: Date;
}

/**
 * Marks the credentials that expire within some days as warned of, and returns them. One whose whole life is no longer
 * than that is left out: who made it knows.
 */
export function takeExpiring(tx: Executor, days: number, limit: number): Promise<ExpiringRow[]> {
  return all<ExpiringRow>(
    tx,
    sql`update credentials set expiry_warned_at = now() where (workspace_id, id) in (
          select workspace_id, id from credentials
           where expires_at > now() and expires_at < now() + make_interval(days => ${days})
             and expires_at > created_at + make_interval(days => ${days})
             and revoked_at is null and expiry_warned_at is null
           limit ${limit} for no key update skip locked)
        returning workspace_id, id, name, kind, expires_at`,
  );
}

/** Replaces permissions. Returns the workspace; undefined when there is no such live credential. */
export async function setPermissions(tx: Executor, id: string, permissions: string[]): Promise<string | undefined> {
  const row = await first<{ workspace_id: string }>(
    tx,
    sql`update credentials set permissions = ${permissions}
        where (client_id = ${id} or id::text = ${id}) and revoked_at is null returning workspace_id`,
  );
  return row?.workspace_id;
}

/** Marks a credential revoked and deletes its tokens. Returns its workspace; undefined when there is none. */
export async function revokeCredential(tx: Executor, id: string): Promise<string | undefined> {
  const row = await first<{ workspace_id: string }>(
    tx,
    sql`with gone as (
          update credentials set revoked_at = coalesce(revoked_at, now())
          where client_id = ${id} or id::text = ${id} returning workspace_id, id
        ), tokens as (
          delete from access_tokens t using gone where t.workspace_id = gone.workspace_id and t.credential_id = gone.id
        )
        select workspace_id from gone`,
  );
  return row?.workspace_id;
}

/** Stores an access token by its digest. */
export async function insertToken(
  tx: Executor,
  workspaceId: string,
  credentialId: string,
  token: string,
  lifetimeSeconds: number,
): Promise<void> {
  await all(
    tx,
    sql`insert into access_tokens (token_hash, workspace_id, credential_id, expires_at)
        values (${sha256(token)}, ${workspaceId}, ${credentialId}, now() + make_interval(secs => ${lifetimeSeconds}))`,
  );
}
