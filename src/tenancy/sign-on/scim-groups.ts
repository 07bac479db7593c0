import type { Executor } from "#src/platform/db/database.ts";
import { isUuid, uuidv7 } from "#src/platform/kernel/id.ts";
import type { AuditAction } from "#src/tenancy/audit/actions.ts";
import { recordAudit } from "#src/tenancy/audit/audit.ts";
import { applyToPeople } from "./group-roles.ts";
import { invalidValue, noResource, ScimFault, taken } from "./scim-fault.ts";
import {
  changeGroupMembers,
  deleteGroup,
  findGroup,
  findStrangers,
  type GroupRow,
  insertGroup,
  listGroupMembers,
  updateGroup,
} from "./scim-group-store.ts";
import type { Provisioner } from "./scim-users.ts";
import { type PatchOperation, readAttributes, readEquals, readItems, readText } from "./scim-values.ts";

/** Schema of groups (RFC 7643, 4.2). */
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** A group as a provider describes it: its names, and who comes and who goes. */
export interface ScimGroup {
  displayName: string;
  externalId: string | null;
  members: MemberChange;
}

/** Ids of people, in small letters. Everybody else stays, or goes where `removed` is "OTHERS". */
interface MemberChange {
  added: ReadonlySet<string>;
  removed: ReadonlySet<string> | "OTHERS";
}

/** Reads a whole group, of a POST or PUT. */
export function readGroup(body: unknown): ScimGroup {
  const given = readAttributes(body);
  return {
    displayName: requireName(given.get("displayname")),
    externalId: readText(given.get("externalid"), "externalId"),
    members: { added: new Set(readMembers(given.get("members"))), removed: "OTHERS" },
  };
}

/** Returns a group as a PATCH changes it. Its members are not read, however many they are. */
export function patchGroup(row: GroupRow, operations: PatchOperation[]): ScimGroup {
  const members: MemberChange = { added: new Set(), removed: new Set() };
  return operations.reduce(applyOperation, { displayName: row.display_name, externalId: row.external_id, members });
}

/** Makes a group and gives its members the roles that are mapped to it. */
export async function provisionGroup(tx: Executor, by: Provisioner, group: ScimGroup): Promise<GroupRow> {
  const id = uuidv7();
  const row = { id, display_name: group.displayName, external_id: group.externalId };
  if (!(await insertGroup(tx, by.provider.id, row))) throw taken(`There is a group ${group.displayName}.`);
  await applyToPeople(tx, by.provider.id, await storeMembers(tx, by, id, group.members), by.actor);
  await audit(tx, by, "group.provisioned", group.displayName);
  return requireGroup(tx, by.provider.id, id);
}

/** Changes a group, and the roles of those who come or go; of all its members, too, when it gets another name. */
export async function changeGroup(tx: Executor, by: Provisioner, row: GroupRow, after: ScimGroup): Promise<GroupRow> {
  const names = { id: row.id, display_name: after.displayName, external_id: after.externalId };
  if (!(await updateGroup(tx, by.provider.id, names))) throw taken(`There is a group ${after.displayName}.`);
  const changed = await storeMembers(tx, by, row.id, after.members);
  // Under another name it gives other roles.
  const isRenamed = names.display_name !== row.display_name || names.external_id !== row.external_id;
  const members = isRenamed ? await listMemberIds(tx, by.provider.id, row.id) : [];
  await applyToPeople(tx, by.provider.id, new Set([...changed, ...members]), by.actor);
  await audit(tx, by, "group.updated", after.displayName);
  return requireGroup(tx, by.provider.id, row.id);
}

/** Deletes a group, and the roles that it alone gave. */
export async function deprovisionGroup(tx: Executor, by: Provisioner, row: GroupRow): Promise<void> {
  const members = await listMemberIds(tx, by.provider.id, row.id);
  await deleteGroup(tx, by.provider.id, row.id);
  await applyToPeople(tx, by.provider.id, members, by.actor);
  await audit(tx, by, "group.deprovisioned", row.display_name);
}

/** One group of a provider; 404 for another's. */
export async function requireGroup(tx: Executor, providerId: string, id: string): Promise<GroupRow> {
  const row = isUuid(id) ? await findGroup(tx, providerId, id) : undefined;
  if (!row) throw noResource(id);
  return row;
}

/** Returns a group as SCIM shows it; without `members` where they are not asked for. */
export function showGroup(
  row: GroupRow,
  members: { user_id: string; name: string }[] | null,
  base: string,
): Record<string, unknown> {
  const shown = members?.map(({ user_id: value, name: display }) => ({
    value,
    display,
    $ref: `${base}/Users/${value}`,
  }));
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(shown ? { members: shown } : {}),
    meta: {
      resourceType: "Group",
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Groups/${row.id}`,
    },
  };
}

async function listMemberIds(tx: Executor, providerId: string, groupId: string): Promise<string[]> {
  return (await listGroupMembers(tx, providerId, [groupId])).map((member) => member.user_id);
}

/** Stores a change of a group's members, and returns who came or went. */
async function storeMembers(
  tx: Executor,
  { provider }: Provisioner,
  groupId: string,
  members: MemberChange,
): Promise<string[]> {
  const added = [...members.added];
  const [stranger] = await findStrangers(tx, provider.id, added);
  if (stranger !== undefined) throw invalidValue(`${stranger} is no person of this directory.`);
  const removed = members.removed === "OTHERS" ? members.removed : [...members.removed];
  return changeGroupMembers(tx, provider.id, groupId, { added, removed });
}

function applyOperation(group: ScimGroup, { op, path, value }: PatchOperation): ScimGroup {
  const lower = (path ?? "").toLowerCase();
  if (lower === "displayname") return { ...group, displayName: requireName(op === "remove" ? undefined : value) };
  if (lower === "externalid") {
    return { ...group, externalId: op === "remove" ? null : readText(value, "externalId") };
  }
  if (lower === "members") return { ...group, members: patchMembers(group.members, op, value) };
  const selected = /^members\[(.+)\]$/i.exec(path ?? "")?.[1];
  if (selected === undefined) return group;
  const { attribute, value: id } = readEquals(selected);
  if (op !== "remove" || attribute !== "value")
    throw new ScimFault(400, "Members are selected by value, to be removed.", "invalidPath");
  return { ...group, members: patchMembers(group.members, op, [{ value: id }]) };
}

/** A removal without members removes all, as the RFC has it; with members, as Microsoft Entra ID sends it, only those. */
function patchMembers({ added, removed }: MemberChange, op: PatchOperation["op"], value: unknown): MemberChange {
  const given = new Set(readMembers(value));
  if (op === "replace" || (op === "remove" && (value === undefined || value === null))) {
    return { added: given, removed: "OTHERS" };
  }
  if (op === "add") {
    return { added: added.union(given), removed: removed === "OTHERS" ? removed : removed.difference(given) };
  }
  return { added: added.difference(given), removed: removed === "OTHERS" ? removed : removed.union(given) };
}

function readMembers(value: unknown): string[] {
  return readItems(value).map((item) => {
    const id = readText(item.get("value"), "members.value")?.toLowerCase();
    if (id === undefined || !isUuid(id)) throw invalidValue("members must name ids of people.");
    return id;
  });
}

function requireName(value: unknown): string {
  const name = readText(value, "displayName");
  if (name === null || name.length > 300) throw invalidValue("displayName must have 1 to 300 characters.");
  return name;
}

async function audit(tx: Executor, { actor }: Provisioner, action: AuditAction, target: string): Promise<void> {
  await recordAudit(tx, { workspaceId: null, actor, action, target });
}
