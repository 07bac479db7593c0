import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countAll } from "#src/platform/db/paged-lists.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import type { Role } from "./roles.ts";
import { LACKS_FACTOR_SQL } from "./session-sql.ts";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  is_installation_owner: boolean;
  disabled_at: Date | null;
  /** Null: the account has no second factor. */
  second_factor_at: Date | null;
  last_signed_in_at: Date | null;
  created_at: Date;
}

export interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  /** The identity provider whose groups gave the role; null: a person did. */
  provider_id: string | null;
  created_at: Date;
  last_signed_in_at: Date | null;
}

/** Counts the accounts. To make the first one, take `lockSetup` before. */
export function countUsers(tx: Executor): Promise<number> {
  return countAll(tx, sql`users`);
}

/** Serialises set-ups until the end of the transaction. */
export async function lockSetup(tx: Executor): Promise<void> {
  await all(tx, sql`select pg_advisory_xact_lock(7279532)`);
}

/** Stores a new account; false when the e-mail address is taken. */
export async function insertUser(
  tx: Executor,
  user: { id: string; email: string; name: string; passwordHash: string; isInstallationOwner: boolean },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into users (id, email, name, password_hash, is_installation_owner)
        values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isInstallationOwner})
        on conflict (lower(email)) do nothing returning id`,
  );
  return rows.length > 0;
}

/** Returns the account of an e-mail address, ignoring case. */
export function findUserByEmail(tx: Executor, email: string): Promise<UserRow | undefined> {
  return first<UserRow>(tx, sql`select * from users where lower(email) = lower(${email})`);
}

/** One account. */
export function findUser(tx: Executor, id: string): Promise<UserRow | undefined> {
  return first<UserRow>(tx, sql`select * from users where id = ${id}`);
}

/** All accounts, oldest first. */
export function listUsers(tx: Executor): Promise<UserRow[]> {
  return all<UserRow>(tx, sql`select * from users order by id`);
}

/** Returns the workspaces that accounts are members of, with their names. */
export function listMemberships(
  tx: Executor,
): Promise<{ user_id: string; workspace_id: string; workspace_name: string; role: Role }[]> {
  return all(
    tx,
    sql`select m.user_id, m.workspace_id, w.name as workspace_name, m.role
          from memberships m join workspaces w on w.id = m.workspace_id order by w.created_at, w.id`,
  );
}

/** Changes the name of an account. */
export async function setName(tx: Executor, id: string, name: string): Promise<void> {
  await all(tx, sql`update users set name = ${name}, updated_at = now() where id = ${id}`);
}

/** Changes the e-mail address of an account. */
export async function setEmail(tx: Executor, id: string, email: string): Promise<void> {
  await all(tx, sql`update users set email = ${email}, updated_at = now() where id = ${id}`);
}

/** Stores the digest of a new password. */
export async function setPassword(tx: Executor, id: string, passwordHash: string): Promise<void> {
  await all(tx, sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${id}`);
}

/** Records the time of a sign-in. */
export async function touchSignIn(tx: Executor, id: string): Promise<void> {
  await all(tx, sql`update users set last_signed_in_at = now() where id = ${id}`);
}

/** Disables an account, or enables it again. */
export async function setDisabled(tx: Executor, id: string, isDisabled: boolean): Promise<void> {
  await all(tx, sql`update users set disabled_at = case when ${isDisabled} then now() end where id = ${id}`);
}

/** The accounts that own the installation and may sign in. */
export function countInstallationOwners(tx: Executor): Promise<number> {
  return countAll(tx, sql`(select 1 from users where is_installation_owner and disabled_at is null for update) o`);
}

/** The workspaces that an account may enter in one of its sessions: all for an owner of the installation. */
export function listAccess(
  tx: Executor,
  user: Pick<UserRow, "id" | "is_installation_owner">,
  sessionId: string,
): Promise<
  { id: string; name: string; mode: "SANDBOX" | "LIVE"; timeZone: string; role: Role; lacksSecondFactor: boolean }[]
> {
  return all(
    tx,
    sql`select w.id, w.name, w.mode, w.time_zone as "timeZone", ${LACKS_FACTOR_SQL} as "lacksSecondFactor",
               case when ${user.is_installation_owner} then 'OWNER' else m.role end as role
          from workspaces w
          join user_sessions s on s.id = ${sessionId}
          join users u on u.id = s.user_id
          left join memberships m on m.workspace_id = w.id and m.user_id = ${user.id}
         where ${user.is_installation_owner} or m.user_id is not null order by w.created_at, w.id`,
  );
}

