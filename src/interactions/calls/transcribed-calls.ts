import type { FilledOutput, Turn } from "#src/engine/conversation/plan.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { findSpokenCalls, type SpokenCallsFilter } from "./spoken-sql.ts";
import { type CallRowRecord, findRow, listTranscribedRows } from "./store.ts";

/** A call with a transcript, and its results. */
export interface TranscribedCall {
  rowId: string;
  /** False while the call is live. */
  isOver: boolean;
  status: CallRowRecord["status"];
  outcome: string | null;
  endReason: string | null;
  answeredBy: string | null;
  transcript: Turn[];
  outputs: Record<string, FilledOutput>;
  fields: Record<string, unknown>;
  contact: { name: string | null; phone: string; email: string | null };
  rowData: Record<string, unknown>;
  contextData: Record<string, unknown>;
  answeredAt: Date;
  flowId: string | null;
  flowApiId: string | null;
  flowVersion: number | null;
  inlineFlow: object | null;
}

/** Returns one call of the workspace with its transcript; undefined when there is no such call. */
export async function findTranscribedCall(
  db: Executor,
  workspaceId: string,
  rowId: string,
): Promise<TranscribedCall | undefined> {
  const record = await findRow(db, workspaceId, rowId);
  return record && toTranscribedCall(record);
}

/** Lists calls that are over and have a transcript, newest first: those of the given ones, or the newest of a flow. */
export async function listTranscribedCalls(
  db: Executor,
  workspaceId: string,
  wanted: string[] | SpokenCallsFilter,
): Promise<TranscribedCall[]> {
  const rowIds = Array.isArray(wanted) ? wanted : await findSpokenCalls(db, workspaceId, wanted);
  return (await listTranscribedRows(db, workspaceId, rowIds)).map(toTranscribedCall);
}

function toTranscribedCall(record: CallRowRecord): TranscribedCall {
  const context: unknown = record.context_data === null ? {} : readExactText(record.context_data);
  return {
    rowId: record.id,
    isOver: record.ended_at !== null,
    status: record.status,
    outcome: record.outcome,
    endReason: record.end_reason,
    answeredBy: record.answered_by,
    transcript: record.transcript ?? [],
    outputs: (record.structured_outputs ?? {}) as Record<string, FilledOutput>,
    fields: record.extracted_fields ?? {},
    contact: { name: record.contact_name, phone: record.customer_number, email: record.contact_email },
    rowData: record.row_data ?? {},
    contextData: context as Record<string, unknown>,
    answeredAt: record.answered_at ?? record.started_at ?? record.created_at,
    flowId: record.flow_id,
    flowApiId: record.flow_api_id,
    flowVersion: record.flow_version,
    inlineFlow: record.inline_flow,
  };
}
