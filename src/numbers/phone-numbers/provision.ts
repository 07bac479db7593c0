import type { Executor } from "#src/platform/db/database.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { findNumber } from "./store.ts";

/** Gets a PENDING number from its carrier, and points its calls and messages at us; its subject is the number. */
export const PROVISION_TASK = "phone_number.provision";
/** Gives a number that we bought back to its carrier. */
export const RELEASE_TASK = "phone_number.release";

/** What the task of a release remembers, for the number's row may be another one's by then. */
export interface ReleaseOrder {
  number: string;
  accountId: string;
  /** Null: an order was under way, and what became of it is looked up first. */
  externalId: string | null;
}

/** Has a PENDING number set up, in the caller's transaction. */
export async function planProvision(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await addTask(tx, workspaceId, { kind: PROVISION_TASK, subjectId: id, payload: {} });
}

/** Has a number given back that we bought, or that is being bought; any other stays where it is. */
export async function planRelease(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const row = await findNumber(tx, workspaceId, id);
  if (!row || row.carrier_account_id === null) return;
  if (!row.was_bought && row.ordered_at === null) return;
  const { number, carrier_account_id: accountId, external_id: externalId } = row;
  const payload = { number, accountId, externalId } satisfies ReleaseOrder;
  await addTask(tx, workspaceId, { kind: RELEASE_TASK, subjectId: id, payload });
}
