import type { CallAction, FilledOutput, JobAction, JobStatus, RowStatus, TranscriptTurn } from "@parley/sdk";

/** A call under way. */
export interface LiveCall {
  rowId: string;
  jobId: string | null;
  sessionId: string;
  direction: "OUTBOUND" | "INBOUND";
  customerNumber: string;
  contactName: string | null;
  fromPhoneNumber: string;
  status: RowStatus;
  actions: CallAction[];
  attempt: number;
  startedAt: string;
  answeredAt: string | null;
}

/** Content of the tile of a live call besides its row. */
export interface CallTile {
  role: "ASSISTANT" | "USER" | null;
  text: string;
  latencyMs: number | null;
  tone: "ANGRY" | "NEGATIVE" | "NEUTRAL" | "POSITIVE";
  fields: Record<string, string>;
  wanted: number;
  isText: boolean;
}

/** Reasons for which a supervisor should look at a call. */
export type AlertKind = "LONG_SILENCE" | "ANGER" | "OPT_OUT_DOUBTFUL" | "TOOL_FAILING";

/** A live call in the control room; its tile is null before the first words. */
export interface RoomCall extends LiveCall {
  tile: CallTile | null;
  alerts: { kind: AlertKind; raisedAt: string }[];
}

/** Progress of a job; eta and rate are null while it does not run. */
export interface JobProgress {
  jobId: string;
  name: string;
  status: JobStatus;
  actions: JobAction[];
  run: number;
  totalRows: number;
  processedRows: number;
  successfulRows: number;
  reachedRows: number;
  machineRows: number;
  errorRows: number;
  liveCalls: number;
  ratePerMinute: number | null;
  etaSeconds: number | null;
}

/** Counts of current activity in the workspace. */
export interface Counters {
  liveCalls: number;
  ringing: number;
  inProgress: number;
  /** Calls that wait to be dialled, in jobs and alone, callbacks and retries as well. */
  queuedRows: number;
  activeJobs: number;
  openChats: number;
  /** Live calls with an open alert. */
  alertedCalls: number;
  /** Chats whose person asked for a human whom nobody has stood in for. */
  waitingChats: number;
}

/** The data of each live event, by its type. */
export interface LiveShapes {
  hello: { at: string; role: string };
  reset: Record<string, never>;
  "calls.live": { calls: LiveCall[]; total: number };
  "calls.changed": { rows: { rowId: string; jobId: string | null; type: string }[]; more: number };
  "jobs.progress": { jobs: JobProgress[] };
  "chats.changed": { chats: { sessionId: string; type: string }[]; more: number };
  "webhooks.changed": { deliveries: { deliveryId: string; attempt: number }[]; more: number };
  counters: Counters;
  transcript: {
    rowId: string;
    from: number;
    turns: TranscriptTurn[];
    outputs: Record<string, FilledOutput>;
    stageId: string | null;
  };
  row: { rowId: string; status: RowStatus; actions: CallAction[]; endedAt: string | null };
  /** Only while the control room is open: the calls that changed, or all of them. */
  "room.tiles": { isWhole: boolean; calls: RoomCall[]; gone: string[]; total: number };
  /** Loudness by row: a hexadecimal digit for each 0.1 s, the person's, a dot, and ours. */
  "room.levels": { levels: Record<string, string> };
  news: { items: { type: string; subjectId: string; at: string }[]; more: number };
  bye: { reason: string };
}
