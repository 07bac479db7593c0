import type { CallingWindow } from "./calling-window.ts";
import type { FlowDefinition } from "./flow-types.ts";
import type { OptOutReviewRef } from "./opt-out-review-types.ts";
import type { FilledOutput, JsonObject } from "./output-types.ts";

/** The shapes of the API, as the service's OpenAPI document describes them. Times are ISO 8601 in UTC. */

/**
 * One page of a list. `nextCursor` is null on the last page. More than 10,000 rows (1,000 of a search) are not counted: then `totalIsExact`
 * is false, and `totalElements` and `totalPages` are exceeded.
 */
export interface Page<T> {
  content: T[];
  page: number;
  size: number;
  totalElements: number;
  totalIsExact: boolean;
  totalPages: number;
  first: boolean;
  last: boolean;
  nextCursor: string | null;
}

/** A member of a sent body that the server does not know, so that it had no effect. */
export interface Warning {
  /** JSON Pointer to the member, such as /rows/0/rowdata. */
  path: string;
  member: string;
  /** The known name closest to it; null when none is close. */
  nearest: string | null;
  message: string;
}

/** Adds warnings to the answer of every write with a JSON body. */
export interface Warned {
  /** The first 20; absent when every member is known. */
  warnings?: Warning[];
  /** Number of unknown members in all. */
  warningsTotal?: number;
}

/** The flow of the conversation: a saved one by id or apiId, or an inline one. None: the workspace's default. */
export interface FlowSelection {
  /** The uuid of a saved flow, or its apiId. */
  flowId?: string;
  flowApiId?: string;
  /** A definition for this request only; nothing is saved. */
  flow?: FlowDefinition;
}

/** One outbound call to be placed. */
export interface CreateCall extends FlowSelection {
  /** E.164, such as +12025550100. */
  customerNumber: string;
  /** One of the workspace's numbers; its default when absent. */
  fromPhoneNumber?: string;
  contactName?: string;
  contactEmail?: string;
  /** IANA name; by the number's country when absent. */
  timeZone?: string;
  /** Facts for the agent: merged into the conversation as variables. */
  rowData?: JsonObject;
  /** Returned unchanged with the call. */
  contextData?: JsonObject;
  /** One attempt when absent. */
  retryConfig?: RetryConfig;
  callingWindow?: CallingWindow;
  /** Not dialled before this time, at most a year from now. */
  scheduledAt?: string;
}

/** The answer to a call that was queued. */
export interface QueuedCall {
  rowId: string;
  jobId: string | null;
  sessionId: string;
  status: RowStatus;
  customerNumber: string;
  fromPhoneNumber: string;
  flowId: string | null;
  flowApiId: string | null;
  inlineFlow: boolean;
  contactName: string | null;
  contactEmail: string | null;
  contextData: JsonObject | null;
  scheduledAt: string | null;
  createdAt: string;
  links: Record<string, string>;
}

/** State of a row. The last five are final. */
export type RowStatus =
  | "QUEUED"
  | "DIALING"
  | "RINGING"
  | "IN_PROGRESS"
  | "UNKNOWN"
  | "WAITING_FOR_RETRY"
  | "WAITING_FOR_WINDOW"
  | "COMPLETED"
  | "FAILED"
  | "SKIPPED"
  | "CANCELLED"
  | "UNCONFIRMED";

/** An action that a call's state permits: `cancel` while it waits, `end` while it is dialled or under way. */
export type CallAction = "cancel" | "end";

/** One line of a transcript. Milliseconds count from the answer. */
export interface TranscriptTurn {
  index: number;
  role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
  content: string;
  startMs: number;
  endMs: number;
  interrupted: boolean;
  toolCallId: string | null;
  /** Share of the flow's firstMessage that the person had heard after this turn, from 0 to 1. */
  openingHeard?: number;
  /** Passages of the knowledge base behind what the agent said. */
  citations?: Citation[];
  /** Only for the agent's turns in audio calls. */
  latency?: TurnLatency;
  /** True for a supervisor's message that only the agent received. */
  whisper?: boolean;
}

/** Time the person waited for an answer, by stage, in milliseconds. */
export interface TurnLatency {
  endpointingMs: number;
  sttMs: number;
  modelMs: number;
  toolsMs: number;
  ttsMs: number;
  transportMs: number;
  totalMs: number;
}

/** A passage of the knowledge base. */
export interface Citation {
  itemId: string;
  title: string;
  /** Index of the passage in the item, from 0. */
  position: number;
  /** Headings above it, the outermost first. */
  headings: string[];
  /** Page of a PDF. */
  page: number | null;
}

/** Reason of a failure. */
export interface FailureReason {
  code: string;
  message: string;
}

