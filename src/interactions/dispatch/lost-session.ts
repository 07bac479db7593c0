import type pg from "pg";
import { findDoubt, type SessionLine } from "#src/engine/opt-out/doubt.ts";
import type { RowOutcome } from "#src/interactions/calls/states.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import type { LoadedFlow } from "./plan.ts";

/** Selects the transcript checkpointed during the attempt's conversation (checkpoints.ts). */
const KEPT = `
select s.transcript
  from call_attempts a join call_results s on s.workspace_id = a.workspace_id and s.row_id = a.row_id
 where a.workspace_id = $1 and a.id = $2 and s.updated_at >= a.submitted_at and not s.is_forgotten`;

/** Outcomes of calls whose conversation was lost. */
const LOST = new Set<RowOutcome | null>(["INTERRUPTED", "UNCONFIRMED"]);

/**
 * Examines the checkpointed transcript of a conversation whose session returned no end, because its node died or
 * failed: the person may have opted out all the same. `flow` is the version that the call used; null when it is gone.
 * Any other end is returned unchanged.
 */
export async function reviewLostSession(
  pool: pg.Pool,
  row: ClaimedRow,
  flow: Pick<LoadedFlow["fields"], "language"> | null,
  end: CallEnd,
): Promise<CallEnd> {
  if (end.doubt !== undefined || row.attempt_id === null || !LOST.has(end.outcome)) return end;
  const values = [row.workspace_id, row.attempt_id];
  const found = await pool.query<{ transcript: SessionLine[] }>({ name: "kept-words", text: KEPT, values });
  return { ...end, doubt: findDoubt(found.rows[0]?.transcript ?? [], flow?.language ?? "en-US") };
}
