import type {
  CallHistoryListQuery,
  CallJob,
  CallRef,
  CallRow,
  ChatReply,
  ChatSession,
  ChatsListQuery,
  CreateCallJob,
  ExternalOutboundChatRequest,
  InlineFlow,
  DoNotCallEntry,
  OptOutReview,
  PhoneNumberResponse,
  PlaceCall,
  RehearsalInput,
  ReplayInput,
  Simulation,
  SimulationInput,
} from "./generated/shapes.ts";

/** Names of the SDK for types of the document. Times are ISO 8601 in UTC. */

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

/** One outbound call to be placed. */
export type CreateCall = PlaceCall;

/** The answer to a call that was queued. */
export type QueuedCall = CallRef;

/** State of a row. The last five are final. */
export type RowStatus = CallRow["status"];

/** An action that a call's state permits: `cancel` while it waits, `end` while it is dialled or under way. */
export type CallAction = CallRow["actions"][number];

/** Filters of the call history and of a job's rows. */
export type RowFilters = CallHistoryListQuery;

/** State of a job. The last three end a run of it. */
export type JobStatus = CallJob["status"];

/** An action that a job's state permits. `changeDialling`: the concurrency, retries and hours can change, too. */
export type JobAction = CallJob["actions"][number];

/** One contact of a job to be created. */
export type CreateJobRow = CreateCallJob["rows"][number];

/** Settings of a whole job, however its rows arrive. */
export type CallJobOptions = Omit<CreateCallJob, "rows" | "fromPhoneNumber">;

/** A number of the workspace. */
export type PhoneNumber = PhoneNumberResponse;

/** A flow as a caller writes it. Absent or null members have the service's default. */
export type FlowDefinition = InlineFlow;

/** A chat to start. */
export type CreateChat = ExternalOutboundChatRequest;

/** A session with messages: the opening, or one message and the replies to it. */
export type Chat = ChatReply;

/** Filters of the list of chats. */
export type ChatFilters = ChatsListQuery;

/** An action that a chat's state permits. `write`: a message into it. */
export type ChatAction = ChatSession["actions"][number];

/** A run of a test suite to start. */
export type StartSimulation = SimulationInput;

/** Calls and flow of a replay. */
export type StartReplay = ReplayInput;

/** A job to forecast: one that exists, or the settings of one that does not. */
export type RehearseJob = RehearsalInput;

/** State of a run of a test suite; QUEUED and RUNNING are not final. */
export type SimulationState = Simulation["state"];

/** Source of an entry of the do-not-call ledger. */
export type DoNotCallSource = DoNotCallEntry["source"];

/** OPEN: nobody has decided yet, and the person is neither called nor written to. */
export type OptOutReviewState = OptOutReview["state"];
