import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { NO_JOB, WEB } from "#src/interactions/calls/new-row.ts";
import { insertCallBack, openLanes } from "#src/interactions/calls/queue-rows.ts";
import type { Database } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";

/** Dependencies of calls back. */
export interface CallBackParts {
  database: Pick<Database, "db">;
  node: NodeIdentity;
}

/**
 * Queues the call that calls a person back whose call the operator interrupted, if the flow wants that: a single call
 * with the same flow, number, contact and window, due in a minute. A person is called back once for each call of ours,
 * never for one that they made, and never when the job was stopped meanwhile. Idempotent.
 */
export async function queueCallBack(
  { database: { db }, node }: CallBackParts,
  row: ClaimedRow,
  fields: Partial<FlowFields> | null,
  end: CallEnd,
): Promise<void> {
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, id: rowId, attempt_id: attemptId } = row;
  if (end.outcome !== "INTERRUPTED_BY_OPERATOR" || fields?.callBackInterrupted !== true) return;
  if (row.direction === "INBOUND" || row.provider === WEB || attemptId === null) return;
  await db.transaction().execute(async (tx) => {
    const id = uuidv7();
    const of = { rowId, attemptId, nodeId: node.id };
    if (!(await insertCallBack(tx, workspaceId, { id, sessionId: uuidv7(), of }))) return;
    await openLanes(tx, workspaceId, NO_JOB, [{ phoneNumberId, maxCalls: null }]);
    await appendEvents(tx, workspaceId, [{ type: "call.queued", subjectId: id, data: { jobId: null } }]);
  });
}
