import type { Caller } from "./route.ts";

/** A request of a known caller after its answer. */
export interface ServedRequest {
  method: string;
  /** Path and query as they were asked for. */
  path: string;
  status: number;
  durationMs: number;
  caller: Caller;
  address: string;
  requestId: string;
}
