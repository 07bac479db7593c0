import type { JsonObject } from "./output-types.ts";

/** A suite made from a call, without personal data. */
export interface SuiteProposal {
  /** YAML. */
  suite: string;
  scenario: JsonObject;
  persona: JsonObject;
  /** Number of different pieces of personal data that were replaced, by kind. */
  removed: { kind: string; count: number }[];
  warnings: string[];
}

/**
 * Selects the calls and the flow of a replay: the calls in `rowIds`, or the flow's `last` ones (20 by default), of all
 * jobs or of `jobId` alone.
 */
export interface StartReplay {
  flowId?: string;
  flowApiId?: string;
  draft?: boolean;
  version?: number;
  rowIds?: string[];
  last?: number;
  jobId?: string;
}

/**
 * One kind of people or lines: a persona who answers, a line that nobody picks up, or the line first and then the
 * persona.
 */
export interface PopulationPart {
  share: number;
  persona?: string;
  line?: "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE";
  attempts?: number;
}

/** A job to forecast: one that exists, or the settings of one that does not. */
export interface RehearseJob {
  jobId?: string;
  job?: JsonObject & { rowCount: number };
  population?: PopulationPart[];
  sample?: number;
  model?: "FLOW" | "SCRIPTED";
  seed?: number;
}

/** Forecast of a job. */
export interface Forecast {
  rows: number;
  repetitions: number;
  durationSeconds: { p10: number; p50: number; p90: number };
  startsAt: string;
  endsAt: string | null;
  attempts: number;
  outcomes: { status: string; outcome: string; count: number; share: number }[];
  cost: { p10: string; p50: string; p90: string; currency: string };
  talkSeconds: number;
  busiestNumber: { phoneNumber: string; attempts: number; busyShare: number } | null;
  perHour: { startsAt: string; attempts: number; endedRows: number; talkSeconds: number }[];
  skipped: { count: number; reasons: { code: string; count: number }[] };
  assumptions: string[];
}
