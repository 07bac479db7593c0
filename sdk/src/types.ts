import type { CallingWindow } from "./calling-window.ts";
import type { FlowDefinition } from "./flow-types.ts";
import type { OptOutReviewRef } from "./opt-out-review-types.ts";
import type { FilledOutput, JsonObject } from "./output-types.ts";

/** The shapes of the API, as the service's OpenAPI document describes them. Times are ISO 8601 in UTC. */

/** One page of a list. `nextCursor` is null on the last page. */
export interface Page<T> {
  content: T[];
  page: number;
  size: number;
  totalElements: number;
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
  /** The known name that is most like it; null when none is. */
  nearest: string | null;
  message: string;
}

/** Adds warnings to the answer of every write with a JSON body. */
export interface Warned {
  /** The first 20; absent when every member is known. */
  warnings?: Warning[];
  /** How many there are. */
  warningsTotal?: number;
}

/** Which flow leads the conversation: a saved one by id or apiId, or an inline one. None: the workspace's default. */
export interface FlowSelection {
  /** The uuid of a saved flow, or its apiId. */
  flowId?: string;
  flowApiId?: string;
  /** A definition for this once; nothing is saved. */
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
  /** What the agent may know: merged into the conversation as variables. */
  rowData?: JsonObject;
  /** Travels with the call and comes back unchanged. */
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

/** Where a row stands. The last five never change again. */
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

/** One line of a transcript. Milliseconds count from the answer. */
export interface TranscriptTurn {
  index: number;
  role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
  content: string;
  startMs: number;
  endMs: number;
  interrupted: boolean;
  toolCallId: string | null;
  /** Of the flow's firstMessage: how much of it the person had heard after this turn, from 0 to 1. */
  openingHeard?: number;
  /** Passages of the knowledge base behind what the agent said. */
  citations?: Citation[];
  /** Only of the agent's turns in calls in audio. */
  latency?: TurnLatency;
  /** True for what whoever supervised the call told the agent alone. */
  whisper?: boolean;
}

/** How long the person waited for an answer, by stage, in milliseconds. */
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
  /** Which passage of the item, from 0. */
  position: number;
  /** Headings above it, the outermost first. */
  headings: string[];
  /** Page of a PDF. */
  page: number | null;
}

/** Why something failed. */
export interface FailureReason {
  code: string;
  message: string;
}

/** What a session cost. What the sandbox carried is priced and not billed: `simulated`. Amounts are decimal texts. */
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

/** A call with all that is known of it: a record of the history, or a row of a job. */
export interface CallRow {
  id: string;
  jobId: string | null;
  sessionId: string;
  /** INBOUND: the person called `fromPhoneNumber`, which is ours in either direction. */
  direction: "OUTBOUND" | "INBOUND";
  /** Line of the file, or place in the list, that it came from. */
  line: number | null;
  externalId: string | null;
  status: RowStatus;
  outcome: string | null;
  endReason: string | null;
  answeredBy: string | null;
  /** Who or what was heard to answer; null where the call was not in audio. */
  answer: { answeredBy: string; confidence: number; decidedAfterMs: number; reason: string } | null;
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
  /** The version of the flow that the first dial took; null before it, and for inline flows. */
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
  /** The person asked for a human, and the call could not be handed over: somebody has to call back. */
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

/** When to dial a row again. `maxAttempts` counts the first one; one delay for each retry, the last one repeats. */
export interface RetryConfig {
  maxAttempts?: number;
  /** Outcomes, such as BUSY and NO_ANSWER. */
  retryOn?: string[];
  delaysSeconds?: number[];
  jitterPercent?: number;
}

/** Where the service reports the end of a job, and how it proves who it is. Secrets are write-only. */
export interface CompletionWebhook {
  url: string;
  authMode?: "NONE" | "BEARER" | "CUSTOM_HEADER";
  secret?: string;
  headerName?: string;
  headerValue?: string;
}

/** What holds for a whole job, whichever way its rows arrive. */
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

/** Where a job stands. The last three end a run of it. */
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

/** A call job. `processedRows` is `successfulRows` plus `errorRows`. */
export interface CallJob {
  id: string;
  name: string;
  status: JobStatus;
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
  /** Of `processedRows`: those in which a person was on the line. */
  reachedRows?: number;
  /** Of `processedRows`: those that a machine took; a message that was left is also among `successfulRows`. */
  machineRows?: number;
  /** CSV lines that could not become rows; they stand outside `totalRows`. */
  rejectedRows?: number;
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

/** How a number of one's own carrier is reached. */
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
  /** Ranges (CIDR) that audio is taken from besides the signalled address, for trunks behind NAT. */
  rtpSources: string[];
}

/** A number of the workspace. */
export interface PhoneNumber {
  id: string;
  /** E.164. */
  phoneNumber: string;
  /** SANDBOX numbers are fictional and reach nobody. */
  provider: "SANDBOX" | "TWILIO" | "TELNYX" | "VONAGE" | "BYO_SIP";
  label: string | null;
  /** PENDING while its carrier is asked for it; FAILED when the carrier refused, as statusMessage tells. */
  status: "PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED";
  statusMessage: string | null;
  suspendedBy: "OPERATOR" | "CARRIER" | null;
  carrierAccountId: string | null;
  capabilities: ("VOICE" | "SMS" | "WHATSAPP")[];
  /** Null: unlimited. */
  callsPerSecond: number | null;
  /** Answered among the dialled calls that ended in 7 days, 0 to 1; null without any. */
  answerRate7d: number | null;
  providerInfo: { name: string; externalId: string | null; region: string | null; simulated: boolean };
  /** Of BYO_SIP numbers alone. */
  sipTrunk: SipTrunk | null;
  maxConcurrentCalls: number;
  currentActiveCalls: number;
  activeInboundCalls: number;
  activeOutboundCalls: number;
  queuedCalls: number;
  /** Who calls or writes to it is answered by this flow; null: by the workspace's default. */
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
  /** True: calls whose person asked for a human and was not handed over; false: the others. */
  humanRequested?: boolean;
  createdAfter?: string;
  createdBefore?: string;
  flowApiId?: string;
  customerNumber?: string;
  /** How the number starts. */
  customerNumberPrefix?: string;
  /** Words that the contact's name has, by how they begin, or a part of the number. */
  search?: string;
  externalId?: string;
  jobId?: string;
}

/** What any single request may set for itself. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** For this request; 0 for none. */
  timeoutMs?: number;
  /** Sent instead of a random key, on requests that dial. */
  idempotencyKey?: string;
}
