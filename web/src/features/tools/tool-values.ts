import type { JsonObject } from "@parley/sdk";
import { parseExactly } from "#web/api/exact-json.ts";
import { readJsonObject, readJsonText, toJsonText } from "#web/ui/form/json-text.ts";
import type { Tool, ToolParameter } from "./tool.ts";

/** A parameter as the form holds it; `rest` has the members that the form does not show. */
export type ParameterValues = {
  name: string;
  type: string;
  description: string;
  required: boolean;
  source: string;
  enumValues: string[];
  defaultValue: string;
  rest: JsonObject;
};

/** A tool as the form holds it. Fields have the API's names, so that the server's faults appear at them. */
export type ToolValues = {
  name: string;
  description: string;
  groupName: string;
  toolType: string;
  apiMethod: string;
  apiUrl: string;
  apiHeaders: string;
  apiBody: string;
  connectionId: string | null;
  networkAllowList: string[];
  apiTimeoutSeconds: number | string;
  toolCallTimeoutSeconds: number | string;
  isAsync: boolean;
  internalOnly: boolean;
  parameters: ParameterValues[];
  returnValue: { path: string; type: string | null; saveToVariable: string };
  messages: { start: string; delayed: string; success: string; failure: string };
  forwardCallConfig: {
    mode: string;
    destinationType: string;
    destination: string;
    ringTimeoutSeconds: number | string;
    whisperMessage: string;
    fallbackMessage: string;
  };
  /** Code of a tool with a single step; null when its plan is edited as a whole. */
  code: string | null;
  executionPlan: string;
  mockConfig: { enabled: boolean; result: string; error: string; delayMs: number | string };
};

