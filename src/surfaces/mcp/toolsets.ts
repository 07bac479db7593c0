import { AppError } from "#src/platform/kernel/errors.ts";
import type { McpTool } from "./tool.ts";

/** Set of the first segment of a path below the API's prefix, where it is not named like the segment. */
const SET_OF_SEGMENT: Readonly<Record<string, string>> = {
  "call-history": "calls",
  "call-rows": "calls",
  "web-calls": "calls",
  "web-phones": "calls",
  "call-jobs": "jobs",
  "lead-sources": "jobs",
  "chat-sessions": "chats",
  widgets: "chats",
  "do-not-call": "contacts",
  "opt-out-reviews": "contacts",
  "structured-outputs": "flows",
  "flow-templates": "flows",
  "tool-tasks": "tools",
  "connection-providers": "tools",
  connections: "tools",
  "tool-packs": "tools",
  applications: "data",
  "data-stores": "data",
  personas: "simulations",
  artifacts: "automations",
  balance: "usage",
};

/** Tools that an assistant gets unless it asks for sets: the way from a flow to a call and its result. */
const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  "place_call_and_wait",
  "start_call_job_from_rows",
  "summarise_job_failures",
  "place_call",
  "list_calls",
  "get_call",
  "list_call_jobs",
  "get_call_job",
  "summarize_call_job",
  "list_call_job_rows",
  "pause_call_job",
  "resume_call_job",
  "cancel_call_job",
  "list_flows",
  "get_flow",
  "create_flow",
  "update_flow",
  "start_simulation",
  "get_simulation",
  "start_chat",
  "get_chat",
  "list_phone_numbers",
  "get_balance",
]);

const DEFAULT = "default";
const ALL = "all";

/** Returns the toolset of a route, by its path below the API's prefix, such as `jobs` for /call-jobs/{jobId}. */
export function toolsetOf(path: string): string {
  const [first = "", second = ""] = path.split("/").filter(Boolean);
  if (first === "outbound") return second;
  return SET_OF_SEGMENT[first] ?? first;
}

/** True for a tool that works with these permissions; every group of `needs` asks for one of its names. */
export function isGranted(tool: McpTool, permissions: ReadonlySet<string>): boolean {
  return tool.needs.every((oneOf) => oneOf.some((name) => permissions.has(name)));
}

/**
 * Returns the test of a tool that the query member `toolsets` stands for: names with commas between them, of which
 * `default` (also without the member) and `all` are always there, and `names` those of the tools. Throws BAD_REQUEST for a set that does not exist.
 */
export function readToolsets(text: string | undefined, names: readonly string[]): (tool: McpTool) => boolean {
  const asked = new Set((text ?? DEFAULT).split(",").map((name) => name.trim().toLowerCase()));
  const known = [DEFAULT, ALL, ...names];
  const unknown = [...asked].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AppError(
      "BAD_REQUEST",
      `${unknown.slice(0, 50) || "Nothing"} is no toolset. Known: ${known.join(", ")}.`,
    );
  }
  return (tool) =>
    tool.toolset === undefined ||
    asked.has(ALL) ||
    asked.has(tool.toolset) ||
    (asked.has(DEFAULT) && DEFAULT_TOOLS.has(tool.definition.name));
}

/** Returns the names of the sets that the tools belong to, in the order of the alphabet. */
export function toolsetNames(tools: readonly McpTool[]): string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))].toSorted();
}
