import type { RowStatus } from "./types.ts";

/** The rows of a job in counts, its waiting retries, and what its numbers do. */
export interface CallJobSummary {
  jobId: string;
  asOf: string;
  statuses: { status: RowStatus; count: number }[];
  /** Rows that are over. */
  outcomes: { outcome: string; count: number }[];
  /** Rows that are over with an error. */
  errors: { code: string; count: number }[];
  /** Rows that wait for another attempt, by its number. */
  retries: { attempt: number; count: number; firstAt: string; lastAt: string }[];
  numbers: {
    phoneNumberId: string;
    phoneNumber: string;
    status: string;
    /** Calls of this job. */
    activeCalls: number;
    /** The job's share of the number; null: as many as the number takes. */
    maxCalls: number | null;
    numberActiveCalls: number;
    numberMaxCalls: number;
  }[];
}

/** A CSV line that could not become a row. */
export interface RowError {
  line: number;
  column: string;
  code: string;
  message: string;
}
