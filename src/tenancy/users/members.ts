import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import type { Role } from "./roles.ts";
import {
  deleteInvitation,
  deleteMember,
  dropLinksBy,
  type LinkRow,
  listInvitations,
  listMembers,
  lockMember,
  type MemberRow,
  putMember,
} from "./store.ts";
import { requireUser, WorkspaceRole } from "./users.ts";

/** A person with a role in a workspace. Owners of the installation own every workspace without being members. */
export const Member = Type.Object(
  {
    userId: Uuid,
    email: Type.String(),
    name: Type.String(),
    role: WorkspaceRole,
    isByGroup: Type.Boolean({ description: "An identity provider's group gave the role, not a person." }),
    createdAt: Timestamp,
    lastSignedInAt: nullable(Timestamp),
  },
  { $id: "Member" },
);
export type Member = Static<typeof Member>;

/** An invitation that can still be used. */
export const Invitation = Type.Object(
  {
    id: Uuid,
    role: WorkspaceRole,
    email: nullable(Type.String()),
    name: nullable(Type.String()),
    createdBy: nullable(Type.String({ description: "Name of who invited; null: the operator." })),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: "Invitation" },
);
export type Invitation = Static<typeof Invitation>;

/** The members of a workspace. */
export async function getMembers(db: Executor, workspaceId: string): Promise<Member[]> {
  return (await listMembers(db, workspaceId)).map(toMember);
}

/**
 * Gives a member another role, effective on the member's next request; 404 when the user is no member. From then on the
 * role is given by hand, and groups of an identity provider no longer change it.
 */
export async function changeRole(
  tx: Executor,
  workspaceId: string,
  userId: string,
  { role, before }: { role: Role; before?: Record<string, unknown> },
  actor: Actor,
): Promise<Member> {
  const row = await lockMember(tx, workspaceId, userId);
  if (!row) throw new AppError("NOT_FOUND", "There is no such member.");
  assertBefore({ role: row.role }, before);
  await putMember(tx, workspaceId, row.user_id, role);
  if (role !== "OWNER") await dropLinksBy(tx, row.user_id, workspaceId);
  const details = { from: row.role, to: role };
  await recordAudit(tx, { workspaceId, actor, action: "member.role_changed", target: row.email, details });
  return toMember({ ...row, role, provider_id: null });
}

/** Gives a person the role of their group at an identity provider, unless somebody gave them one by hand. */
export async function grantByGroup(
  tx: Executor,
  workspaceId: string,
  userId: string,
  { role, providerId }: { role: Role; providerId: string },
  actor: Actor,
): Promise<void> {
  const row = await lockMember(tx, workspaceId, userId);
  if (row && (row.provider_id !== providerId || row.role === role)) return;
  await putMember(tx, workspaceId, userId, role, providerId);
  if (row && role !== "OWNER") await dropLinksBy(tx, userId, workspaceId);
  const action = row ? "member.role_changed" : "member.joined";
  const from = row ? { from: row.role } : {};
  const { email } = await requireUser(tx, userId);
  await recordAudit(tx, { workspaceId, actor, action, target: email, details: { ...from, to: role, byGroup: true } });
}

/**
 * Removes a member from a workspace, and the invitations they made, so that these are no way back; 404 when the user is
 * no member.
 */
export async function removeMember(tx: Executor, workspaceId: string, userId: string, actor: Actor): Promise<void> {
  const row = await lockMember(tx, workspaceId, userId);
  if (!row) throw new AppError("NOT_FOUND", "There is no such member.");
  await deleteMember(tx, workspaceId, row.user_id);
  await dropLinksBy(tx, row.user_id, workspaceId);
  await recordAudit(tx, { workspaceId, actor, action: "member.removed", target: row.email });
}

/** The invitations to a workspace that can still be used. */
export async function getInvitations(db: Executor, workspaceId: string): Promise<Invitation[]> {
  return (await listInvitations(db, workspaceId)).map((row) => toInvitation(row, row.created_by_name));
}

/** Revokes an invitation: its link is invalid from then on. */
export async function revokeInvitation(tx: Executor, workspaceId: string, id: string, actor: Actor): Promise<void> {
  if (!(await deleteInvitation(tx, workspaceId, id))) throw new AppError("NOT_FOUND", "There is no such invitation.");
  await recordAudit(tx, { workspaceId, actor, action: "invitation.revoked", target: id });
}

/** An invitation, as it is shown. */
export function toInvitation(row: LinkRow, createdBy: string | null): Invitation {
  return {
    id: row.id,
    role: row.role as Role,
    email: row.email,
    name: row.name,
    createdBy,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

function toMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    isByGroup: row.provider_id !== null,
    createdAt: row.created_at.toISOString(),
    lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
  };
}
