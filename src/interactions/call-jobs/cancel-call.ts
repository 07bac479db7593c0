import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { allowsOnCall } from "#src/interactions/calls/states.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { cancelWaitingRow, findCancellable } from "./cancel-store.ts";
import { lockList } from "./run-store.ts";
import { lockJob } from "./store.ts";

/** Reply of POST /call-rows/{rowId}/cancel. */
export const CancelledCall = Type.Object(
  { callRowId: Uuid, cancelled: Type.Boolean({ description: "The call is CANCELLED and never dialled again." }) },
  { $id: "CancelledCall" },
);
export type CancelledCall = Static<typeof CancelledCall>;

const OVER = "The call is over.";
const LIVE = "The call is being dialled or under way. End it with POST /call-rows/{rowId}/end.";

/**
 * Cancels one call, of a job or single, that waits for its first or its next attempt. Either this or the claim wins. A
 * call that is already CANCELLED stays so. 404 when the workspace has no such call; 409 when it is over, is live, or
 * its list is still being imported.
 */
export async function cancelCall(tx: Executor, workspaceId: string, rowId: string): Promise<CancelledCall> {
  const row = await findCancellable(tx, workspaceId, rowId);
  if (!row) throw new AppError("NOT_FOUND");
  const done = { callRowId: rowId, cancelled: true };
  if (row.status === "CANCELLED") return done;
  if (!allowsOnCall(row.status, "cancel")) throw new AppError("CONFLICT", row.ended_at ? OVER : LIVE);
  // Locks numbers and job before the row, in the order of the dispatcher, and before that what changes many rows.
  if (row.job_id !== NO_JOB) await lockList(tx, workspaceId, row.job_id);
  const job = row.job_id === NO_JOB ? undefined : await lockJob(tx, workspaceId, row.job_id);
  if (job?.status === "IMPORTING")
    throw new AppError("CONFLICT", "The job's list is still being read. Ask again soon.");
  if (await cancelWaitingRow(tx, workspaceId, rowId)) return done;
  // The row was claimed in the meantime, or another request cancelled it.
  const now = await findCancellable(tx, workspaceId, rowId);
  if (now?.status === "CANCELLED") return done;
  throw new AppError("CONFLICT", now?.ended_at ? OVER : LIVE);
}