/** Cost of a session, in decimal texts. `simulated`: the sandbox carried it, so it is priced but not billed. */
export interface Cost {
  amount: string;
  currency: string;
  simulated: boolean;
  breakdown: { telephony: string; llm: string; stt: string; tts: string; messaging: string };
}

/** One time that a row was dialled. */
export interface CallAttempt {
  number: number;
  state: string;
  provider: string;
  providerCallId: string | null;
  fromPhoneNumber: string;
  startedAt: string;
  ringingAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  answeredBy: string | null;
  outcome: string | null;
  endReason: string | null;
  sipCode: number | null;
  error: FailureReason | null;
}

/** A call with everything known about it: a record of the history, or a row of a job. */
export interface CallRow {
  id: string;
  jobId: string | null;
  sessionId: string;
  /** INBOUND: the person called `fromPhoneNumber`, which is ours in either direction. */
  direction: "OUTBOUND" | "INBOUND";
  /** Line of the file, or index in the list, that it came from. */
  line: number | null;
  externalId: string | null;
  status: RowStatus;
  /** Actions that are accepted now; the others answer 409. */
  actions: CallAction[];
  outcome: string | null;
  endReason: string | null;
  answeredBy: string | null;
  /** AMD verdict on who or what answered; null where the call was not in audio. */
  answer: { answeredBy: string; confidence: number; decidedAfterMs: number; reason: string } | null;
  /** The call that the operator of the server interrupted, and for which this one calls back. */
  callBackOf: string | null;
  /** Attempts made so far. */
  attempt: number;
  maxAttempts: number;
  nextAttemptAt: string | null;
  attempts: CallAttempt[];
  customerNumber: string;
  fromPhoneNumber: string;
  contactName: string | null;
  contactEmail: string | null;
  /** As sent; null: by the number's country. */
  timeZone: string | null;
  callingWindow: CallingWindow | null;
  rowData: JsonObject | null;
  contextData: JsonObject | null;
  flowId: string | null;
  flowApiId: string | null;
  /** Version of the flow at the first dial; null before it, and for inline flows. */
  flowVersion: number | null;
  inlineFlow: boolean;
  transcript: TranscriptTurn[];
  transcriptText: string;
  recording: { url: string; format: string; channels: number; durationSeconds: number } | null;
  structuredOutputs: Record<string, FilledOutput>;
  extractedFields: JsonObject;
  latency: { turns: { index: number; modelMs: number }[]; p50Ms: number | null; p95Ms: number | null };
  cost: Cost;
  /** The person may have asked for no more contact. */
  optOutReview: OptOutReviewRef | null;
  /** The person asked for a human, and the call could not be transferred: somebody has to call back. */
  humanRequested: boolean;
  error: FailureReason | null;
  durationSeconds: number | null;
  queuedAt: string;
  startedAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/**
 * Rules for dialling a row again. `maxAttempts` includes the first attempt. There is one delay for each retry; the last
 * one repeats.
 */
export interface RetryConfig {
  maxAttempts?: number;
  /** Outcomes, such as BUSY and NO_ANSWER. */
  retryOn?: string[];
  delaysSeconds?: number[];
  jitterPercent?: number;
}

/**
 * Address to which the service reports the end of a job, and the service's credentials for it. Secrets are write-only.
 */
export interface CompletionWebhook {
  url: string;
  authMode?: "NONE" | "BEARER" | "CUSTOM_HEADER";
  secret?: string;
  headerName?: string;
  headerValue?: string;
}

/** Settings of a whole job, however its rows arrive. */
export interface CallJobOptions extends FlowSelection {
  name?: string;
  fromPhoneNumbers?: string[];
  startAt?: string;
  maxConcurrency?: number;
  retryConfig?: RetryConfig;
  callingWindow?: CallingWindow;
  completionWebhook?: CompletionWebhook;
}

/** One contact of a job to be created. */
export interface CreateJobRow {
  customerNumber: string;
  contactName?: string;
  contactEmail?: string;
  /** IANA name; by the number's country when absent. */
  timeZone?: string;
  rowData?: JsonObject;
  contextData?: JsonObject;
  externalId?: string;
  /** From 0 to 1000; higher ones are called first. */
  priority?: number;
}

/** A job with its rows. */
export interface CreateCallJob extends CallJobOptions {
  rows: CreateJobRow[];
}

/** State of a job. The last three end a run of it. */
export type JobStatus =
  | "DRAFT"
  | "IMPORTING"
  | "SCHEDULED"
  | "RUNNING"
  | "PAUSED"
  | "CANCELLING"
  | "COMPLETED"
  | "CANCELLED"
  | "FAILED";

/** An action that a job's state permits. `changeDialling`: the concurrency, retries and hours can change, too. */
export type JobAction = "pause" | "resume" | "cancel" | "change" | "changeDialling" | "addRows" | "retryFailed";

/** A call job. `processedRows` is `successfulRows` plus `errorRows`. */
export interface CallJob {
  id: string;
  name: string;
  status: JobStatus;
  /** Actions that are accepted now; the others answer 409. */
  actions: JobAction[];
  pauseReason: string | null;
  /** Counts up when rows are added or retried after completion. */
  run?: number;
  flowId: string | null;
  flowApiId: string | null;
  inlineFlow?: boolean;
  fromPhoneNumbers?: string[];
  maxConcurrency?: number | null;
  retryConfig?: RetryConfig;
  callingWindow?: CallingWindow | null;
  completionWebhook?: { url: string; authMode: string; headerName: string | null; signingSecret: string | null } | null;
  totalRows: number;
  processedRows: number;
  successfulRows: number;
  errorRows: number;
  /** Rows in `processedRows` in which a person was on the line. */
  reachedRows?: number;
  /** Rows in `processedRows` that a machine answered; a message left is also among `successfulRows`. */
  machineRows?: number;
  /** CSV lines that could not become rows; not part of `totalRows`. */
  rejectedRows?: number;
  /** Rows that a search by name finds: fewer than `totalRows` for a while after a large list was imported. */
  searchableRows?: number;
  /** Rows that wait for their first attempt. */
  pendingRows?: number;
  /** Rows that wait for another attempt. */
  waitingForRetryRows?: number;
  /** Calls under way. */
  inProgressRows?: number;
  startAt?: string | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
}

/** Connection to the workspace's own carrier for a number. */
export interface SipTrunk {
  host: string;
  port: number;
  transport: "UDP" | "TCP" | "TLS";
  username: string | null;
  /** ******** when one is stored. */
  password: string | null;
  registrationRequired: boolean;
  srtp: "OFF" | "OPTIONAL" | "REQUIRED";
  codecs: ("PCMU" | "PCMA")[];
  /** Ranges (CIDR) from which audio is accepted besides the signalled address, for trunks behind NAT. */
  rtpSources: string[];
}

/** A number of the workspace. */
export interface PhoneNumber {
  id: string;
  /** E.164. */
  phoneNumber: string;
  /** SANDBOX numbers are fictional; calls to or from them ring no real phone. */
  provider: "SANDBOX" | "TWILIO" | "TELNYX" | "VONAGE" | "BYO_SIP";
  label: string | null;
  /** PENDING while the carrier is asked for the number; FAILED when the carrier refused, see statusMessage. */
  status: "PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED";
  statusMessage: string | null;
  suspendedBy: "OPERATOR" | "CARRIER" | null;
  carrierAccountId: string | null;
  capabilities: ("VOICE" | "SMS" | "WHATSAPP")[];
  /** Null: unlimited. */
  callsPerSecond: number | null;
  /** Share of dialled calls ended in the last 7 days that were answered, 0 to 1; null without any. */
  answerRate7d: number | null;
  providerInfo: { name: string; externalId: string | null; region: string | null; simulated: boolean };
  /** Only for BYO_SIP numbers. */
  sipTrunk: SipTrunk | null;
  maxConcurrentCalls: number;
  currentActiveCalls: number;
  activeInboundCalls: number;
  activeOutboundCalls: number;
  queuedCalls: number;
  /** Flow that answers calls and messages to this number; null: the workspace's default. */
  inboundFlowId: string | null;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

/** The body of the webhook that ends a run of a job. */
export interface CallJobCompleted {
  eventId: string;
  eventType: "call_job.completed";
  occurredAt: string;
  deliveryAttempt: number;
  job: {
    id: string;
    name: string;
    status: JobStatus;
    totalRows: number;
    processedRows: number;
    successfulRows: number;
    errorRows: number;
    flowApiId: string | null;
  };
  retrieval: { endpoints: { callJob: string; callRows: string } };
}

/** Filters of the call history and of a job's rows. */
export interface RowFilters {
  /** Rows a page, at most 200. */
  size?: number;
  status?: RowStatus[];
  outcome?: string[];
  /** True: calls whose person asked for a human and was not transferred; false: the others. */
  humanRequested?: boolean;
  createdAfter?: string;
  createdBefore?: string;
  flowApiId?: string;
  customerNumber?: string;
  /** First characters of the number. */
  customerNumberPrefix?: string;
  /** Beginnings of words in the contact's name, or a part of the number. */
  search?: string;
  externalId?: string;
  jobId?: string;
}

/** Settings that any single request may override. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Milliseconds for this request; 0 for no limit. */
  timeoutMs?: number;
  /** Sent instead of a random key, on requests that dial. */
  idempotencyKey?: string;
}
