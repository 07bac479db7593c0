import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { NIL_UUID, uuidv7 } from "#src/platform/kernel/id.ts";
import { type AuditFilter, type AuditRow, countEntries, listEntries } from "./store.ts";

/** Id used instead of a workspace's in entries about the installation itself. */
export const NO_WORKSPACE = NIL_UUID;

const ACTOR_KINDS = ["USER", "OPERATOR", "SYSTEM"] as const;

/** Author of an audited action, and the address it came from. */
export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  userId: string | null;
  /** E-mail address of a person, or the name of a program. */
  name: string;
  address: string | null;
  requestId: string | null;
}

/** Actor of the operator socket's commands: access to the socket makes the operator. */
export const OPERATOR: Actor = { kind: "OPERATOR", userId: null, name: "operator", address: null, requestId: null };

/** One audited action. */
export interface AuditEvent {
  /** Null: about the installation. */
  workspaceId: string | null;
  actor: Actor;
  /** Such as `member.role_changed`, or method and path template of a write. */
  action: string;
  /** Object of the action. */
  target: string | null;
  /** Never a secret; of personal data only what identifies the target. */
  details?: Record<string, unknown>;
}

/** One entry, as it is shown. */
export const AuditEntry = Type.Object(
  {
    id: Uuid,
    at: Timestamp,
    actorKind: oneOf(ACTOR_KINDS),
    userId: nullable(Type.String()),
    actor: Type.String(),
    action: Type.String(),
    target: nullable(Type.String()),
    address: nullable(Type.String()),
    requestId: nullable(Type.String()),
    details: anyObject("More about it."),
  },
  { $id: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;
export const AuditPage = pageOf(AuditEntry, "AuditPage");

/** Appends an entry, in the transaction of the audited change wherever there is one. */
export async function recordAudit(tx: Executor, event: AuditEvent): Promise<void> {
  const { actor } = event;
  await all(
    tx,
    sql`insert into audit_log (workspace_id, id, actor_kind, user_id, actor, action, target, address, request_id, details)
        values (${event.workspaceId ?? NO_WORKSPACE}, ${uuidv7()}, ${actor.kind}, ${actor.userId}, ${actor.name},
                ${event.action}, ${event.target}, ${actor.address}, ${actor.requestId},
                ${JSON.stringify(event.details ?? {})})`,
  );
}

/** A page of the log of a workspace, or of the installation (null); newest first. */
export async function getAuditPage(
  db: Executor,
  workspaceId: string | null,
  request: PageRequest,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const id = workspaceId ?? NO_WORKSPACE;
  const [rows, total] = await Promise.all([listEntries(db, id, request, filter), countEntries(db, id, filter)]);
  return toPage(request, rows.map(toEntry), total);
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    actorKind: row.actor_kind,
    userId: row.user_id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    address: row.address,
    requestId: row.request_id,
    details: row.details,
  };
}
