import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { NO_JOB, WEB } from "#src/interactions/calls/new-row.ts";
import { insertCallBack, openLanes } from "#src/interactions/calls/queue-rows.ts";
import type { Database } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";

/**
 * Queues the call that calls a person back whose call the operator interrupted, if the flow wants that: a single call
 * with the same flow, number, contact and window, due in a minute. A person is called back once for each call of ours,
 * never for one that they made, and never when the job was stopped meanwhile. Idempotent.
 */
export async function queueCallBack(
  { db }: Pick<Database, "db">,
  row: ClaimedRow,
  fields: Partial<FlowFields> | null,
  end: CallEnd,
): Promise<void> {
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId } = row;
  if (end.outcome !== "INTERRUPTED_BY_OPERATOR" || fields?.callBackInterrupted !== true) return;
  if (row.direction === "INBOUND" || row.provider === WEB) return;
  await db.transaction().execute(async (tx) => {
    const id = uuidv7();
    if (!(await insertCallBack(tx, workspaceId, { id, sessionId: uuidv7(), callBackOf: row.id }))) return;
    await openLanes(tx, workspaceId, NO_JOB, [{ phoneNumberId, maxCalls: null }]);
    await appendEvents(tx, workspaceId, [{ type: "call.queued", subjectId: id, data: { jobId: null } }]);
  });
}
