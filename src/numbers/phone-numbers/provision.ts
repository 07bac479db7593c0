import type { Executor } from "#src/platform/db/database.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { findNumber } from "./store.ts";

/**
 * Task that gets a PENDING number from its carrier, and points its calls and messages at us; its subject is the number.
 */
export const PROVISION_TASK = "phone_number.provision";
/** Task that returns a bought number to its carrier. */
export const RELEASE_TASK = "phone_number.release";

/** Payload of a release task, which keeps these values because the number's row may be reused by then. */
export interface ReleaseOrder {
  number: string;
  accountId: string;
  /** Null: an order was under way, so its result is looked up first. */
  externalId: string | null;
}

/** Schedules the setup of a PENDING number, in the caller's transaction. */
export async function planProvision(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await addTask(tx, workspaceId, { kind: PROVISION_TASK, subjectId: id, payload: {} });
}

/**
 * Schedules the return of a number that was bought here, or is being bought; any other number stays with its carrier.
 */
export async function planRelease(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const row = await findNumber(tx, workspaceId, id);
  if (!row || row.carrier_account_id === null) return;
  if (!row.was_bought && row.ordered_at === null) return;
  const { number, carrier_account_id: accountId, external_id: externalId } = row;
  const payload = { number, accountId, externalId } satisfies ReleaseOrder;
  await addTask(tx, workspaceId, { kind: RELEASE_TASK, subjectId: id, payload });
}
