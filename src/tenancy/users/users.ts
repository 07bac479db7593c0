import type { Executor } from "#src/platform/db/database.ts";
import { INSTALLATION_OWNER } from "#src/platform/http/console-access.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { EMAIL_PATTERN } from "#src/platform/kernel/email.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { type Actor, recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import { assertPassword, checkPassword, hashPassword } from "./password.ts";
import { assertRecent } from "./recency.ts";
import { permissionsOf, ROLES } from "./roles.ts";
import { deleteSessions, refundBuckets } from "./session-sql.ts";
import { assertOwnTries } from "./sign-in.ts";
import {
  countInstallationOwners,
  countUsers,
  dropLinks,
  dropLinksBy,
  findUser,
  findUserByEmail,
  insertUser,
  listAccess,
  listMemberships,
  listUsers,
  setDisabled,
  setEmail,
  setName,
  setPassword,
  type UserRow,
} from "./store.ts";

export { findUserByEmail } from "./store.ts";

/** E-mail addresses are only names here: nothing is ever sent to them. */
export const Email = Type.String({ maxLength: 254, pattern: EMAIL_PATTERN });
export const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: "\\S" });
/** Only an upper bound: `assertPassword` checks the length, and its error states the rule. */
export const Password = Type.String({ maxLength: 1_000 });
export const WorkspaceRole = oneOf(ROLES);

/** An account, as it is shown. */
export const User = Type.Object(
  {
    id: Uuid,
    email: Type.String(),
    name: Type.String(),
    isInstallationOwner: Type.Boolean({ description: "Owner of every workspace; makes workspaces, sees all users." }),
    hasSecondFactor: Type.Boolean({ description: "Has an authenticator app or a passkey." }),
    createdAt: Timestamp,
    lastSignedInAt: nullable(Timestamp),
  },
  { $id: "User" },
);
export type User = Static<typeof User>;

/** A workspace that a person may enter, with their role. */
export const WorkspaceAccess = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    mode: oneOf(["SANDBOX", "LIVE"]),
    timeZone: Type.String({ description: "IANA zone in which the workspace counts its days." }),
    role: WorkspaceRole,
    permissions: Type.Array(Type.String()),
    lacksSecondFactor: Type.Boolean({ description: "Its routes refuse this session until a second factor is set up." }),
  },
  { $id: "WorkspaceAccess" },
);
export type WorkspaceAccess = Static<typeof WorkspaceAccess>;

/** An account with all its memberships, for owners of the installation. */
export const UserRecord = Type.Object(
  {
    ...User.properties,
    disabledAt: nullable(Timestamp),
    memberships: Type.Array(Type.Object({ workspaceId: Uuid, workspaceName: Type.String(), role: WorkspaceRole })),
  },
  { $id: "UserRecord" },
);
export type UserRecord = Static<typeof UserRecord>;

/** True until the first account is made. */
export async function needsSetup(db: Executor): Promise<boolean> {
  return (await countUsers(db)) === 0;
}

/** One account; 404 when there is none. */
export async function getUser(db: Executor, id: string): Promise<User> {
  return toUser(await requireUser(db, id));
}

/** Makes an account; 409 when the e-mail address is taken. */
export async function createUser(
  tx: Executor,
  user: { id: string; email: string; name: string; passwordHash: string; isInstallationOwner: boolean },
): Promise<void> {
  const isNew = await insertUser(tx, { ...user, name: user.name.trim() });
  if (!isNew) throw new AppError("CONFLICT", "This e-mail address has an account. Sign in with it.");
}

/** The workspaces that an account may enter in one of its sessions. */
export async function getAccess(
  db: Executor,
  user: { userId: string; isInstallationOwner: boolean; sessionId: string },
): Promise<WorkspaceAccess[]> {
  const account = { id: user.userId, is_installation_owner: user.isInstallationOwner };
  const rows = await listAccess(db, account, user.sessionId);
  const own = user.isInstallationOwner ? [INSTALLATION_OWNER] : [];
  return rows.map((row) => ({ ...row, permissions: [...permissionsOf(row.role, row.mode), ...own] }));
}

