import type { Executor } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
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
