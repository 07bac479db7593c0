import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { type AuditEvent, NO_WORKSPACE } from "./audit.ts";
import { deleteIntent, insertIntent, moveIntent } from "./intent-sql.ts";

export { moveOrphans } from "./intent-sql.ts";

/** A stored intent: an action that somebody is about to carry out. */
export interface AuditIntent {
  /** The action was done to `target`: its entry replaces the intent. */
  done(target: string | null): Promise<void>;
  /** The action was refused, and nothing changed. */
  drop(): Promise<void>;
  /** The action failed, and it is open what changed. */
  doubt(): Promise<void>;
}

/**
 * Stores an action that somebody is about to carry out, for a write without a transaction of its own. The log gets an
 * entry however the process ends, with the outcome UNKNOWN when it is not known if the action was done.
 */
export async function announceAudit(db: Executor, nodeId: string, event: AuditEvent): Promise<AuditIntent> {
  const id = uuidv7();
  const workspaceId = event.workspaceId ?? NO_WORKSPACE;
  await insertIntent(db, workspaceId, { id, nodeId, event });
  return {
    done: (target) => moveIntent(db, workspaceId, id, { ...event, target }),
    drop: () => deleteIntent(db, workspaceId, id),
    doubt: () => moveIntent(db, workspaceId, id, { ...event, details: { outcome: "UNKNOWN" } }),
  };
}

/** Dependencies of announced actions: the audit log's database, and the node that writes. */
export interface AuditParts {
  db: Executor;
  node: NodeIdentity;
}

/**
 * Runs an audited action that is announced before it begins, so that a crash after it loses no entry. `targetOf` returns
 * what the action was done to, or undefined for a result that refuses it. An action that throws a 4xx changed nothing and
 * leaves no entry.
 */
export async function runAnnounced<Result>(
  { db, node }: AuditParts,
  event: AuditEvent,
  run: () => Result | Promise<Result>,
  targetOf: (result: Result) => string | null | undefined,
): Promise<Result> {
  const intent = await announceAudit(db, node.id, event);
  let result: Result;
  try {
    result = await run();
  } catch (error) {
    await (error instanceof AppError && error.status < 500 ? intent.drop() : intent.doubt());
    throw error;
  }
  const target = targetOf(result);
  await (target === undefined ? intent.drop() : intent.done(target));
  return result;
}
