import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import type { RowOutcome, TerminalStatus } from "#src/interactions/calls/states.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";

/** Course of one attempt. Times are milliseconds of call time. */
export interface Meeting {
  ringMs: number;
  talkMs: number;
  outcome: RowOutcome;
  endReason: string;
  /** Status of the row when no retry follows. */
  status: Extract<TerminalStatus, "COMPLETED" | "FAILED">;
  /** False: a person was reached, so no retry follows, whatever the outcome. */
  mayRetry: boolean;
  /** In the workspace's currency. */
  cost: number;
}

/** A number to call from. */
export interface RehearsedNumber {
  phoneNumber: string;
  /** Calls at once, limited by the number and by the job's share of it. */
  slots: number;
  /** Dials a second; null: no pace. */
  callsPerSecond: number | null;
  /** Account at its carrier, whose pace it shares; null: none. */
  account: { id: string; callsPerSecond: number } | null;
}

/** Settings that determine a job's run, besides its seed. */
export interface RehearsedJob {
  startMs: number;
  numbers: RehearsedNumber[];
  retry: RetryConfig;
  window: CallingWindow | null;
  /** Groups of time zones that apply to rows, and the number of rows of each group. */
  zones: { zones: string[]; rows: number }[];
  /** The number of real rows that each row stands for: its calls hold the lines for so much longer. Default 1. */
  standsFor?: number;
}

/** Returns the course of a row's `attempt`th dial (1 is the first). */
export type MeetRow = (row: number, attempt: number) => Meeting;

/** Results of one run. */
export interface JobRun {
  endMs: number;
  attempts: number;
  talkMs: number;
  cost: number;
  /** Number of rows by "STATUS OUTCOME". */
  ends: Map<string, number>;
  /** Rows that would not be dialled within 400 days. */
  leftRows: number;
  numbers: { attempts: number; busyMs: number }[];
  /** By hour since the start. */
  hours: { attempts: number; endedRows: number; talkMs: number }[];
}
