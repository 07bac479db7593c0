import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { announceSession } from "#src/interactions/webhooks/session-webhooks.ts";
import { type Database, first, sql } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import type { ClaimedRow } from "./claim.ts";
import { toSessionMember } from "./session-start.ts";

/**
 * Stores that the person of a live call asked for a human, and announces it in the same commit. A repeat changes and
 * announces nothing. The end of the call stores the request once more (`humanRequested` of its CallEnd), whether this
 * succeeded or not.
 */
export async function noteHumanRequest({ db }: Database, row: ClaimedRow): Promise<void> {
  const { workspace_id: workspaceId, id } = row;
  const jobId = row.job_id === NO_JOB ? null : row.job_id;
  await db.transaction().execute(async (tx) => {
    const noted = await first<{ answered_at: Date | null }>(
      tx,
      sql`update call_rows r set human_requested = true, updated_at = now()
           where r.workspace_id = ${workspaceId} and r.id = ${id} and not r.human_requested
          returning (select a.answered_at from call_attempts a
                      where a.workspace_id = r.workspace_id and a.id = r.attempt_id) as answered_at`,
    );
    if (!noted) return;
    await appendEvents(tx, workspaceId, [{ type: "call.human_requested", subjectId: id, data: { jobId } }]);
    await announceSession(tx, workspaceId, {
      eventType: "session.human_requested",
      sessionId: row.session_id,
      flowId: row.flow_id,
      inline: row.inline !== null,
      channel: "VOICE",
      data: { session: toSessionMember(row, noted.answered_at), row: { id, jobId, humanRequested: true } },
    });
  });
}