/** All accounts with their memberships. */
export async function getUsers(db: Executor): Promise<UserRecord[]> {
  const [users, memberships] = await Promise.all([listUsers(db), listMemberships(db)]);
  return users.map((row) => ({
    ...toUser(row),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    memberships: memberships
      .filter((one) => one.user_id === row.id)
      .map((one) => ({ workspaceId: one.workspace_id, workspaceName: one.workspace_name, role: one.role })),
  }));
}

/** Changes a person's own name. */
export async function renameUser(tx: Executor, id: string, name: string): Promise<User> {
  await setName(tx, id, name.trim());
  return getUser(tx, id);
}

/** Gives an account another e-mail address; 409 when it is taken. */
export async function changeEmail(tx: Executor, id: string, email: string): Promise<void> {
  if (await findUserByEmail(tx, email)) throw new AppError("CONFLICT", `${email} has another account.`);
  await setEmail(tx, id, email);
}

/**
 * Changes a person's own password, given the old one; all other sessions end. With a second factor the person must have
 * shown it recently, too.
 */
export async function changePassword(
  db: Executor,
  { userId, sessionId, actor }: { userId: string; sessionId: string; actor: Actor },
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  assertPassword(newPassword, "newPassword");
  const row = await requireUser(db, userId);
  if (row.second_factor_at !== null) await assertRecent(db, sessionId);
  const tries = await assertOwnTries(db, userId);
  if (!(await checkPassword(currentPassword, row.password_hash))) {
    await recordAudit(db, { workspaceId: null, actor, action: "user.password_refused", target: row.email });
    throw fieldError("currentPassword", "WRONG", "is not your password.");
  }
  const passwordHash = await hashPassword(newPassword);
  await db.transaction().execute(async (tx) => {
    await refundBuckets(tx, tries);
    await setPassword(tx, userId, passwordHash);
    await dropLinks(tx, "RESET", userId);
    await deleteSessions(tx, userId, sessionId);
    await recordAccountAudit(tx, userId, { actor, action: "user.password_changed", target: row.email });
  });
}

/**
 * Disables an account or enables it again. Its sessions end, and on disabling the links that it made. The last owner of
 * the installation cannot be disabled.
 */
export async function disableUser(tx: Executor, id: string, isDisabled: boolean, actor: Actor): Promise<void> {
  const row = await requireUser(tx, id);
  if (isDisabled && row.is_installation_owner && row.disabled_at === null && (await countInstallationOwners(tx)) === 1)
    throw new AppError("CONFLICT", "The installation must keep an owner.");
  await setDisabled(tx, id, isDisabled);
  await deleteSessions(tx, id, null);
  await dropLinks(tx, "RESET", id);
  if (isDisabled) await dropLinksBy(tx, id, null);
  const action = isDisabled ? "user.disabled" : "user.enabled";
  await recordAccountAudit(tx, id, { actor, action, target: row.email });
}

/** Disables or enables an account for the operator, who names it by its e-mail address; returns the account. */
export async function disableUserOf(tx: Executor, email: string, isDisabled: boolean, actor: Actor): Promise<User> {
  const row = await findUserByEmail(tx, email);
  if (!row) throw new AppError("NOT_FOUND", "There is no such user.");
  if ((row.disabled_at !== null) !== isDisabled) await disableUser(tx, row.id, isDisabled, actor);
  return toUser(row);
}

/** The row of an account; 404 when there is none. */
export async function requireUser(db: Executor, id: string): Promise<UserRow> {
  const row = await findUser(db, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such user.");
  return row;
}

/** An account, as it is shown. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isInstallationOwner: row.is_installation_owner,
    hasSecondFactor: row.second_factor_at !== null,
    createdAt: row.created_at.toISOString(),
    lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
  };
}
