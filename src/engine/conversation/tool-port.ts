import type { TransferOrder } from "#src/audio/line/line.ts";
import type { ToolOffer } from "#src/engine/models/models.ts";

export type { TransferOrder } from "#src/audio/line/line.ts";

/** What the person hears of a tool; Liquid templates over the variables, null for nothing. */
export interface ToolMessages {
  start: string | null;
  delayed: string | null;
  /** How long the tool may take before `delayed` is said, in milliseconds. */
  delayedAfterMs: number;
  success: string | null;
  failure: string | null;
}

/** A text of a tool that goes into the conversation: `after_result` with each answer, every other key with the offer. */
export interface ToolPromptText {
  key: string;
  role: "SYSTEM" | "ASSISTANT" | "USER";
  /** Liquid template over the variables. */
  content: string;
}

/** A tool that the plan of a session grants: how the model is told of it, and how the engine treats its calls. */
export interface GrantedTool {
  /** Its id in the workspace. */
  id: string;
  offer: ToolOffer;
  messages: ToolMessages;
  prompts: ToolPromptText[];
  /** How long a call waits for the final words of the person, in milliseconds; null: it does not. */
  confirmedTranscriptMs: number | null;
  /** The whole of one call, in milliseconds. */
  timeoutMs: number;
  /** Its answer comes later; the talk goes on meanwhile. */
  isAsync: boolean;
  /** Whether the model must speak after the answer. */
  requiresFollowUp: boolean;
  /** Called before the first word, with what the variables give. */
  isProactive: boolean;
  /** It hands the call over. */
  handsOver?: true;
  /** What a reader of the transcript sees of its calls. */
  disclosure: "FULL" | "NAME_ONLY" | "HIDDEN";
}

/** One call of a granted tool. */
export interface ToolRun {
  /** Unique in the session; names the call for its idempotency and its task. */
  callId: string;
  tool: GrantedTool;
  /** As the model gave it; not validated. */
  input: Record<string, unknown>;
  /** What templates may use: the session's variables as they are now, and `memory`. */
  variables: Record<string, unknown>;
}

/** What came of one call of a tool. */
export type ToolRunResult =
  /** `content` is told to the model; `variables` join those of the session. */
  | { kind: "VALUE"; content: string; variables: Record<string, unknown> }
  /** `message` is told to the model; it holds no secret and no address. */
  | { kind: "FAILED"; code: string; message: string }
  /** The answer comes later; `result` never rejects and never is PENDING itself. */
  | { kind: "PENDING"; taskId: string; result: Promise<ToolRunResult> }
  /** The engine is to hand the call over; `wantsSummary` has it add what was said so far. */
  | { kind: "TRANSFER"; order: TransferOrder; wantsSummary: boolean };

/** Runs granted tools. */
export interface ToolRunner {
  /** Runs one call. Rejects only with the reason of `signal`, which ends a call of a session that is over. */
  run(call: ToolRun, signal: AbortSignal): Promise<ToolRunResult>;
}
