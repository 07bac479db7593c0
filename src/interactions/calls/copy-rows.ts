import { copyField, type Session } from "#src/platform/db/session.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { NewRow } from "./new-row.ts";
import type { RowGroup } from "./store.ts";

/** Columns of a line: those that all rows share, those that need no escape, and texts. */
const COLUMNS = `workspace_id, job_id, status, flow_id, flow_api_id, max_attempts, due_at,
  id, session_id, line, customer_number, number_country, number_class, phone_number_id, time_zone,
  external_id, contact_name, contact_email, row_data, context_data`;

/** Characters that are handed over at once: what PostgreSQL stores in about a millisecond. */
const PIECE_CHARACTERS = 32 * 1024;

/**
 * Stores rows of a job, ready to be claimed, faster than `insertRows` does: by COPY, within the transaction that is
 * open on the session. PostgreSQL stores rows while later ones are still taken from the iterable. The names are not
 * searchable until they are indexed afterwards.
 */
export function copyRows(
  session: Session,
  workspaceId: string,
  group: RowGroup,
  rows: Iterable<NewRow>,
): Promise<void> {
  return session.copy(`copy call_rows (${COLUMNS}) from stdin`, toPieces(workspaceId, group, rows));
}

function* toPieces(workspaceId: string, group: RowGroup, rows: Iterable<NewRow>): Iterable<string> {
  const { jobId, flowId, flowApiId, maxAttempts, startAt } = group;
  const startMs = startAt?.getTime() ?? nowMs();
  const shared = [workspaceId, jobId, "QUEUED", flowId, flowApiId, maxAttempts].map(copyField).join("\t");
  const start = new Date(startMs).toISOString();
  let lines = "";
  for (const row of rows) {
    const due = row.head_start_ms === 0 ? start : new Date(startMs - row.head_start_ms).toISOString();
    lines += `${shared}\t${due}\t${plainFields(row)}\t${textFields(row)}\n`;
    if (lines.length < PIECE_CHARACTERS) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

function plainFields(row: NewRow): string {
  const { id, session_id: sessionId, line, customer_number: number, phone_number_id: numberId, time_zone: zone } = row;
  return `${id}\t${sessionId}\t${line ?? "\\N"}\t${number}\t${row.number_country}\t${row.number_class}\t${numberId}\t${zone ?? "\\N"}`;
}

function textFields(row: NewRow): string {
  const data = row.row_data === null ? null : JSON.stringify(row.row_data);
  return `${copyField(row.external_id)}\t${copyField(row.contact_name)}\t${copyField(row.contact_email)}\t${copyField(data)}\t${copyField(row.context_data)}`;
}
