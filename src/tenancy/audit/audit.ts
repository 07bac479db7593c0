import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { NIL_UUID, uuidv7 } from "#src/platform/kernel/id.ts";
import type { AuditAction } from "./actions.ts";
import { type AuditFilter, type AuditRow, countEntries, listEntries, listEntered } from "./store.ts";
import { findTargets, type FoundTarget, TARGET_KINDS } from "./target-sql.ts";

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
  action: AuditAction;
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
    object: nullable(
      Type.Object({
        kind: oneOf(TARGET_KINDS),
        name: nullable(Type.String()),
        within: Type.Array(Type.String(), { description: "Ids of what holds it, from the outside to the inside." }),
      }),
    ),
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
  await append(tx, [event.workspaceId], event);
}

/**
 * Appends an entry about the security of an account to the log of the installation, and to that of each workspace that
 * the person may enter: whoever answers for a workspace sees whose password or second factor was reset.
 */
export async function recordAccountAudit(
  tx: Executor,
  userId: string,
  event: Omit<AuditEvent, "workspaceId">,
): Promise<void> {
  await append(tx, [null, ...(await listEntered(tx, userId))], event);
}

/** Appends the entry to each of these logs in one statement; null is that of the installation. */
async function append(
  tx: Executor,
  workspaceIds: (string | null)[],
  { actor, action, target, details = {} }: Omit<AuditEvent, "workspaceId">,
): Promise<void> {
  const logs = workspaceIds.map((id) => id ?? NO_WORKSPACE);
  const ids = logs.map(() => uuidv7());
  await all(
    tx,
    sql`insert into audit_log (workspace_id, id, actor_kind, user_id, actor, action, target, address, request_id, details)
        select e.log, e.id, ${actor.kind}, ${actor.userId}, ${actor.name}, ${action}, ${target}::text, ${actor.address},
               ${actor.requestId}, ${JSON.stringify(details)}::jsonb
          from unnest(${logs}::uuid[], ${ids}::uuid[]) as e(log, id)`,
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
  const rows = await listEntries(db, id, request, filter);
  const targets = rows.flatMap(({ target }) => target ?? []);
  const found = workspaceId === null ? new Map<string, FoundTarget>() : await findTargets(db, id, targets);
  return toPage(
    request,
    rows.map((row) => toEntry(row, row.target === null ? undefined : found.get(row.target))),
    () => countEntries(db, id, filter),
  );
}

function toEntry(row: AuditRow, object: FoundTarget | undefined): AuditEntry {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    actorKind: row.actor_kind,
    userId: row.user_id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    object: object ? { kind: object.kind, name: object.name, within: object.within } : null,
    address: row.address,
    requestId: row.request_id,
    details: row.details,
  };
}