/** Initial values of a new parameter. */
export const NEW_PARAMETER: ParameterValues = {
  name: "",
  type: "string",
  description: "",
  required: true,
  source: "LLM",
  enumValues: [],
  defaultValue: "",
  rest: {},
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | string => (typeof value === "number" ? value : "");

/** A tool as the form shows it; a new one when there is none. */
export function toValues(tool: Tool | null): ToolValues {
  const { returnValue, messages, forwardCallConfig: forward, mockConfig: mock } = tool ?? {};
  const only = tool?.executionPlan?.length === 1 ? tool.executionPlan[0] : undefined;
  const isPlain = tool?.executionPlan == null || (only?.type === "CODE" && tool.toolType === "CODE");
  return {
    name: tool?.name ?? "",
    description: tool?.description ?? "",
    groupName: tool?.groupName ?? "",
    toolType: tool?.toolType ?? "API",
    apiMethod: tool?.apiMethod ?? "POST",
    apiUrl: tool?.apiUrl ?? "",
    apiHeaders: toJsonText(tool?.apiHeaders),
    apiBody: toJsonText(tool?.apiBody),
    connectionId: tool?.connectionId ?? null,
    networkAllowList: tool?.networkAllowList ?? [],
    apiTimeoutSeconds: number(tool?.apiTimeoutSeconds),
    toolCallTimeoutSeconds: number(tool?.toolCallTimeoutSeconds),
    isAsync: tool?.isAsync ?? false,
    internalOnly: tool?.internalOnly ?? false,
    parameters: (tool?.parameters ?? []).map(toParameterValues),
    returnValue: {
      path: text(returnValue?.path),
      type: text(returnValue?.type) || null,
      saveToVariable: text(returnValue?.saveToVariable),
    },
    messages: {
      start: text(messages?.start),
      delayed: text(messages?.delayed),
      success: text(messages?.success),
      failure: text(messages?.failure),
    },
    forwardCallConfig: {
      mode: text(forward?.mode) || "COLD",
      destinationType: text(forward?.destinationType) || "PHONE",
      destination: text(forward?.destination),
      ringTimeoutSeconds: number(forward?.ringTimeoutSeconds),
      whisperMessage: text(forward?.whisperMessage),
      fallbackMessage: text(forward?.fallbackMessage),
    },
    code: isPlain ? text(only?.code) : null,
    executionPlan: toJsonText(tool?.executionPlan),
    mockConfig: {
      enabled: mock?.enabled === true,
      result: toJsonText(mock?.result),
      error: text(mock?.error),
      delayMs: number(mock?.delayMs),
    },
  };
}

function toParameterValues(parameter: ToolParameter): ParameterValues {
  const { name, type, description, required, source, enumValues, defaultValue, ...rest } = parameter;
  const shown = typeof defaultValue === "string" && type === "string" ? defaultValue : toJsonText(defaultValue);
  return {
    name,
    type,
    description: description ?? "",
    required: required ?? false,
    source: source ?? "LLM",
    enumValues: (enumValues ?? []).map(String),
    defaultValue: shown,
    rest,
  };
}

/** Request body of a tool. Members that the form does not show keep their value in `stored`. */
export function toBody(values: ToolValues, stored: Tool | null): JsonObject {
  const { toolType } = values;
  const hasAddress = toolType === "API" || toolType === "MCP";
  const body: JsonObject = {
    name: values.name.trim(),
    description: values.description,
    groupName: values.groupName.trim() || null,
    toolType,
    parameters: values.parameters.map(toParameter),
    returnValue: over(stored?.returnValue, values.returnValue),
    messages: over(stored?.messages, values.messages),
    isAsync: values.isAsync,
    internalOnly: values.internalOnly,
    toolCallTimeoutSeconds: orNull(values.toolCallTimeoutSeconds),
    mockConfig: toMock(values, stored),
  };
  if (hasAddress) {
    body.apiUrl = values.apiUrl.trim() || null;
    body.apiHeaders = values.apiHeaders.trim() === "" ? null : readJsonObject(values.apiHeaders);
    body.apiTimeoutSeconds = orNull(values.apiTimeoutSeconds);
    body.networkAllowList = values.networkAllowList.length > 0 ? values.networkAllowList : null;
  }
  if (toolType === "API") {
    body.apiMethod = values.apiMethod;
    body.connectionId = values.connectionId;
    body.apiBody = values.apiBody.trim() === "" ? null : readJsonObject(values.apiBody);
  }
  if (toolType === "FORWARD_CALL") body.forwardCallConfig = over(stored?.forwardCallConfig, values.forwardCallConfig);
  if (toolType === "CODE") body.executionPlan = toPlan(values, stored);
  else if (values.code === null) body.executionPlan = readJsonText(values.executionPlan) ?? null;
  return body;
}

function toPlan({ code, executionPlan }: ToolValues, stored: Tool | null): unknown {
  if (code === null) return readJsonText(executionPlan) ?? null;
  const before = stored?.executionPlan?.length === 1 ? stored.executionPlan[0] : {};
  return [{ ...before, type: "CODE", code }];
}

function toMock({ mockConfig }: ToolValues, stored: Tool | null): unknown {
  const { enabled, result, error, delayMs } = mockConfig;
  const isUnset = !enabled && result.trim() === "" && error === "" && delayMs === "";
  if (isUnset && !stored?.mockConfig) return null;
  return {
    ...stored?.mockConfig,
    enabled,
    result: readJsonText(result) ?? null,
    error: error || null,
    delayMs: orNull(delayMs),
  };
}

function toParameter(values: ParameterValues): JsonObject {
  const { rest, enumValues, defaultValue, ...shown } = values;
  return {
    ...rest,
    ...shown,
    description: shown.description || null,
    enumValues: enumValues.length === 0 ? null : enumValues.map((one) => toTyped(one, shown.type)),
    defaultValue: defaultValue === "" ? null : toTyped(defaultValue, shown.type),
  };
}

/** Parses typed text by the parameter's type; a text that does not fit is kept, and the server reports it. */
function toTyped(typed: string, type: string): unknown {
  if (type === "string") return typed;
  try {
    return parseExactly(typed);
  } catch {
    return typed;
  }
}

function orNull(value: number | string): number | null {
  return typeof value === "number" ? value : null;
}

/** Merges the shown members over the stored ones, empty ones as null; null when nothing is set or stored. */
function over(stored: JsonObject | null | undefined, shown: JsonObject): JsonObject | null {
  const members = Object.entries(shown).map(([name, value]) => [name, value === "" ? null : value]);
  if (!stored && members.every(([, value]) => value === null)) return null;
  return { ...stored, ...Object.fromEntries(members) } as JsonObject;
}
