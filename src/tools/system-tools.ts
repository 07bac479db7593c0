import type { ToolParameter } from "./tool-shapes.ts";

/** A tool that comes with the service. */
export interface SystemTool {
  /** The same in every workspace and on every server. */
  id: string;
  name: string;
  description: string;
  parameters: ToolParameter[];
}

/** When the tools were first offered; they belong to no workspace that could have made them. */
export const SYSTEM_TOOLS_SINCE = "2026-11-01T00:00:00.000Z";

/** The tools that every conversation can run. A new one needs its line here and its work in conversation/tools.ts. */
export const SYSTEM_TOOLS: readonly SystemTool[] = [
  {
    id: "970e5019-a4cf-566d-abc7-058f7bfdab87",
    name: "end_call",
    description: "Ends the conversation after what is said in this turn.",
    parameters: [{ name: "reason", type: "string", description: "Why the conversation ends.", required: false }],
  },
  {
    id: "78a39c58-35d2-513f-9fcf-3eaef8f74448",
    name: "add_to_do_not_call",
    description: "Puts the person's number on the workspace's do-not-call list.",
    parameters: [],
  },
];
