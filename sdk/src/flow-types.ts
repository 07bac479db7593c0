import type { JsonObject, StructuredOutput } from "./output-types.ts";

/** A variable that a flow uses. */
export interface LocalVariable {
  variableName: string;
  type: string;
  defaultValue?: unknown;
}

/** The model that speaks, and the models that take over when it fails or stays silent. */
export interface ModelChoice {
  modelId?: string | null;
  fallbackModelIds?: string[] | null;
  temperature?: number | null;
}

/** A target to which the agent may transfer a call. */
export interface TransferTarget {
  name: string;
  /** Condition, in words, for transferring the call here. */
  description?: string | null;
  /** COLD: at once. WARM: after the agent has spoken with the target. COLD when absent. */
  mode?: "COLD" | "WARM" | "AGENTIC_WARM" | null;
  destinationType?: "PHONE" | "SIP" | "FLOW" | null;
  /** A number (E.164), a sip: address, or a flow's id or apiId. */
  destination: string;
  dtmfSequence?: string | null;
  /** The number that the target sees; OWN when absent. */
  callerId?: "OWN" | "CUSTOMER" | null;
  /** Message that the target alone hears before the parties are joined. */
  whisperMessage?: string | null;
  summaryToAgent?: boolean | null;
  holdAudioUrl?: string | null;
  ringTimeoutSeconds?: number | null;
  transferOnlyIfHuman?: boolean | null;
  fallbackMessage?: string | null;
  sipHeaders?: Record<string, string> | null;
}

/** Limits of a session; the service's defaults where absent. */
export interface FlowLimits {
  maxTurns?: number | null;
  maxToolCalls?: number | null;
  maxModelTokens?: number | null;
  /** In the workspace's prices, as a decimal text. */
  maxCost?: string | null;
  maxHistoryTokens?: number | null;
}

/** A structured output that belongs to one flow alone. */
export type InlineStructuredOutput = Pick<StructuredOutput, "name" | "schema"> &
  Partial<Pick<StructuredOutput, "description" | "condition" | "fillDuring">>;

/** A flow as a caller writes it. Absent or null members have the service's default. */
export interface FlowDefinition {
  name?: string | null;
  description?: string | null;
  /** Instructions of the agent, a Liquid template over the variables. */
  masterPrompt?: string | null;
  /** First words of the agent, a Liquid template; absent: the model opens. */
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
  /** The agent whose knowledge base is searched; absent: the knowledge bases of the agents that use the flow. */
  agentId?: string | null;
  storeKeys?: string[] | null;
  transferTargets?: TransferTarget[] | null;
  limits?: FlowLimits | null;
  /** Number of earlier calls and chats with the same contact that the agent is given. */
  memory?: { earlierSessions?: number | null } | null;
  voicemailConfig?: { action: "HANG_UP" | "LEAVE_MESSAGE"; message?: string | null } | null;
  turnTaking?: { endOfTurnMs?: number | null; bargeInMs?: number | null } | null;
  ringTimeoutSeconds?: number | null;
  maxDurationSeconds?: number | null;
  silenceTimeoutSeconds?: number | null;
  callBackInterrupted?: boolean | null;
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

/** Unpublished changes of a flow; no call uses them before they are published. */
export interface FlowDraft extends Required<FlowDefinition> {
  flowId: string;
  /** The published version that the draft started from. */
  baseVersion: number;
  updatedAt: string;
  updatedBy: string | null;
}

/** Last change of a flow, with its draft. */
export interface FlowChange {
  /** The flow's id. */
  id: string;
  changedAt: string;
  /** Name, at that time, of the person or credential; null: not known. */
  changedBy: string | null;
  /** True when there is a draft that differs from the published version. */
  differs: boolean;
  draft: FlowDraft | null;
}

/** A header that the document leaves out, but whose value the imported tool needs. */
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

/** Objects that an import created, and the steps left to do by hand. */
export interface FlowImport {
  flow: Flow;
  tools: { from: string; id: string; name: string }[];
  structuredOutputs: { from: string; id: string; name: string }[];
  requiredSecrets: RequiredSecret[];
  /** References of the flow to objects that the workspace does not have. */
  unresolved: { path: string; value: string }[];
}
