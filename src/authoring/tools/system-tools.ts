import { SYSTEM_TOOL_SPECS, type SystemToolSpec } from "#src/engine/conversation/system-tool-list.ts";
import type { ToolParameter } from "./tool-shapes.ts";

/** A tool that comes with the service. */
export interface SystemTool {
  /** The same in every workspace and on every server. */
  id: string;
  name: string;
  description: string;
  parameters: ToolParameter[];
}

/** Creation time shown for system tools: when they were first offered, as no workspace made them. */
export const SYSTEM_TOOLS_SINCE = "2026-11-01T00:00:00.000Z";

const IDS: Record<string, string> = {
  end_call: "970e5019-a4cf-566d-abc7-058f7bfdab87",
  add_to_do_not_call: "78a39c58-35d2-513f-9fcf-3eaef8f74448",
  transfer_call: "7e1c9892-21e6-59dd-98fe-8fe39162a3c2",
  send_dtmf: "69e23799-e5b6-5b2f-a511-0c0f351a4b17",
  send_message: "e5a153a5-6deb-5b91-9291-6fbf8d6fc853",
  schedule_callback: "41bc13d4-6f3d-5404-9467-842b3cde9377",
  search_knowledge: "c8f13903-1d5c-5dd1-b43d-1eb3bfbd1180",
  read_record: "ab538af3-3dd1-5fa6-a6d3-eb2208940842",
  write_record: "e52dc06d-d70b-5770-bd83-3a1b8625c42a",
  leave_voicemail: "dcec6517-dd54-51b0-88d3-bf7ccd77da3c",
};

/** Tools that come with the service. Conversations always have two of them, and the others where a flow names them. */
export const SYSTEM_TOOLS: readonly SystemTool[] = SYSTEM_TOOL_SPECS.map((spec) => ({
  id: idOf(spec),
  name: spec.name,
  description: spec.description,
  parameters: spec.parameters.map((parameter) => ({ ...parameter })),
}));

function idOf({ name }: SystemToolSpec): string {
  const id = IDS[name];
  if (id === undefined) throw new Error(`The system tool ${name} has no id.`);
  return id;
}
