import type { JsonSchema, OutputDefinition } from "#src/models/models.ts";

/** All a session needs to know before it starts. The engine reads no table (design section 6). */
export interface SessionPlan {
  sessionId: string;
  channel: "VOICE" | "CHAT";
  flow: {
    name: string;
    masterPrompt: string;
    /** May hold {{variables}} (Liquid). Empty: the model opens. */
    firstMessage: string;
    /** BCP 47. */
    language: string;
    maxDurationSeconds: number;
    silenceTimeoutSeconds: number;
    voicemail: { action: "HANG_UP" | "LEAVE_MESSAGE"; message: string };
  };
  /** What templates and the agent may know: local variables, rowData, contact fields. */
  variables: Record<string, unknown>;
  /** contextData, parsed. */
  memory: Record<string, unknown>;
  outputs: OutputDefinition[];
}

/** One line of the transcript, as the API shows it. */
export interface Turn {
  index: number;
  role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
  content: string;
  /** Milliseconds of call time since the answer. */
  startMs: number;
  endMs: number;
  interrupted: boolean;
  toolCallId: string | null;
}

/** Why a conversation ended, grouped by who or what ended it. */
export const END_REASONS = [
  "AGENT_ENDED_CALL",
  "AGENT_LEFT_VOICEMAIL",
  "AGENT_HUNG_UP_ON_MACHINE",
  "CUSTOMER_HUNG_UP",
  "CUSTOMER_OPTED_OUT",
  "LIMIT_SILENCE",
  "LIMIT_DURATION",
  "LIMIT_TURNS",
  "CARRIER_CONNECTION_LOST",
  "ERROR_MODEL",
  "ERROR_INTERRUPTED",
] as const;
export type SessionEndReason = (typeof END_REASONS)[number];

/** One structured output as filled: a failure is shown, never hidden. */
export interface FilledOutput {
  value: unknown;
  valid: boolean;
  errors: string[];
  extractedAt: string;
}

export interface SessionOutcome {
  endReason: SessionEndReason;
  turns: Turn[];
  outputs: Record<string, FilledOutput>;
  /** The values of all valid outputs, merged into one flat object. */
  extractedFields: Record<string, unknown>;
  durationMs: number;
  usage: { inputTokens: number; outputTokens: number };
  /** Model time of each agent turn, in wall-clock milliseconds. */
  modelMs: number[];
  error: { code: string; message: string } | null;
}

/** A check of a value against a JSON Schema: the list of faults, empty when it fits. */
export type ValidateOutput = (schema: JsonSchema, value: unknown) => string[];
