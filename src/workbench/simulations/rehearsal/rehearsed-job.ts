import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import type { RowOutcome, TerminalStatus } from "#src/interactions/calls/states.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";

/** How one attempt goes for whoever is at the other end. Times are milliseconds of call time. */
export interface Meeting {
  ringMs: number;
  talkMs: number;
  outcome: RowOutcome;
  endReason: string;
  /** What the row comes to when no retry follows. */
  status: Extract<TerminalStatus, "COMPLETED" | "FAILED">;
  /** False: a person was reached, so that no retry follows whatever the outcome. */
  mayRetry: boolean;
  /** In the workspace's currency. */
  cost: number;
}

/** A number to call from. */
export interface RehearsedNumber {
  phoneNumber: string;
  /** Calls at once: of the number, and of the job's share in it. */
  slots: number;
  /** Dials a second; null: no pace. */
  callsPerSecond: number | null;
  /** Its carrier's account, whose pace it shares; null: none. */
  account: { id: string; callsPerSecond: number } | null;
}

/** Everything that a run of a job depends on besides its seed. */
export interface RehearsedJob {
  startMs: number;
  numbers: RehearsedNumber[];
  retry: RetryConfig;
  window: CallingWindow | null;
  /** The zones by whose clocks rows are judged, and how many rows have them. */
  zones: { zones: string[]; rows: number }[];
  /** How many rows each of them stands for: its calls hold the lines for so much longer. Default 1. */
  standsFor?: number;
}

/** Who answers a row's `attempt`th dial (1 is the first), of `rows` rows. */
export type MeetRow = (row: number, attempt: number) => Meeting;

/** What one run came to. */
export interface JobRun {
  endMs: number;
  attempts: number;
  talkMs: number;
  cost: number;
  /** "STATUS OUTCOME" -> rows. */
  ends: Map<string, number>;
  /** Rows that would not be dialled within 400 days. */
  leftRows: number;
  numbers: { attempts: number; busyMs: number }[];
  /** By the hour since the start. */
  hours: { attempts: number; endedRows: number; talkMs: number }[];
}
