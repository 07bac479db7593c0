import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { cancelWaitingRow, findCancellable } from "./cancel-store.ts";
import { lockJob } from "./store.ts";

/** Reply of POST /call-rows/{rowId}/cancel. */
export const CancelledCall = Type.Object(
  { callRowId: Uuid, cancelled: Type.Boolean({ description: "The call is CANCELLED and never dialled again." }) },
  { $id: "CancelledCall" },
);
export type CancelledCall = Static<typeof CancelledCall>;

const LIVE = "The call is being dialled or under way. End it with POST /call-rows/{rowId}/end.";

/**
 * Cancels one call that waits for its first or its next attempt, of a job or single; whichever is first, this or the
 * claim, has it. A call that is CANCELLED already stays so. 404 for none of the workspace; 409 for one that is over, is
 * live, or whose list is still being read.
 */
export async function cancelCall(tx: Executor, workspaceId: string, rowId: string): Promise<CancelledCall> {
  const row = await findCancellable(tx, workspaceId, rowId);
  if (!row) throw new AppError("NOT_FOUND");
  const done = { callRowId: rowId, cancelled: true };
  if (row.status === "CANCELLED") return done;
  if (row.ended_at) throw new AppError("CONFLICT", "The call is over.");
  // Numbers and job before the row, as the dispatcher locks them.
  const job = row.job_id === NO_JOB ? undefined : await lockJob(tx, workspaceId, row.job_id);
  if (job?.status === "IMPORTING")
    throw new AppError("CONFLICT", "The job's list is still being read. Ask again soon.");
  if (await cancelWaitingRow(tx, workspaceId, rowId)) return done;
  // Meanwhile it was claimed, or somebody else cancelled it.
  const now = await findCancellable(tx, workspaceId, rowId);
  if (now?.status === "CANCELLED") return done;
  throw new AppError("CONFLICT", now?.ended_at ? "The call is over." : LIVE);
}
