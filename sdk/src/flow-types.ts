import type { JsonObject, StructuredOutput } from "./output-types.ts";

/** A variable that a flow names. */
export interface LocalVariable {
  variableName: string;
  type: string;
  defaultValue?: unknown;
}

/** Which model speaks, and who takes over when it fails or is silent. */
export interface ModelChoice {
  modelId?: string | null;
  fallbackModelIds?: string[] | null;
  temperature?: number | null;
}

/** Whom the agent may hand a call to. */
export interface TransferTarget {
  name: string;
  /** When to hand the call there. */
  description?: string | null;
  /** COLD: at once. WARM: after a word with the target. COLD when absent. */
  mode?: "COLD" | "WARM" | "AGENTIC_WARM" | null;
  destinationType?: "PHONE" | "SIP" | "FLOW" | null;
  /** A number (E.164), a sip: address, or a flow's id or apiId. */
  destination: string;
  dtmfSequence?: string | null;
  /** The number that the target sees; OWN when absent. */
  callerId?: "OWN" | "CUSTOMER" | null;
  /** Told to the target alone before the parties are joined. */
  whisperMessage?: string | null;
  summaryToAgent?: boolean | null;
  holdAudioUrl?: string | null;
  ringTimeoutSeconds?: number | null;
  transferOnlyIfHuman?: boolean | null;
  fallbackMessage?: string | null;
  sipHeaders?: Record<string, string> | null;
}

/** What bounds a session; the service's own figures where absent. */
export interface FlowLimits {
  maxTurns?: number | null;
  maxToolCalls?: number | null;
  maxModelTokens?: number | null;
  /** By the workspace's prices, as a decimal text. */
  maxCost?: string | null;
  maxHistoryTokens?: number | null;
}

/** A structured output that belongs to one flow alone. */
export type InlineStructuredOutput = Pick<StructuredOutput, "name" | "schema"> &
  Partial<Pick<StructuredOutput, "description" | "condition" | "fillDuring">>;

/** A flow as a caller writes it. What is absent or null has the service's default. */
export interface FlowDefinition {
  name?: string | null;
  description?: string | null;
  /** Instructions of the agent, a Liquid template over the variables. */
  masterPrompt?: string | null;
  /** What the agent says first, a Liquid template; absent: the model opens. */
  firstMessage?: string | null;
  voiceId?: string | null;
  /** BCP 47, such as en-US. */
  language?: string | null;
  localVariables?: LocalVariable[] | null;
  channelMode?: string | null;
  structuredOutputIds?: string[] | null;
  structuredOutputs?: InlineStructuredOutput[] | null;
  model?: ModelChoice | null;
  /** Tools that the agent may call, system tools among them. */
  toolIds?: string[] | null;
  /** The agent whose knowledge base is searched; absent: those of the agents that follow the flow. */
  agentId?: string | null;
  storeKeys?: string[] | null;
  transferTargets?: TransferTarget[] | null;
  limits?: FlowLimits | null;
  /** How many earlier calls and chats with the same contact the agent is told of. */
  memory?: { earlierSessions?: number | null } | null;
  voicemailConfig?: { action: "HANG_UP" | "LEAVE_MESSAGE"; message?: string | null } | null;
  turnTaking?: { endOfTurnMs?: number | null; bargeInMs?: number | null } | null;
  ringTimeoutSeconds?: number | null;
  maxDurationSeconds?: number | null;
  silenceTimeoutSeconds?: number | null;
  recordingEnabled?: boolean | null;
}

/** A saved flow. */
export interface Flow extends Required<FlowDefinition> {
  id: string;
  apiId: string;
  userId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** What is being prepared for a flow; no call uses it before it is published. */
export interface FlowDraft extends Required<FlowDefinition> {
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
