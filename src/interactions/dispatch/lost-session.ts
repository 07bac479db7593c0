import type pg from "pg";
import { findDoubt, type SessionLine } from "#src/engine/opt-out/doubt.ts";
import type { RowOutcome } from "#src/interactions/calls/states.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";

/** The last words of the attempt that were kept while its conversation went on (checkpoints.ts). */
const KEPT = `
select s.transcript
  from call_attempts a join call_results s on s.workspace_id = a.workspace_id and s.row_id = a.row_id
 where a.workspace_id = $1 and a.id = $2 and s.updated_at >= a.submitted_at and not s.is_forgotten`;

/** How a call ends whose conversation could not be brought to its end. */
const LOST = new Set<RowOutcome | null>(["INTERRUPTED", "UNCONFIRMED"]);

/**
 * Looks over the kept words of a conversation whose session gave no end, because its node died or failed: the person may
 * have asked for no more contact all the same. Any other end is given back as it is.
 */
export async function reviewLostSession(pool: pg.Pool, row: ClaimedRow, end: CallEnd): Promise<CallEnd> {
  if (end.doubt !== undefined || row.attempt_id === null || !LOST.has(end.outcome)) return end;
  const values = [row.workspace_id, row.attempt_id];
  const found = await pool.query<{ transcript: SessionLine[] }>({ name: "kept-words", text: KEPT, values });
  const language = row.inline?.language ?? "en-US";
  return { ...end, doubt: findDoubt(found.rows[0]?.transcript ?? [], language) };
}
