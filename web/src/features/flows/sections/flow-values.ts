import type { UseFormReturnType } from "@mantine/form";
import type { JsonObject } from "@parley/sdk";
import { type FlowFields, type LocalVariable, toEditedFields, type TransferTarget } from "#web/domain/flow/flow.ts";
import { type OutputValues, toOutputBody, toOutputValues } from "#web/domain/output/output-values.ts";
import { type Stage, toStage, toStageBody } from "#web/domain/stage/stage.ts";
import { isSame } from "#web/ui/form/merge-fields.ts";

type Figure = number | "";

/** A form over a flow. */
export type FlowFormType = UseFormReturnType<FlowValues>;

/** A flow's fields as the form holds them: texts instead of nulls. */
export type FlowValues = {
  name: string;
  description: string;
  masterPrompt: string;
  firstMessage: string;
  voiceId: string;
  language: string;
  channelMode: string;
  localVariables: { variableName: string; type: string; defaultValue: string }[];
  toolIds: string[];
  structuredOutputIds: string[];
  structuredOutputs: OutputValues[];
  agentId: string | null;
  storeKeys: string[];
  model: { modelId: string | null; fallbackModelIds: string[]; temperature: Figure };
  transferTargets: (TransferTarget & { description: string })[];
  stages: Stage[];
  limits: {
    maxTurns: Figure;
    maxToolCalls: Figure;
    maxModelTokens: Figure;
    maxHistoryTokens: Figure;
    maxCost: string;
  };
  memory: { earlierSessions: Figure };
  voicemailConfig: { action: string; message: string };
  turnTaking: { endOfTurnMs: Figure; bargeInMs: Figure };
  ringTimeoutSeconds: Figure;
  maxDurationSeconds: Figure;
  silenceTimeoutSeconds: Figure;
  callBackInterrupted: boolean;
  recordingEnabled: boolean;
};

/** A flow as the form shows it. */
export function toValues(fields: FlowFields): FlowValues {
  const limits = (fields.limits ?? {}) as Record<string, unknown>;
  const { model, voicemailConfig, turnTaking } = fields;
  return {
    name: fields.name ?? "",
    description: fields.description ?? "",
    masterPrompt: fields.masterPrompt ?? "",
    firstMessage: fields.firstMessage ?? "",
    voiceId: fields.voiceId ?? "",
    language: fields.language ?? "",
    channelMode: fields.channelMode ?? "",
    localVariables: (fields.localVariables ?? []).map((one) => ({ ...one, defaultValue: toText(one.defaultValue) })),
    toolIds: fields.toolIds ?? [],
    structuredOutputIds: fields.structuredOutputIds ?? [],
    structuredOutputs: (fields.structuredOutputs ?? []).map(toOutputValues),
    agentId: fields.agentId,
    storeKeys: fields.storeKeys ?? [],
    model: {
      modelId: model?.modelId ?? null,
      fallbackModelIds: model?.fallbackModelIds ?? [],
      temperature: model?.temperature ?? "",
    },
    transferTargets: (fields.transferTargets ?? []).map((one) => ({ ...one, description: one.description ?? "" })),
    stages: (fields.stages ?? []).map(toStage),
    limits: {
      maxTurns: toFigure(limits.maxTurns),
      maxToolCalls: toFigure(limits.maxToolCalls),
      maxModelTokens: toFigure(limits.maxModelTokens),
      maxHistoryTokens: toFigure(limits.maxHistoryTokens),
      maxCost: toText(limits.maxCost),
    },
    memory: { earlierSessions: toFigure(fields.memory?.earlierSessions) },
    voicemailConfig: { action: voicemailConfig?.action ?? "", message: voicemailConfig?.message ?? "" },
    turnTaking: { endOfTurnMs: toFigure(turnTaking?.endOfTurnMs), bargeInMs: toFigure(turnTaking?.bargeInMs) },
    ringTimeoutSeconds: toFigure(fields.ringTimeoutSeconds),
    maxDurationSeconds: toFigure(fields.maxDurationSeconds),
    silenceTimeoutSeconds: toFigure(fields.silenceTimeoutSeconds),
    callBackInterrupted: fields.callBackInterrupted ?? false,
    recordingEnabled: fields.recordingEnabled ?? true,
  };
}

