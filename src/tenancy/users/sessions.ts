import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type Actor, recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import { permissionsOf, type Role } from "./roles.ts";
import { deleteSession, deleteSessions, findStandings, listSessions } from "./session-sql.ts";

export {
  ABSOLUTE_SECONDS,
  type AdmittedRow,
  admitSession,
  findLiveSessions,
  SESSION_CAPACITY,
  SESSION_PER_SECOND,
} from "./session-sql.ts";

/** A session, as its person is shown it. */
export const UserSession = Type.Object(
  {
    id: Uuid,
    isCurrent: Type.Boolean(),
    address: Type.String(),
    userAgent: nullable(Type.String()),
    createdAt: Timestamp,
    seenAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: "UserSession" },
);
export type UserSession = Static<typeof UserSession>;

/** The live sessions of an account, newest first. */
export async function getSessions(db: Executor, userId: string, currentId: string): Promise<UserSession[]> {
  return (await listSessions(db, userId)).map((row) => ({
    id: row.id,
    isCurrent: row.id === currentId,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    expiresAt: (row.idle_expires_at < row.expires_at ? row.idle_expires_at : row.expires_at).toISOString(),
  }));
}

/** Signs out: ends the session that a person uses. */
export async function signOut(tx: Executor, userId: string, id: string, actor: Actor): Promise<void> {
  if (!(await deleteSession(tx, userId, id))) throw new AppError("NOT_FOUND", "There is no such session.");
  await recordAudit(tx, { workspaceId: null, actor, action: "session.ended", target: id });
}

/** Ends another session of an account, effective on its next request; 404 when there is none. */
export async function endSession(tx: Executor, userId: string, id: string, actor: Actor): Promise<void> {
  if (!(await deleteSession(tx, userId, id))) throw new AppError("NOT_FOUND", "There is no such session.");
  await recordAccountAudit(tx, userId, { actor, action: "session.other_ended", target: id });
}

/** Ends all sessions of an account but one. */
export async function endOtherSessions(tx: Executor, userId: string, keptId: string, actor: Actor): Promise<void> {
  await deleteSessions(tx, userId, keptId);
  await recordAccountAudit(tx, userId, { actor, action: "session.others_ended", target: null });
}

/** A session, and the workspace that its person views. */
interface SessionInWorkspace {
  workspaceId: string;
  sessionId: string;
}

/** Returns those of these whose session is live and whose role has the permission. */
export async function findPermitted<Asked extends SessionInWorkspace>(
  db: Executor,
  asked: Asked[],
  permission: string,
): Promise<Asked[]> {
  const standings = asked.length === 0 ? [] : await findStandings(db, asked);
  const permitted = new Set(
    standings
      .filter(({ role, mode }) => permissionsOf(role as Role, mode).has(permission))
      .map((row) => `${row.workspace_id}|${row.session_id}`),
  );
  return asked.filter(({ workspaceId, sessionId }) => permitted.has(`${workspaceId}|${sessionId}`));
}
