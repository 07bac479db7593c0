import type { Flow as SdkFlow, FlowChange as SdkFlowChange, FlowStage, JsonObject } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";

/** A variable defined by a flow. */
export interface LocalVariable {
  variableName: string;
  type: string;
  defaultValue?: unknown;
}

/** A destination to which the agent may transfer a call. */
export interface TransferTarget {
  name: string;
  description?: string | null;
  destination: string;
  [field: string]: unknown;
}

/** Limits of a session; null: the service's default. */
export type Figures = Record<string, number | null | undefined>;

/** Fields of a flow as the API returns it: every field, null when unset. */
export interface FlowFields {
  name: string | null;
  description: string | null;
  masterPrompt: string | null;
  firstMessage: string | null;
  voiceId: string | null;
  language: string | null;
  localVariables: LocalVariable[] | null;
  channelMode: string | null;
  structuredOutputIds: string[] | null;
  structuredOutputs: JsonObject[] | null;
  model: { modelId?: string | null; fallbackModelIds?: string[] | null; temperature?: number | null } | null;
  toolIds: string[] | null;
  agentId: string | null;
  storeKeys: string[] | null;
  transferTargets: TransferTarget[] | null;
  stages: FlowStage[] | null;
  limits: (Figures & { maxCost?: never }) | (JsonObject & { maxCost?: string | null }) | null;
  memory: { earlierSessions?: number | null } | null;
  voicemailConfig: { action: string; message?: string | null } | null;
  turnTaking: { endOfTurnMs?: number | null; bargeInMs?: number | null } | null;
  ringTimeoutSeconds: number | null;
  maxDurationSeconds: number | null;
  silenceTimeoutSeconds: number | null;
  callBackInterrupted: boolean | null;
  recordingEnabled: boolean | null;
}

/** A saved flow with every field. */
export type Flow = FlowFields & Pick<SdkFlow, "id" | "apiId" | "version" | "createdAt" | "updatedAt">;

/** Fields of a flow or its draft that the server sets and nobody edits. */
const SET_BY_SERVER = [
  "id",
  "apiId",
  "userId",
  "version",
  "createdAt",
  "updatedAt",
  "flowId",
  "baseVersion",
  "updatedBy",
];

/** Returns the fields of a flow or its draft that people edit, as a draft is saved. */
export function toEditedFields(stored: FlowFields): FlowFields {
  return Object.fromEntries(
    Object.entries(stored).filter(([name]) => !SET_BY_SERVER.includes(name)),
  ) as unknown as FlowFields;
}

/** Draft of a flow's next version. */
export type FlowDraft = FlowFields & {
  flowId: string;
  baseVersion: number;
  updatedAt: string;
  updatedBy: string | null;
};

/** A flow's last change, with its author, and its draft. */
export type FlowChange = Omit<SdkFlowChange, "draft"> & { draft: FlowDraft | null };

/** Share of new sessions that a version gets. */
export interface Split {
  version: number;
  percent: number;
}

/** A flow as its editor needs it. */
export interface FlowEditing {
  flow: Flow;
  draft: FlowDraft | null;
  /** True: the draft says something else than what is published. */
  differs: boolean;
  splits: Split[] | null;
}

/** A published version in a list. */
export interface FlowVersionEntry {
  id: string;
  version: number;
  published: boolean;
  note: string | null;
  createdAt: string;
  createdBy: string | null;
}

/** A published version with its fields. */
export type FlowVersion = FlowVersionEntry & FlowFields;

/** The fields that make up a version, in the order in which a person reads them. */
export const FIELD_LABELS: [keyof FlowFields, string][] = [
  ["name", t`Name`],
  ["description", t`Description`],
  ["masterPrompt", t`Prompt`],
  ["firstMessage", t`First message`],
  ["voiceId", t`Voice`],
  ["language", t`Language`],
  ["channelMode", t`Channel`],
  ["localVariables", t`Variables`],
  ["toolIds", t`Tools`],
  ["structuredOutputIds", t`Structured outputs`],
  ["structuredOutputs", t`Flow-only outputs`],
  ["model", t`Model`],
  ["agentId", t`Knowledge of agent`],
  ["storeKeys", t`Data stores`],
  ["transferTargets", t`Transfer targets`],
  ["stages", t`Stages`],
  ["voicemailConfig", t`Voicemail`],
  ["limits", t`Limits`],
  ["memory", t`Memory`],
  ["turnTaking", t`Turn taking`],
  ["ringTimeoutSeconds", t`Ring time`],
  ["maxDurationSeconds", t`Longest call`],
  ["silenceTimeoutSeconds", t`Longest silence`],
  ["callBackInterrupted", t`Call back after an interruption`],
  ["recordingEnabled", t`Recording`],
];

/** Returns the flow's own fields, without the server's metadata. */
export function pickFields(source: FlowFields): FlowFields {
  return Object.fromEntries(FIELD_LABELS.map(([name]) => [name, source[name] ?? null])) as unknown as FlowFields;
}

/** The variables that every session has, besides a flow's own. */
export const BUILT_IN_VARIABLES = [
  "contactName",
  "contactEmail",
  "contactPhone",
  "customerNumber",
  "contactIdentifier",
  "memory",
  "language",
  "flowName",
  "channel",
];
