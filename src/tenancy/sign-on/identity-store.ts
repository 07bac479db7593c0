import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** A person as a provider knows them, with their account. */
export interface IdentityRow {
  provider_id: string;
  user_id: string;
  subject: string | null;
  external_id: string | null;
  user_name: string;
  profile: Record<string, unknown>;
  groups: string[];
  is_active: boolean;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
  email: string;
  name: string;
  disabled_at: Date | null;
  is_installation_owner: boolean;
}

const FROM = sql`select i.*, u.email, u.name, u.disabled_at, u.is_installation_owner
                   from identities i join users u on u.id = i.user_id`;

/** Returns the person with a subject, locked for the change that follows. */
export function lockBySubject(tx: Executor, providerId: string, subject: string): Promise<IdentityRow | undefined> {
  return first<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and i.subject = ${subject} for update of i`,
  );
}

/** Returns the provisioned person with an external id who never signed in, locked. */
export function lockProvisioned(
  tx: Executor,
  providerId: string,
  externalId: string,
): Promise<IdentityRow | undefined> {
  return first<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and i.external_id = ${externalId} and i.subject is null
          and i.deleted_at is null order by i.user_id limit 1 for update of i`,
  );
}

/** Returns the person of an account, locked. */
export function lockIdentity(tx: Executor, providerId: string, userId: string): Promise<IdentityRow | undefined> {
  return first<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and i.user_id = ${userId} for update of i`,
  );
}

/** Returns the person with a user name, locked. */
export function lockByUserName(tx: Executor, providerId: string, userName: string): Promise<IdentityRow | undefined> {
  return first<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and lower(i.user_name) = lower(${userName}) for update of i`,
  );
}

/** Stores a person; false when the provider has the subject or the user name already. */
export async function insertIdentity(
  tx: Executor,
  row: Pick<IdentityRow, "provider_id" | "user_id" | "subject" | "external_id" | "user_name" | "profile">,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into identities (provider_id, user_id, subject, external_id, user_name, profile)
        values (${row.provider_id}, ${row.user_id}, ${row.subject}, ${row.external_id}, ${row.user_name},
                ${JSON.stringify(row.profile)})
        on conflict do nothing returning user_id`,
  );
  return rows.length > 0;
}

/** Binds a person to the subject of their sign-ins. */
export async function setSubject(tx: Executor, row: IdentityRow, subject: string): Promise<void> {
  await all(
    tx,
    sql`update identities set subject = ${subject} where provider_id = ${row.provider_id} and user_id = ${row.user_id}`,
  );
}

/** Stores the groups that a sign-in named. */
export async function setGroups(tx: Executor, row: IdentityRow, groups: string[]): Promise<void> {
  await all(
    tx,
    sql`update identities set groups = ${groups} where provider_id = ${row.provider_id} and user_id = ${row.user_id}`,
  );
}

/** Writes what a provider says of a person; false when another has the user name. */
export async function updateIdentity(tx: Executor, row: IdentityRow): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update identities i
           set external_id = ${row.external_id}, user_name = ${row.user_name}, profile = ${JSON.stringify(row.profile)},
               is_active = ${row.is_active}, deleted_at = ${row.deleted_at}, updated_at = now()
         where i.provider_id = ${row.provider_id} and i.user_id = ${row.user_id} and not exists (
               select 1 from identities o where o.provider_id = i.provider_id and o.user_id <> i.user_id
                  and lower(o.user_name) = lower(${row.user_name}))
        returning i.user_id`,
  );
  return rows.length > 0;
}

/** The people of a provider whom it may provision: all but owners of the installation and deleted ones. */
const VISIBLE = sql`i.deleted_at is null and not u.is_installation_owner`;

/** One person whom a provider may provision, without a lock. */
export function findVisible(tx: Executor, providerId: string, userId: string): Promise<IdentityRow | undefined> {
  return first<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and i.user_id = ${userId} and ${VISIBLE}`,
  );
}

/** Condition on people in a list; a part that is absent does not count. */
export interface IdentityFilter {
  userName?: string | undefined;
  externalId?: string | undefined;
  id?: string | undefined;
}

const conditionOf = ({ userName, externalId, id }: IdentityFilter) =>
  sql`${VISIBLE} and (${userName ?? null}::text is null or lower(i.user_name) = lower(${userName}))
      and (${externalId ?? null}::text is null or i.external_id = ${externalId})
      and (${id ?? null}::text is null or i.user_id::text = lower(${id}))`;

/** A page of the people whom a provider may provision, oldest first. */
export function listIdentities(
  tx: Executor,
  providerId: string,
  filter: IdentityFilter,
  page: { offset: number; limit: number },
): Promise<IdentityRow[]> {
  return all<IdentityRow>(
    tx,
    sql`${FROM} where i.provider_id = ${providerId} and ${conditionOf(filter)}
         order by i.user_id offset ${page.offset} limit ${page.limit}`,
  );
}

/** Counts the people that a filter selects. */
export async function countIdentities(tx: Executor, providerId: string, filter: IdentityFilter): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*)::int as count from identities i join users u on u.id = i.user_id
         where i.provider_id = ${providerId} and ${conditionOf(filter)}`,
  );
  return row?.count ?? 0;
}

/** Returns the ids of the accounts that a provider knows. */
export async function listUserIds(tx: Executor, providerId: string): Promise<string[]> {
  const rows = await all<{ user_id: string }>(
    tx,
    sql`select user_id from identities where provider_id = ${providerId} order by user_id`,
  );
  return rows.map((row) => row.user_id);
}

/** Returns the names by which a person's groups may be mapped: those of sign-ins, and those that were provisioned. */
export async function listGroupNames(tx: Executor, providerId: string, userId: string): Promise<Set<string>> {
  const rows = await all<{ name: string }>(
    tx,
    sql`select unnest(i.groups) as name from identities i
         where i.provider_id = ${providerId} and i.user_id = ${userId}
        union
        select n.name from scim_group_members m
          join scim_groups g on g.provider_id = m.provider_id and g.id = m.group_id
         cross join lateral (values (g.display_name), (g.external_id)) as n(name)
         where m.provider_id = ${providerId} and m.user_id = ${userId} and n.name is not null`,
  );
  return new Set(rows.map((row) => row.name));
}

/** Returns the workspaces in which a provider's groups gave a person a role. */
export async function listGivenWorkspaces(tx: Executor, providerId: string, userId: string): Promise<string[]> {
  const rows = await all<{ workspace_id: string }>(
    tx,
    sql`select workspace_id from memberships where user_id = ${userId} and provider_id = ${providerId}`,
  );
  return rows.map((row) => row.workspace_id);
}
