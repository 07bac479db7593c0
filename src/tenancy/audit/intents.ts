import type { Executor } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type AuditEvent, NO_WORKSPACE } from "./audit.ts";
import { deleteIntent, insertIntent, moveIntent } from "./intent-sql.ts";

export { moveOrphans } from "./intent-sql.ts";

/** Something that somebody is about to do, already stored. */
export interface AuditIntent {
  /** It was done to `target`: its entry takes the place of the intent. */
  done(target: string | null): Promise<void>;
  /** It was refused, and nothing changed. */
  drop(): Promise<void>;
  /** It failed in a way that leaves open what changed. */
  doubt(): Promise<void>;
}

/**
 * Stores what somebody is about to do, for a write that has no transaction to tell of it in. However the process ends,
 * the log will tell of it: with the outcome UNKNOWN where nobody could say any more whether it was done.
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
