import type { Database } from "./database.ts";

/** What may be forgotten, and when: a statement each, run in small bites so that none holds locks for long. */
const STATEMENTS = [
  // A reply is replayed for 24 h (design section 4, "Idempotency-Key").
  `delete from idempotency_keys where ctid = any (array(
     select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit 5000))`,
  `delete from access_tokens where ctid = any (array(select ctid from access_tokens where expires_at < now() limit 5000))`,
  // Raw carrier events serve reconciliation, whose horizon is minutes; three days leave room to look into a fault.
  `delete from carrier_events where ctid = any (array(
     select ctid from carrier_events where received_at < now() - interval '3 days' limit 5000))`,
  // Reports of messages that nobody here sent.
  `delete from early_reports where ctid = any (array(
     select ctid from early_reports where received_at < now() - interval '3 days' limit 5000))`,
  // Pieces of uploads that a crash left before they became a recording.
  `with dropped as (
     delete from transcription_uploads where ctid = any (array(
       select ctid from transcription_uploads where created_at < now() - interval '24 hours' limit 100))
     returning workspace_id, row_id)
   delete from transcription_audio a using dropped d where a.workspace_id = d.workspace_id and a.row_id = d.row_id`,
  // An answer that comes a month late has nobody to hear it.
  `delete from tool_tasks where ctid = any (array(
     select ctid from tool_tasks where created_at < now() - interval '30 days' limit 5000))`,
  `delete from tool_results where ctid = any (array(
     select ctid from tool_results where expires_at < now() limit 5000))`,
  `delete from tool_places where ctid = any (array(select ctid from tool_places where expires_at < now() limit 5000))`,
  // Who follows a chat resumes within minutes; its messages stay.
  `delete from chat_events where ctid = any (array(
     select ctid from chat_events where created_at < now() - interval '30 days' limit 5000))`,
  `delete from widget_tokens where ctid = any (array(select ctid from widget_tokens where expires_at < now() limit 5000))`,
  `delete from web_calls where ctid = any (array(
     select ctid from web_calls where expires_at < now() - interval '1 hour' limit 5000))`,
  `delete from web_phones where ctid = any (array(select ctid from web_phones where expires_at < now() limit 5000))`,
  `delete from widget_buckets where ctid = any (array(
     select ctid from widget_buckets where refilled_at < now() - interval '1 hour' limit 5000))`,
  // Nobody waits for them any more, and their words are personal.
  `update call_commands set state = 'LOST', words = null, settled_at = now()
    where settled_at is null and created_at < now() - interval '1 minute'`,
  // Longer than a reply is replayed.
  `delete from call_commands where ctid = any (array(
     select ctid from call_commands where created_at < now() - interval '2 days' limit 5000))`,
  `delete from supervision_tokens where ctid = any (array(
     select ctid from supervision_tokens where expires_at < now() limit 5000))`,
  `delete from user_sessions where ctid = any (array(
     select ctid from user_sessions where idle_expires_at < now() or expires_at < now() limit 5000))`,
  `delete from sign_in_links where ctid = any (array(
     select ctid from sign_in_links where expires_at < now() or used_at < now() - interval '1 day' limit 5000))`,
  `delete from sign_in_buckets where ctid = any (array(
     select ctid from sign_in_buckets where refilled_at < now() - interval '2 hours' limit 5000))`,
  // Longer than any limit to complain of what somebody did.
  `delete from audit_log where ctid = any (array(
     select ctid from audit_log where created_at < now() - interval '400 days' limit 5000))`,
  `delete from address_buckets where ctid = any (array(
     select ctid from address_buckets where refilled_at < now() - interval '1 hour' limit 5000))`,
  // They are looked at while somebody builds.
  `delete from inspected_requests where ctid = any (array(
     select ctid from inspected_requests where created_at < now() - interval '24 hours' limit 500))`,
  // Their transcripts may name people.
  `delete from simulations where ctid = any (array(
     select ctid from simulations where created_at < now() - interval '90 days' limit 500))`,
];

/** Forgets what has served its time. */
export async function forgetExpired({ pool }: Database): Promise<void> {
  for (const statement of STATEMENTS) await pool.query(statement);
}
