import { copyField, type Session } from "#src/platform/db/session.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { NewRow } from "./new-row.ts";
import type { RowGroup } from "./store.ts";

/** Columns of a row in the order of its fields; those that all rows share come first. */
const COLUMNS = `workspace_id, job_id, status, flow_id, flow_api_id, max_attempts, due_at, id, session_id, line,
  external_id, customer_number, number_country, number_class, phone_number_id, contact_name, contact_email, row_data,
  context_data, time_zone`;

/**
 * Stores rows of a job, ready to be claimed, faster than `insertRows` does: by COPY, within the transaction that is
 * open on the session. The names are not searchable until they are indexed afterwards.
 */
export async function copyRows(session: Session, workspaceId: string, group: RowGroup, rows: NewRow[]): Promise<void> {
  const { jobId, flowId, flowApiId, maxAttempts, startAt } = group;
  const startMs = startAt?.getTime() ?? nowMs();
  const shared = [workspaceId, jobId, "QUEUED", flowId, flowApiId, maxAttempts].map(copyField).join("\t");
  let lines = "";
  for (const row of rows) lines += `${shared}\t${toLine(row, startMs)}\n`;
  await session.copy(`copy call_rows (${COLUMNS}) from stdin`, lines);
}

function toLine(row: NewRow, startMs: number): string {
  const fields = [
    new Date(startMs - row.head_start_ms).toISOString(),
    row.id,
    row.session_id,
    row.line,
    row.external_id,
    row.customer_number,
    row.number_country,
    row.number_class,
    row.phone_number_id,
    row.contact_name,
    row.contact_email,
    row.row_data === null ? null : JSON.stringify(row.row_data),
    row.context_data,
    row.time_zone,
  ];
  return fields.map(copyField).join("\t");
}
