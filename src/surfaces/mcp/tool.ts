import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { CallApi } from "./call-api.ts";

/** One call of a tool, as the tool sees it. */
export interface ToolCall {
  args: Record<string, unknown>;
  /** The exact JSON text of an argument, so that numbers and key order of customers' data survive. */
  textOf(name: string): string;
  /** Calls the REST API with the caller's own credential. */
  api: CallApi;
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal;
  /** Tells how far it is, if the client asked to be told. `progress` must grow from one to the next. */
  report(progress: number, message: string, total?: number): void;
}

/** A tool: how it is described and what it does. */
export interface McpTool {
  definition: Tool;
  /** Takes its time: answered as a stream, which is kept alive meanwhile. */
  waits?: boolean;
  run(call: ToolCall): Promise<CallToolResult>;
}
