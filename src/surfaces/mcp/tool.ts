import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { rawMembers } from "#src/platform/http/json.ts";
import type { CallApi } from "./call-api.ts";

/** One call of a tool. */
export interface ToolCall {
  args: Record<string, unknown>;
  /** Returns the exact JSON text of an argument, so that numbers and key order of customers' data survive. */
  textOf(name: string): string;
  /** Calls the REST API with the caller's own credential. */
  api: CallApi;
  /** The caller's permissions when the message came. */
  permissions: ReadonlySet<string>;
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal;
  /** Reports progress, if the client asked for it. `progress` must grow from one report to the next. */
  report(progress: number, message: string, total?: number): void;
}

/** A tool: its description and its function. */
export interface McpTool {
  /** With its full schemas. */
  definition: Tool;
  /** Name of its set; undefined for a tool that stands in every list. */
  toolset: string | undefined;
  /** Permissions without which it is refused: one of each group. */
  needs: readonly (readonly string[])[];
  /** True for a tool that may take long: it is answered as a stream, which is kept alive meanwhile. */
  waits?: boolean;
  /** True for a tool whose results only the protocol's library writes: errors of the protocol, and more than text. */
  viaLibrary?: boolean;
  run(call: ToolCall): Promise<CallToolResult>;
}

/**
 * Returns `ToolCall.textOf` for arguments and the JSON text that they were read from. The text is asked for and gone
 * through once, at the first question: a call may have a hundred thousand arguments, and most calls have no question.
 */
export function textsOf(args: Record<string, unknown>, readText: () => string): ToolCall["textOf"] {
  let members: Map<string, string> | undefined;
  return (name) => (members ??= rawMembers(readText())).get(name) ?? JSON.stringify(args[name]);
}
