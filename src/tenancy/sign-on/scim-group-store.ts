import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

export interface GroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Id and names of a group, as they are written. */
type GroupNames = Pick<GroupRow, "id" | "display_name" | "external_id">;

/** Stores a new group; false when the provider has one of that name. */
export async function insertGroup(
  tx: Executor,
  providerId: string,
  { id, display_name: name, external_id: externalId }: GroupNames,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into scim_groups (provider_id, id, display_name, external_id)
        values (${providerId}, ${id}, ${name}, ${externalId}) on conflict do nothing returning id`,
  );
  return rows.length > 0;
}

/** Writes the names of a group; false when another of the provider has its name. */
export async function updateGroup(
  tx: Executor,
  providerId: string,
  { id, display_name: name, external_id: externalId }: GroupNames,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update scim_groups g set display_name = ${name}, external_id = ${externalId}, updated_at = now()
         where g.provider_id = ${providerId} and g.id = ${id} and not exists (
               select 1 from scim_groups o where o.provider_id = g.provider_id and o.id <> g.id
                  and lower(o.display_name) = lower(${name}))
        returning g.id`,
  );
  return rows.length > 0;
}

/** One group of a provider. */
export function findGroup(tx: Executor, providerId: string, id: string): Promise<GroupRow | undefined> {
  return first<GroupRow>(tx, sql`select * from scim_groups where provider_id = ${providerId} and id = ${id}`);
}

/** Deletes a group with its members. */
export async function deleteGroup(tx: Executor, providerId: string, id: string): Promise<void> {
  await all(tx, sql`delete from scim_groups where provider_id = ${providerId} and id = ${id}`);
}

/** Condition on groups in a list; a part that is absent does not count. */
export interface GroupFilter {
  displayName?: string | undefined;
  externalId?: string | undefined;
  id?: string | undefined;
}

const conditionOf = (providerId: string, { displayName, externalId, id }: GroupFilter) =>
  sql`provider_id = ${providerId} and (${displayName ?? null}::text is null or lower(display_name) = lower(${displayName}))
      and (${externalId ?? null}::text is null or external_id = ${externalId})
      and (${id ?? null}::text is null or id::text = lower(${id}))`;

/** A page of a provider's groups, oldest first. */
export function listGroups(
  tx: Executor,
  providerId: string,
  filter: GroupFilter,
  page: { offset: number; limit: number },
): Promise<GroupRow[]> {
  return all<GroupRow>(
    tx,
    sql`select * from scim_groups where ${conditionOf(providerId, filter)} order by id
         offset ${page.offset} limit ${page.limit}`,
  );
}

/** Counts the groups that a filter selects. */
export async function countGroups(tx: Executor, providerId: string, filter: GroupFilter): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*)::int as count from scim_groups where ${conditionOf(providerId, filter)}`,
  );
  return row?.count ?? 0;
}

/** Returns the members of groups, with their names. */
export function listGroupMembers(
  tx: Executor,
  providerId: string,
  groupIds: string[],
): Promise<{ group_id: string; user_id: string; name: string }[]> {
  return all(
    tx,
    sql`select m.group_id, m.user_id, u.name from scim_group_members m join users u on u.id = m.user_id
         where m.provider_id = ${providerId} and m.group_id = any(${groupIds}::uuid[]) order by m.user_id`,
  );
}

/** Returns those of these ids that are no people of the provider. */
export async function findStrangers(tx: Executor, providerId: string, userIds: string[]): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select w.id from unnest(${userIds}::uuid[]) as w(id)
         where not exists (select 1 from identities i where i.provider_id = ${providerId} and i.user_id = w.id
                              and i.deleted_at is null)`,
  );
  return rows.map((row) => row.id);
}

/** Adds members to a group and removes others; `removed` is "OTHERS" for all but the added. Returns who came or went. */
export async function changeGroupMembers(
  tx: Executor,
  providerId: string,
  groupId: string,
  { added, removed }: { added: string[]; removed: string[] | "OTHERS" },
): Promise<string[]> {
  const isRemoved =
    removed === "OTHERS" ? sql`user_id <> all(${added}::uuid[])` : sql`user_id = any(${removed}::uuid[])`;
  const gone = await all<{ user_id: string }>(
    tx,
    sql`delete from scim_group_members
         where provider_id = ${providerId} and group_id = ${groupId} and ${isRemoved} returning user_id`,
  );
  const come = await all<{ user_id: string }>(
    tx,
    sql`insert into scim_group_members (provider_id, group_id, user_id)
        select ${providerId}, ${groupId}, w.id from unnest(${added}::uuid[]) as w(id) on conflict do nothing
        returning user_id`,
  );
  return [...gone, ...come].map((row) => row.user_id);
}

/** Removes a person from all groups, and from those that sign-ins named. */
export async function dropMember(tx: Executor, providerId: string, userId: string): Promise<void> {
  await all(tx, sql`delete from scim_group_members where provider_id = ${providerId} and user_id = ${userId}`);
  await all(tx, sql`update identities set groups = '{}' where provider_id = ${providerId} and user_id = ${userId}`);
}
