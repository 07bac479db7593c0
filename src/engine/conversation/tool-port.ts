import type { TransferOrder } from "#src/audio/line/line.ts";
import type { ToolOffer } from "#src/engine/models/models.ts";

export type { TransferOrder } from "#src/audio/line/line.ts";

/** Messages that the person hears about a tool: Liquid templates over the variables, null for none. */
export interface ToolMessages {
  start: string | null;
  delayed: string | null;
  /** Milliseconds until `delayed` is said. */
  delayedAfterMs: number;
  success: string | null;
  failure: string | null;
}

/** A text of a tool for the conversation: `after_result` is added to each result, every other key to the offer. */
export interface ToolPromptText {
  key: string;
  role: "SYSTEM" | "ASSISTANT" | "USER";
  /** Liquid template over the variables. */
  content: string;
}

/** A tool that the plan of a session grants: its offer to the model, and how the engine treats its calls. */
export interface GrantedTool {
  /** Id of the tool in the workspace. */
  id: string;
  offer: ToolOffer;
  messages: ToolMessages;
  prompts: ToolPromptText[];
  /** Milliseconds that a call waits for the person's final words; null: it does not wait. */
  confirmedTranscriptMs: number | null;
  /** Milliseconds for the whole of one call. */
  timeoutMs: number;
  /** The result comes later, and the conversation goes on meanwhile. */
  isAsync: boolean;
  /** True when the model must speak after the result. */
  requiresFollowUp: boolean;
  /** Called before the first word, with the variables as input. */
  isProactive: boolean;
  /** The tool transfers the call. */
  handsOver?: true;
  /** Part of its calls that a reader of the transcript sees. */
  disclosure: "FULL" | "NAME_ONLY" | "HIDDEN";
}

/** One call of a granted tool. */
export interface ToolRun {
  /** Unique in the session; identifies the call for idempotency and its task. */
  callId: string;
  tool: GrantedTool;
  /** As the model gave it; not validated. */
  input: Record<string, unknown>;
  /** Variables for templates: the current ones of the session, and `memory`. */
  variables: Record<string, unknown>;
  /** Header of the requests that the call sends; undefined when it is not traced. */
  traceparent?: string | undefined;
}

/** Result of one call of a tool. */
export type ToolRunResult =
  /** `content` goes to the model; `variables` join those of the session. */
  | { kind: "VALUE"; content: string; variables: Record<string, unknown> }
  /** `message` goes to the model; it holds no secret and no address. */
  | { kind: "FAILED"; code: string; message: string }
  /** The result comes later; `result` never rejects and is never PENDING itself. */
  | { kind: "PENDING"; taskId: string; result: Promise<ToolRunResult> }
  /** The engine transfers the call; `wantsSummary` adds a summary of the conversation so far. */
  | { kind: "TRANSFER"; order: TransferOrder; wantsSummary: boolean };

/** Runs granted tools. */
export interface ToolRunner {
  /** Runs one call. Rejects only with the reason of `signal`, which aborts the call when the session is over. */
  run(call: ToolRun, signal: AbortSignal): Promise<ToolRunResult>;
}
