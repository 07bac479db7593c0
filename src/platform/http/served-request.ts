import type { Caller } from "./route.ts";

/** A request of a known caller after its answer. */
export interface ServedRequest {
  method: string;
  /** Path and query as they were asked for. */
  path: string;
  /** What of the path's many uses it was, such as the tool that MCP called. */
  servedAs?: string | undefined;
  status: number;
  durationMs: number;
  caller: Caller;
  address: string;
  requestId: string;
}
