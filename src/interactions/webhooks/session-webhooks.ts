import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { stringifyReply } from "#src/platform/http/json.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";

/** Task that delivers one session event to one webhook. */
export const SESSION_TASK = "session.event";

/** Events that a session webhook can subscribe to. */
export const SESSION_EVENTS = [
  "session.started",
  "message.created",
  "session.human_requested",
  "call.alert",
  "session.ended",
] as const;
export type SessionEventType = (typeof SESSION_EVENTS)[number];

/** An event of a session. */
export interface SessionEvent {
  eventType: SessionEventType;
  /** For a caller that may announce the same event again; by default each gets a new id. */
  eventId?: string;
  sessionId: string;
  /** Null when only global webhooks apply. */
  flowId: string | null;
  /** Webhooks do not run for inline flows: nothing is announced. */
  inline: boolean;
  channel: "VOICE" | "CHAT" | "SMS" | "WHATSAPP";
  /**
   * Members of the payload: `session` (status, outcome, flowApiId, contactName, contactPhone, startedAt, endedAt, endReason,
   * contextData, which may be a RawJson; id, channel and flowId are filled in, absent ones are null), and where they
   * apply `row` ({id, jobId, humanRequested}), `message` and `alert`.
   */
  data: Record<string, unknown>;
}

/** Members of every session in a payload; null until known. */
const EMPTY_SESSION = {
  id: null,
  channel: null,
  status: null,
  outcome: null,
  flowId: null,
  flowApiId: null,
  contactName: null,
  contactPhone: null,
  startedAt: null,
  endedAt: null,
  endReason: null,
  contextData: null,
};

/**
 * Announces a session event to the workspace's webhooks that subscribe to it, in the caller's transaction. One
 * statement writes a delivery for each.
 */
export async function announceSession(tx: Executor, workspaceId: string, event: SessionEvent): Promise<void> {
  if (event.inline) return;
  const { eventType, sessionId, flowId, channel, data } = event;
  const session = { ...EMPTY_SESSION, ...(data.session as object | undefined), id: sessionId, channel, flowId };
  const payload = {
    eventId: event.eventId ?? uuidv7(),
    eventType,
    occurredAt: now().toISOString(),
    // Kept as text inside the JSON, so that contextData keeps every digit in the outbox.
    members: stringifyReply({ row: null, ...data, session }),
  };
  await all(
    tx,
    sql`insert into tasks (id, workspace_id, kind, subject_id, payload)
        select gen_random_uuid(), h.workspace_id, ${SESSION_TASK}, h.id, ${JSON.stringify(payload)}::json
          from session_webhooks h
         where h.workspace_id = ${workspaceId} and h.enabled and ${eventType} = any(h.events)
           and (h.flow_id is null or h.flow_id = ${flowId}::uuid)`,
  );
}
