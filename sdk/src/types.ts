import type { CallingWindow } from "./calling-window.ts";

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

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

/** Which flow leads the conversation: a saved one by id or apiId, or an inline one. None: the workspace's default. */
export interface FlowSelection {
  /** The uuid of a saved flow, or its apiId. */
  flowId?: string;
  flowApiId?: string;
  /** A definition for this once; nothing is saved. */
  flow?: FlowDefinition;
}

/** A flow as a caller writes it. */
export interface FlowDefinition {
  name?: string;
  masterPrompt?: string | null;
  firstMessage?: string | null;
  voiceId?: string | null;
  language?: string | null;
  localVariables?: { variableName: string; type: string }[] | null;
  [field: string]: unknown;
}

/** A saved flow. */
export interface Flow extends FlowDefinition {
  id: string;
  apiId: string;
  name: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** What is being prepared for a flow; no call uses it before it is published. */
export interface FlowDraft extends FlowDefinition {
  flowId: string;
  /** The published version that it began from. */
  baseVersion: number;
  updatedAt: string;
  updatedBy: string | null;
}

/** Who changed a flow last. */
export interface FlowChange {
  /** The flow's. */
  id: string;
  changedAt: string;
  /** A person or a credential, by the name of then; null: not known. */
  changedBy: string | null;
  /** There is a draft, and it says something else than what is published. */
  differs: boolean;
  draft: FlowDraft | null;
}

/** A header that a document leaves out, and whose value the imported tool needs. */
export interface RequiredSecret {
  toolId: string;
  toolName: string;
  header: string;
}

/** A flow with its tools and structured outputs, as a file. */
export interface FlowDocument {
  format: string;
  formatVersion: number;
  exportedAt?: string;
  flow: FlowDefinition;
  tools: JsonObject[];
  structuredOutputs: JsonObject[];
  requiredSecrets: RequiredSecret[];
}

/** What an import made, and what is left to do by hand. */
export interface FlowImport {
  flow: Flow;
  tools: { from: string; id: string; name: string }[];
  structuredOutputs: { from: string; id: string; name: string }[];
  requiredSecrets: RequiredSecret[];
  /** What the flow named and the workspace does not have. */
  unresolved: { path: string; value: string }[];
}

/** One outbound call to be placed. */
export interface CreateCall extends FlowSelection {
  /** E.164, such as +12025550100. */
  customerNumber: string;
  /** One of the workspace's numbers; its default when absent. */
  fromPhoneNumber?: string;
  contactName?: string;
  contactEmail?: string;
  /** What the agent may know: merged into the conversation as variables. */
  rowData?: JsonObject;
  /** Travels with the call and comes back unchanged. */
  contextData?: JsonObject;
  /** One attempt when absent. */
  retryConfig?: RetryConfig;
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
  error: { code: string; message: string } | null;
}

/** A structured output as the agent filled it; `valid` is false when it does not fit its schema. */
export interface FilledOutput {
  value: unknown;
  valid: boolean;
  errors: string[];
  extractedAt: string;
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
  /** What the sandbox carried is priced and not billed: `simulated`. Amounts are decimal texts. */
  cost: {
    amount: string;
    currency: string;
    simulated: boolean;
    breakdown: { telephony: string; llm: string; stt: string; tts: string; messaging: string };
  };
  error: { code: string; message: string } | null;
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
  maxConcurrentCalls: number;
  currentActiveCalls: number;
  activeInboundCalls: number;
  activeOutboundCalls: number;
  queuedCalls: number;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A schema that agents fill during a conversation. */
export interface StructuredOutput {
  id: string;
  name: string;
  description: string | null;
  schema: JsonObject;
  version: number;
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

/** A chat to start. Flow selection as for calls. */
export interface CreateChat {
  channel: "CHAT" | "SMS" | "WHATSAPP";
  flowId?: string | null;
  flowApiId?: string | null;
  flow?: FlowDefinition | null;
  assistantPhoneNumber?: string | null;
  contactPhone?: string | null;
  contactIdentifier?: string | null;
  contactName?: string | null;
  contactEmail?: string | null;
  contextData?: Record<string, unknown> | null;
  initialMessage?: string | null;
  idleTimeoutSeconds?: number | null;
}

/** A chat session. */
export interface ChatSession {
  id: string;
  channel: "CHAT" | "SMS" | "WHATSAPP";
  /** ACTIVE, HANDED_OFF, CLOSED, EXPIRED or FAILED. */
  status: string;
  endReason: string | null;
  endedAt: string | null;
  /** Null until the chat has ended and they are filled. */
  structuredOutputs: Record<string, FilledOutput> | null;
  extractedFields: Record<string, unknown> | null;
  [field: string]: unknown;
}

/** One message of a chat. */
export interface ChatMessage {
  id: string;
  role: "ASSISTANT" | "USER" | "AGENT" | "TOOL";
  content: string;
  toolCallId: string | null;
  createdAt: string;
  [field: string]: unknown;
}

/** A session with messages: its opening, or one message with what was answered to it. */
export interface Chat {
  session: ChatSession;
  messages: ChatMessage[];
}
