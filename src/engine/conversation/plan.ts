import type { TransferOrder } from "#src/audio/line/line.ts";
import type { JsonSchema, OutputDefinition, ToolOffer } from "#src/engine/models/models.ts";
import type { OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import type { GrantedTool } from "./tool-port.ts";

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
  outputs: PlannedOutput[];
  /** What the session may do besides talking, ending, and writing the do-not-call list. None when absent. */
  grants?: SessionGrants;
  /** Defaults where absent. */
  limits?: Partial<SessionLimits>;
  /** What is known of earlier calls and chats with the same contact, newest first. */
  earlier?: EarlierConversation[];
}

/** An output, and when it is filled. */
export interface PlannedOutput extends OutputDefinition {
  /** Liquid template over the variables, `channel` and `endReason`; left out when it renders empty, 0 or false. */
  condition?: string | null;
  /** Filled after each thing the person says, not only at the end. */
  fillDuring?: boolean;
}

/** What a session may reach. A model that asks for anything else is refused, whatever the person made it say. */
export interface SessionGrants {
  tools: GrantedTool[];
  /** System tools beyond end_call and add_to_do_not_call. */
  systemTools: ToolOffer[];
  /** Whom transfer_call may hand the call to. */
  transferTargets: TransferTarget[];
}

/** One person or place that a call may be handed to. */
export interface TransferTarget {
  /** What the model calls it. */
  name: string;
  description: string;
  order: TransferOrder;
  wantsSummary: boolean;
}

/** What ends a session that goes on too long. */
export interface SessionLimits {
  /** Turns of the agent. */
  maxTurns: number;
  maxToolCalls: number;
  /** Input and output tokens of the whole session. */
  maxModelTokens: number;
  /** What the session may cost, in the workspace's currency; null: no limit. */
  maxCost: number | null;
  /** What of the conversation the model is told, in tokens. */
  maxHistoryTokens: number;
}

/** An earlier call or chat with the same contact. */
export interface EarlierConversation {
  /** CALL, SMS, WHATSAPP or CHAT. */
  channel: string;
  /** ISO 8601. */
  at: string;
  outcome: string | null;
  fields: Record<string, unknown>;
  summary: string;
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
  /** Of the flow's first words: how much of them the person had heard after this turn, from 0 to 1. */
  openingHeard?: number;
  /** Passages of the knowledge base that the agent had looked up for what it says. */
  citations?: Citation[];
  /** How long the person waited for this; only of what answers them on a line of audio. */
  latency?: TurnLatency;
  /** Said to the agent alone by whoever supervises the talk. */
  whisper?: true;
  /** Of a tool's call that a reader may not see whole; only where the agent's memory is the transcript itself. */
  disclosure?: "NAME_ONLY" | "HIDDEN";
}

/** From the end of the person's speech to the first sound of the answer, by stage, in milliseconds. */
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
  /** Page of a PDF; null for other items. */
  page: number | null;
}

/** Why a conversation ended, grouped by who or what ended it. */
export const END_REASONS = [
  "AGENT_ENDED_CALL",
  "AGENT_LEFT_VOICEMAIL",
  "AGENT_HUNG_UP_ON_MACHINE",
  "AGENT_TRANSFERRED_CALL",
  "CUSTOMER_HUNG_UP",
  "CUSTOMER_OPTED_OUT",
  "ENDED_BY_REQUEST",
  "LIMIT_SILENCE",
  "LIMIT_DURATION",
  "LIMIT_TURNS",
  "LIMIT_TOOL_CALLS",
  "LIMIT_COST",
  "CARRIER_CONNECTION_LOST",
  "ERROR_MODEL",
  "ERROR_SPEECH",
  "ERROR_INTERRUPTED",
] as const;
export type SessionEndReason = (typeof END_REASONS)[number];

/** One structured output as filled: a failure is shown, never hidden. */
export interface FilledOutput {
  value: unknown;
  valid: boolean;
  errors: string[];
  extractedAt: string;
  /** The model failed, and is asked again for some minutes. */
  pending?: true;
}

export interface SessionOutcome {
  endReason: SessionEndReason;
  turns: Turn[];
  outputs: Record<string, FilledOutput>;
  /** Those of the outputs whose model was away: they may be filled later. */
  pendingOutputs: OutputDefinition[];
  /** The values of all valid outputs, merged into one flat object. */
  extractedFields: Record<string, unknown>;
  durationMs: number;
  usage: { inputTokens: number; outputTokens: number };
  /** Model time of each agent turn, in wall-clock milliseconds. */
  modelMs: number[];
  error: { code: string; message: string } | null;
  /** The person asked for a human, and the session could not be handed over. */
  humanRequested: boolean;
  /** The person may have asked for no more contact; null: they did not, or the ledger was written. */
  doubt: OptOutDoubt | null;
}

/** A check of a value against a JSON Schema: the list of faults, empty when it fits. */
export type ValidateOutput = (schema: JsonSchema, value: unknown) => string[];
