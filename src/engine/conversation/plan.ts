import type { TransferOrder } from "#src/audio/line/line.ts";
import type { JsonSchema, OutputDefinition, TokenUsage, ToolOffer } from "#src/engine/models/models.ts";
import type { OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import type { StagePlan } from "#src/engine/stages/stage-plan.ts";
import type { StageState, StageVisit } from "#src/engine/stages/stage-state.ts";
import type { GrantedTool } from "./tool-port.ts";

/** A request for a human in a chat, by the flow's hours and texts. */
export interface Handoff {
  /** False outside the hours: the request is recorded, and the agent goes on meanwhile. */
  isOpen: boolean;
  /** When humans are there again, on their clock; null while they are, and where no hours are set. */
  opensAt: string | null;
  /** Template of what the person reads then; empty: the agent's own words alone. */
  message: string;
}

/** Input of a session. The engine reads no table, so it holds everything that the session needs. */
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
  /** Variables for templates and the agent: local variables, rowData, contact fields. */
  variables: Record<string, unknown>;
  /** contextData, parsed. */
  memory: Record<string, unknown>;
  outputs: PlannedOutput[];
  /** Permissions beyond talking, ending the session and adding to the do-not-call list. None when absent. */
  grants?: SessionGrants;
  /** The defaults apply where absent. */
  limits?: Partial<SessionLimits>;
  /** Time zone of the person's clock; UTC where absent. */
  timeZone?: SessionZone;
  /** Earlier calls and chats with the same contact, newest first. */
  earlier?: EarlierConversation[];
  /** State of the stages after the turns before; absent at the beginning. */
  stageState?: StageState | null;
  /** Tokens that the turns before used, which count against the limits; absent in a session of one run. */
  used?: TokenUsage;
  /** Reaction to a person who asks for a human in a chat; absent: the chat waits, and the agent says so. */
  handoff?: Handoff;
}

/** A time zone by whose clock the person lives. */
export interface SessionZone {
  /** IANA name. */
  name: string;
  /** True when it is the workspace's zone, for want of a better one. */
  isAssumed: boolean;
}

/** An output and the conditions for filling it. */
export interface PlannedOutput extends OutputDefinition {
  /**
   * Liquid template over the variables, `channel` and `endReason`; the output is skipped when it renders empty, 0 or
   * false.
   */
  condition?: string | null;
  /** Filled after each utterance of the person, not only at the end. */
  fillDuring?: boolean;
}

/**
 * Tools and transfer targets that a session may use. The engine refuses a model that asks for anything else, whatever
 * the person made it say.
 */
export interface SessionGrants {
  tools: GrantedTool[];
  /** System tools beyond end_call and add_to_do_not_call. */
  systemTools: ToolOffer[];
  /** Targets of transfer_call. */
  transferTargets: TransferTarget[];
  /** Stages that the dialogue walks through; absent: it has none. */
  stages?: StagePlan | null;
}

/** A person or place to which a call may be transferred. */
export interface TransferTarget {
  /** Name that the model uses. */
  name: string;
  description: string;
  order: TransferOrder;
  wantsSummary: boolean;
}

/** Limits that end a session. */
export interface SessionLimits {
  /** Turns of the agent. */
  maxTurns: number;
  maxToolCalls: number;
  /** Input and output tokens of the whole session. */
  maxModelTokens: number;
  /** Highest cost of the session, in the workspace's currency; null: no limit. */
  maxCost: number | null;
  /** Tokens of the conversation that the model receives. */
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
  /**
   * Share of the flow's first message that the person had heard after this turn, from 0 to 1; only on turns that say
   * it.
   */
  openingHeard?: number;
  /** Passages of the knowledge base that the agent looked up for this turn. */
  citations?: Citation[];
  /** Time that the person waited for this turn; only on answers over a line of audio. */
  latency?: TurnLatency;
  /** Said to the agent alone by a supervisor. */
  whisper?: true;
  /** TYPED: words of a supervisor, which the agent's voice said; SPOKEN: what they said themselves. */
  supervisor?: "TYPED" | "SPOKEN";
  /** Set on a tool call that readers may not see whole; only where the transcript itself is the agent's memory. */
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
  /** Index of the passage in the item, from 0. */
  position: number;
  /** Headings above the passage, the outermost first. */
  headings: string[];
  /** Page of a PDF; null for other items. */
  page: number | null;
}

/** Reasons for the end of a conversation, grouped by who or what ended it. */
export const END_REASONS = [
  "AGENT_ENDED_CALL",
  "AGENT_LEFT_VOICEMAIL",
  "AGENT_HUNG_UP_ON_MACHINE",
  "AGENT_TRANSFERRED_CALL",
  "CUSTOMER_HUNG_UP",
  "CUSTOMER_OPTED_OUT",
  "ENDED_BY_REQUEST",
  "INTERRUPTED_BY_OPERATOR",
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

/** One structured output after filling: a failure is shown, never hidden. */
export interface FilledOutput {
  value: unknown;
  valid: boolean;
  errors: string[];
  extractedAt: string;
  /** The model failed, and is asked again for some minutes. */
  pending?: true;
  /** Source of each value; absent in a session without stages. */
  sources?: Record<string, "ASKED" | "FOUND_AFTERWARDS">;
}

export interface SessionOutcome {
  endReason: SessionEndReason;
  turns: Turn[];
  outputs: Record<string, FilledOutput>;
  /** Outputs whose model was unavailable; they may be filled later. */
  pendingOutputs: OutputDefinition[];
  /** The values of all valid outputs, merged into one flat object. */
  extractedFields: Record<string, unknown>;
  durationMs: number;
  usage: TokenUsage;
  /** Model time of each agent turn, in wall-clock milliseconds. */
  modelMs: number[];
  error: { code: string; message: string } | null;
  /** The person asked for a human, and the session could not be transferred. */
  humanRequested: boolean;
  /** Stages that the session walked through; empty without stages. */
  stagePath: StageVisit[];
  /** Words that may be an opt-out; null when there are none, or when the ledger was written. */
  doubt: OptOutDoubt | null;
}

/** Checks a value against a JSON Schema and returns the faults; empty when it fits. */
export type ValidateOutput = (schema: JsonSchema, value: unknown) => string[];
