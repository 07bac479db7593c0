import { NO_JOB, phoneOf } from "#src/interactions/calls/new-row.ts";
import { announceSession } from "#src/interactions/webhooks/session-webhooks.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { RawJson } from "#src/platform/http/json.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { ClaimedRow } from "./claim.ts";

const TRIES = 6;
const FIRST_WAIT_MS = 100;

/** Returns the `session` member of the webhooks about a live conversation. */
export function toSessionMember(row: ClaimedRow, startedAt: Date | null) {
  return {
    status: "IN_PROGRESS",
    flowApiId: row.flow_api_id,
    contactName: row.contact_name,
    contactPhone: phoneOf(row.customer_number),
    startedAt: startedAt?.toISOString() ?? null,
    contextData: row.context_data === null ? null : new RawJson(row.context_data),
  };
}

/**
 * Announces that the conversation of a call began. The conversation does not wait for it, and goes on if the database
 * stays unavailable: only the end of the session is guaranteed to be announced.
 */
export async function announceStart(db: Executor, row: ClaimedRow, signal: AbortSignal): Promise<void> {
  const session = toSessionMember(row, now());
  const event = {
    eventType: "session.started",
    eventId: uuidv7(),
    sessionId: row.session_id,
    flowId: row.flow_id,
    inline: row.inline !== null,
    channel: "VOICE",
    data: { session, row: { id: row.id, jobId: row.job_id === NO_JOB ? null : row.job_id, humanRequested: false } },
  } as const;
  for (let round = 0; round < TRIES && !signal.aborted; round++) {
    try {
      return await announceSession(db, row.workspace_id, event);
    } catch {
      await sleep(FIRST_WAIT_MS * 2 ** round, signal).catch(() => undefined);
    }
  }
}
