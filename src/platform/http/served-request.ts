import type { Caller } from "./route.ts";

/** An answered request of a known caller. */
export interface ServedRequest {
  method: string;
  /** Path and query, as requested. */
  path: string;
  /** Use of a path that serves many, such as the tool that MCP called. */
  servedAs?: string | undefined;
  status: number;
  durationMs: number;
  caller: Caller;
  address: string;
  requestId: string;
}
