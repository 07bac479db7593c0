import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import type { Role } from "#src/tenancy/users/roles.ts";

export interface ProviderRow {
  id: string;
  key: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: Buffer | null;
  scopes: string[];
  domains: string[];
  group_claim: string;
  external_id_claim: string;
  creates_accounts: boolean;
  links_by_email: boolean;
  refuses_passwords: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface GroupRoleRow {
  workspace_id: string;
  group_name: string;
  role: Role;
}

/** Stores a new provider; false when its key is taken. */
export async function insertProvider(
  tx: Executor,
  row: Omit<ProviderRow, "created_at" | "updated_at">,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into identity_providers (id, key, name, issuer, client_id, client_secret, scopes, domains, group_claim,
                                        external_id_claim, creates_accounts, links_by_email, refuses_passwords)
        values (${row.id}, ${row.key}, ${row.name}, ${row.issuer}, ${row.client_id}, ${row.client_secret},
                ${row.scopes}, ${row.domains}, ${row.group_claim}, ${row.external_id_claim}, ${row.creates_accounts},
                ${row.links_by_email}, ${row.refuses_passwords})
        on conflict (key) do nothing returning id`,
  );
  return rows.length > 0;
}

/** Writes the changeable settings of a provider. */
export async function updateProvider(tx: Executor, row: ProviderRow): Promise<void> {
  await all(
    tx,
    sql`update identity_providers
           set name = ${row.name}, client_id = ${row.client_id}, client_secret = ${row.client_secret},
               scopes = ${row.scopes}, domains = ${row.domains}, group_claim = ${row.group_claim},
               external_id_claim = ${row.external_id_claim}, creates_accounts = ${row.creates_accounts},
               links_by_email = ${row.links_by_email}, refuses_passwords = ${row.refuses_passwords},
               updated_at = now()
         where id = ${row.id}`,
  );
}

/** All providers, oldest first. */
export function listProviders(tx: Executor): Promise<ProviderRow[]> {
  return all<ProviderRow>(tx, sql`select * from identity_providers order by id`);
}

/** One provider. */
export function findProvider(tx: Executor, id: string): Promise<ProviderRow | undefined> {
  return first<ProviderRow>(tx, sql`select * from identity_providers where id = ${id}`);
}

/** Returns a provider by the key in its addresses. */
export function findProviderByKey(tx: Executor, key: string): Promise<ProviderRow | undefined> {
  return first<ProviderRow>(tx, sql`select * from identity_providers where key = ${key}`);
}

/** Returns a provider, locked until the transaction ends. */
export function lockProvider(tx: Executor, id: string): Promise<ProviderRow | undefined> {
  return first<ProviderRow>(tx, sql`select * from identity_providers where id = ${id} for no key update`);
}

/** Deletes a provider with its people, groups and tokens, and ends the sessions that it opened. */
export async function deleteProvider(tx: Executor, id: string): Promise<void> {
  await all(
    tx,
    sql`delete from user_sessions where id in (select session_id from sign_on_sessions where provider_id = ${id})`,
  );
  await all(tx, sql`delete from identity_providers where id = ${id}`);
}

/** The roles that a provider's groups give. */
export function listGroupRoles(tx: Executor, providerId: string): Promise<GroupRoleRow[]> {
  return all<GroupRoleRow>(
    tx,
    sql`select workspace_id, group_name, role from identity_provider_roles where provider_id = ${providerId}
         order by group_name, workspace_id`,
  );
}

/** Replaces the roles that a provider's groups give. */
export async function replaceGroupRoles(
  tx: Executor,
  providerId: string,
  rows: { workspaceId: string; group: string; role: Role }[],
): Promise<void> {
  await all(tx, sql`delete from identity_provider_roles where provider_id = ${providerId}`);
  await all(
    tx,
    sql`insert into identity_provider_roles (workspace_id, provider_id, group_name, role)
        select w, ${providerId}, g, r
          from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.group)}::text[],
                      ${rows.map((row) => row.role)}::text[]) as u(w, g, r)`,
  );
}

/** Returns those of these ids that no workspace has. */
export async function findMissingWorkspaces(tx: Executor, ids: string[]): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select u.id from unnest(${ids}::uuid[]) as u(id) where not exists (select 1 from workspaces w where w.id = u.id)`,
  );
  return rows.map((row) => row.id);
}

/** Stores a sign-in that begins, by the digest of its state. */
export async function insertAttempt(tx: Executor, state: string, providerId: string, next: string): Promise<void> {
  await all(
    tx,
    sql`insert into sign_on_attempts (state_hash, provider_id, next) values (${sha256(state)}, ${providerId}, ${next})`,
  );
}

/**
 * Uses up a sign-in under way; undefined when it was used, is too old or never began. Of two answers at once, one finds
 * it gone.
 */
export function useAttempt(
  tx: Executor,
  state: string,
  lifetimeSeconds: number,
): Promise<{ provider_id: string; next: string } | undefined> {
  return first(
    tx,
    sql`delete from sign_on_attempts
         where state_hash = ${sha256(state)} and created_at > now() - make_interval(secs => ${lifetimeSeconds})
        returning provider_id, next`,
  );
}

/** Remembers which provider opened a session. */
export async function insertSignOnSession(
  tx: Executor,
  sessionId: string,
  providerId: string,
  signOutUrl: Buffer | null,
): Promise<void> {
  await all(
    tx,
    sql`insert into sign_on_sessions (session_id, provider_id, sign_out_url)
        values (${sessionId}, ${providerId}, ${signOutUrl})`,
  );
}

/** The sealed address that ends the provider's own session; null when there is none. */
export async function findSignOutUrl(tx: Executor, sessionId: string): Promise<Buffer | null> {
  const row = await first<{ sign_out_url: Buffer | null }>(
    tx,
    sql`select sign_out_url from sign_on_sessions where session_id = ${sessionId}`,
  );
  return row?.sign_out_url ?? null;
}
