import type { Executor } from "#src/platform/db/database.ts";
import type { Actor } from "#src/tenancy/audit/audit.ts";
import { grantByGroup, removeMember } from "#src/tenancy/users/members.ts";
import { type Role, ROLES } from "#src/tenancy/users/roles.ts";
import { listGivenWorkspaces, listGroupNames, listUserIds } from "./identity-store.ts";
import { type GroupRoleRow, listGroupRoles } from "./store.ts";

/**
 * Gives a person the roles of their groups, and takes those away whose group they left. A role that somebody gave by
 * hand stays as it is, whatever the groups say.
 */
export async function applyGroupRoles(tx: Executor, providerId: string, userId: string, actor: Actor): Promise<void> {
  await applyToPeople(tx, providerId, [userId], actor);
}

/** Does the same for several people. */
export async function applyToPeople(
  tx: Executor,
  providerId: string,
  userIds: Iterable<string>,
  actor: Actor,
): Promise<void> {
  const mapping = await listGroupRoles(tx, providerId);
  for (const userId of userIds) await apply(tx, mapping, { providerId, userId, actor });
}

/** Does the same for all people of a provider, after its mapping changed. */
export async function applyToEverybody(tx: Executor, providerId: string, actor: Actor): Promise<void> {
  await applyToPeople(tx, providerId, await listUserIds(tx, providerId), actor);
}

async function apply(
  tx: Executor,
  mapping: GroupRoleRow[],
  { providerId, userId, actor }: { providerId: string; userId: string; actor: Actor },
): Promise<void> {
  const roles = pickRoles(mapping, await listGroupNames(tx, providerId, userId));
  for (const workspaceId of await listGivenWorkspaces(tx, providerId, userId)) {
    if (!roles.has(workspaceId)) await removeMember(tx, workspaceId, userId, actor);
  }
  for (const [workspaceId, role] of roles) await grantByGroup(tx, workspaceId, userId, { role, providerId }, actor);
}

/** Returns the strongest role that the groups give in each workspace. */
function pickRoles(mapping: GroupRoleRow[], groups: ReadonlySet<string>): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { workspace_id: workspaceId, group_name: group, role } of mapping) {
    const known = roles.get(workspaceId);
    const isStronger = known === undefined || ROLES.indexOf(role) < ROLES.indexOf(known);
    if (groups.has(group) && isStronger) roles.set(workspaceId, role);
  }
  return roles;
}