/** The members of a workspace, oldest first. */
export function listMembers(tx: Executor, workspaceId: string): Promise<MemberRow[]> {
  return all<MemberRow>(
    tx,
    sql`select m.user_id, u.email, u.name, m.role, m.provider_id, m.created_at, u.last_signed_in_at
          from memberships m join users u on u.id = m.user_id
         where m.workspace_id = ${workspaceId} and u.disabled_at is null order by m.created_at, m.user_id`,
  );
}

/** One member, locked for the change that follows. */
export function lockMember(tx: Executor, workspaceId: string, userId: string): Promise<MemberRow | undefined> {
  return first<MemberRow>(
    tx,
    sql`select m.user_id, u.email, u.name, m.role, m.provider_id, m.created_at, u.last_signed_in_at
          from memberships m join users u on u.id = m.user_id
         where m.workspace_id = ${workspaceId} and m.user_id = ${userId} for update of m`,
  );
}

/** Makes a person a member, or changes a member's role and its origin: a provider's groups, or a person (null). */
export async function putMember(
  tx: Executor,
  workspaceId: string,
  userId: string,
  role: Role,
  providerId: string | null = null,
): Promise<void> {
  await all(
    tx,
    sql`insert into memberships (workspace_id, user_id, role, provider_id)
        values (${workspaceId}, ${userId}, ${role}, ${providerId})
        on conflict (workspace_id, user_id) do update set role = excluded.role, provider_id = excluded.provider_id`,
  );
}

/** Removes a person from a workspace. */
export async function deleteMember(tx: Executor, workspaceId: string, userId: string): Promise<void> {
  await all(tx, sql`delete from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`);
}

export interface LinkRow {
  id: string;
  kind: "SETUP" | "INVITE" | "RESET";
  workspace_id: string | null;
  role: Role | null;
  email: string | null;
  name: string | null;
  user_id: string | null;
  created_by: string | null;
  created_at: Date;
  expires_at: Date;
}

/** Stores a link by its token's digest. */
export async function insertLink(
  tx: Executor,
  token: string,
  link: Omit<LinkRow, "created_at" | "expires_at">,
  lifetimeSeconds: number,
): Promise<LinkRow> {
  const rows = await all<LinkRow>(
    tx,
    sql`insert into sign_in_links (token_hash, id, kind, workspace_id, role, email, name, user_id, created_by, expires_at)
        values (${sha256(token)}, ${link.id}, ${link.kind}, ${link.workspace_id}, ${link.role}, ${link.email},
                ${link.name}, ${link.user_id}, ${link.created_by}, now() + make_interval(secs => ${lifetimeSeconds}))
        returning *`,
  );
  return rows[0] as LinkRow;
}

/** A link that can still be used. */
export function findLink(tx: Executor, token: string): Promise<LinkRow | undefined> {
  return first<LinkRow>(
    tx,
    sql`select * from sign_in_links where token_hash = ${sha256(token)} and used_at is null and expires_at > now()`,
  );
}

/**
 * Uses a link up; undefined when it is used, expired or unknown. Of two uses at once, one waits and then finds the link
 * used.
 */
export function useLink(tx: Executor, token: string, kind: LinkRow["kind"]): Promise<LinkRow | undefined> {
  return first<LinkRow>(
    tx,
    sql`update sign_in_links set used_at = now()
        where token_hash = ${sha256(token)} and kind = ${kind} and used_at is null and expires_at > now() returning *`,
  );
}

/** Ends unused links of a kind; of one account when it is given. */
export async function dropLinks(tx: Executor, kind: "SETUP" | "RESET", userId: string | null): Promise<void> {
  await all(
    tx,
    sql`delete from sign_in_links where kind = ${kind} and used_at is null
          and (${userId}::uuid is null or user_id = ${userId})`,
  );
}

/** Ends unused links that a person made; of one workspace when it is given. */
export async function dropLinksBy(tx: Executor, userId: string, workspaceId: string | null): Promise<void> {
  await all(
    tx,
    sql`delete from sign_in_links where created_by = ${userId} and used_at is null
          and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})`,
  );
}

/** The invitations to a workspace that can still be used, newest first. */
export function listInvitations(
  tx: Executor,
  workspaceId: string,
): Promise<(LinkRow & { created_by_name: string | null })[]> {
  return all(
    tx,
    sql`select l.*, u.name as created_by_name from sign_in_links l left join users u on u.id = l.created_by
         where l.workspace_id = ${workspaceId} and l.kind = 'INVITE' and l.used_at is null and l.expires_at > now()
         order by l.id desc`,
  );
}

/** Revokes an invitation; false when there is none. */
export async function deleteInvitation(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from sign_in_links where workspace_id = ${workspaceId} and id = ${id} and kind = 'INVITE'
          and used_at is null returning id`,
  );
  return rows.length > 0;
}
