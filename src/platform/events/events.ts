import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";

/** Events inside the service, one name for each thing that happens. */
export type EventType =
  | "call.queued"
  | "call.received"
  | "call.declined"
  | "call.human_requested"
  | "call.alert"
  | "call.ended"
  | "call.outputs_filled"
  | "call.supervision_started"
  | "call.supervision_changed"
  | "call.supervision_ended"
  | "call.whispered"
  | "call.words_said"
  | "call.end_requested"
  | "call_job.created"
  | "call_job.completed"
  | "call_job.rows_cancelled"
  | "chat.started"
  | "chat.message"
  | "chat.human_requested"
  | "chat.taken_over"
  | "chat.handed_back"
  | "chat.ended"
  | "transcription.queued"
  | "transcription.ended"
  | "automation.run_ended"
  | "contact.erased"
  | "credential.expires_soon"
  | "opt_out_review.opened"
  | "opt_out_review.decided"
  | "phone_number.suspended"
  | "phone_number.ready"
  | "phone_number.failed"
  | "connection.needs_sign_in";

export interface NewEvent {
  type: EventType;
  /** The row, job or session it is about. */
  subjectId: string;
  data: Record<string, unknown>;
}

/** Appends events in the caller's transaction, so that no event exists for something that was not stored. */
export async function appendEvents(tx: Executor, workspaceId: string, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    id: uuidv7(),
    type: event.type,
    subject_id: event.subjectId,
    data: event.data,
  }));
  await all(
    tx,
    sql`insert into events (workspace_id, id, type, subject_id, data)
        select ${workspaceId}::uuid, id, type, subject_id, data
        from json_to_recordset(${toStorableJson(rows)}::json) as x(id uuid, type text, subject_id uuid, data json)`,
  );
}