/** The form's values as the API takes them; settings that the form does not show keep their stored values. */
export function toFields(values: FlowValues, stored: FlowFields): FlowFields {
  const { voicemailConfig: voicemail, callBackInterrupted, recordingEnabled } = values;
  return {
    ...toEditedFields(stored),
    name: orNull(values.name.trim()),
    description: orNull(values.description),
    masterPrompt: orNull(values.masterPrompt),
    firstMessage: orNull(values.firstMessage),
    voiceId: orNull(values.voiceId.trim()),
    language: orNull(values.language.trim()),
    channelMode: orNull(values.channelMode),
    localVariables: listOrNull(values.localVariables.map(toVariable), stored.localVariables),
    toolIds: listOrNull(values.toolIds, stored.toolIds),
    structuredOutputIds: listOrNull(values.structuredOutputIds, stored.structuredOutputIds),
    structuredOutputs: listOrNull(
      values.structuredOutputs.map((output) => toOwnOutput(output, stored.structuredOutputs ?? [])),
      stored.structuredOutputs,
    ),
    agentId: values.agentId,
    storeKeys: listOrNull(values.storeKeys, stored.storeKeys),
    model: packed({ ...values.model, fallbackModelIds: listOrNull(values.model.fallbackModelIds, null) }, stored.model),
    transferTargets: listOrNull(
      values.transferTargets.map((one) => ({ ...one, description: orNull(one.description) })),
      stored.transferTargets,
    ),
    stages: toStageBodies(values.stages, stored.stages ?? null),
    limits: packed(values.limits, stored.limits) as FlowFields["limits"],
    memory: packed(values.memory, stored.memory),
    voicemailConfig: voicemail.action === "" ? null : { action: voicemail.action, message: orNull(voicemail.message) },
    turnTaking: packed(values.turnTaking, stored.turnTaking),
    ringTimeoutSeconds: orNull(values.ringTimeoutSeconds),
    maxDurationSeconds: orNull(values.maxDurationSeconds),
    silenceTimeoutSeconds: orNull(values.silenceTimeoutSeconds),
    callBackInterrupted: stored.callBackInterrupted === null && !callBackInterrupted ? null : callBackInterrupted,
    recordingEnabled: stored.recordingEnabled === null && recordingEnabled ? null : recordingEnabled,
  };
}

/** A flow's own output as the API takes it; an unchanged one is sent exactly as stored. */
function toOwnOutput(output: OutputValues, stored: JsonObject[]): JsonObject {
  const shown = JSON.stringify(output);
  return stored.find((one) => JSON.stringify(toOutputValues(one)) === shown) ?? toOutputBody(output);
}

/** Stages as the API takes them; unchanged ones are sent exactly as stored. */
function toStageBodies(stages: Stage[], stored: FlowFields["stages"]): FlowFields["stages"] {
  return isSame(stages, (stored ?? []).map(toStage)) ? stored : stages.map(toStageBody);
}

/** Parses a default by its type; a text that does not fit stays a text, which the server may refuse. */
export function readDefault(text: string, type: string): unknown {
  if (text === "") return undefined;
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  if (type === "object" || type === "array") {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function toVariable({ variableName, type, defaultValue }: FlowValues["localVariables"][number]): LocalVariable {
  const value = readDefault(defaultValue, type);
  return { variableName, type, ...(value === undefined ? {} : { defaultValue: value }) };
}

/** A default as the form shows it. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toFigure(value: unknown): Figure {
  return typeof value === "number" ? value : "";
}

function orNull<T>(value: T | ""): T | null {
  return value === "" ? null : value;
}

function listOrNull<T>(list: T[], stored: unknown): T[] | null {
  return list.length === 0 && stored === null ? null : list;
}

/** Returns the members with null for empty ones; null when all are empty and none was stored. */
function packed<T extends object>(members: Record<string, unknown>, stored: T | null): T | null {
  const filled = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, orNull(value)]));
  return stored === null && Object.values(filled).every((value) => value === null) ? null : (filled as T);
}
