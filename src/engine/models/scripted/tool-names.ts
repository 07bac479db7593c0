import { CHOOSE_EDGE, RECORD_FIELDS } from "#src/engine/models/models.ts";

/** Tools that are part of the service; every other tool is the flow's own. */
export const SYSTEM_TOOLS: ReadonlySet<string> = new Set([
  "end_call",
  "add_to_do_not_call",
  "transfer_call",
  "request_human",
  "send_dtmf",
  "send_message",
  "schedule_callback",
  "search_knowledge",
  "read_record",
  "write_record",
  "leave_voicemail",
  RECORD_FIELDS,
  CHOOSE_EDGE,
]);

/** True for a tool that transfers the call to a person. */
export function isTransfer(name: string): boolean {
  return /transfer|forward/i.test(name);
}
