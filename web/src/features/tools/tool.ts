import type { JsonObject } from "@parley/sdk";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";

/** API path of the tools. */
export const TOOLS_PATH = "/tools";

/** Returns a test that is true for flows whose agent may call the tool. */
export function mayCall(toolId: string): (fields: FlowFields) => boolean {
  return ({ toolIds }) => toolIds?.includes(toolId) ?? false;
}

/** A parameter of a tool, as in the API. */
export interface ToolParameter extends JsonObject {
  name: string;
  type: string;
  description?: string | null;
  required?: boolean | null;
  enumValues?: (string | number | boolean)[] | null;
  defaultValue?: unknown;
  source?: string | null;
}

/** A tool with the fields that this page reads; all others are kept. */
export interface Tool extends JsonObject {
  id: string;
  name: string;
  description: string;
  groupName: string | null;
  toolType: ToolType;
  parameters: ToolParameter[] | null;
  returnValue: JsonObject | null;
  isAsync: boolean | null;
  internalOnly: boolean | null;
  messages: JsonObject | null;
  executionPlan: JsonObject[] | null;
  forwardCallConfig: JsonObject | null;
  apiMethod: string | null;
  apiUrl: string | null;
  apiTimeoutSeconds: number | null;
  toolCallTimeoutSeconds: number | null;
  mockConfig: JsonObject | null;
  apiHeaders: Record<string, string> | null;
  apiBody: JsonObject | null;
  connectionId: string | null;
  networkAllowList: string[] | null;
  isSystem: boolean;
  version: number;
  updatedAt: string;
  createdAt: string;
}

export type ToolType = "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM";

/** Labels of the tool types that a person can create. */
export const TOOL_TYPES: { value: ToolType; label: string; about: string }[] = [
  { value: "API", label: t`HTTP request`, about: t`Sends a request to a server and reads its answer.` },
  { value: "CODE", label: t`Code`, about: t`Runs JavaScript in a sandbox without network.` },
  { value: "MCP", label: t`MCP server`, about: t`Calls a tool of an MCP server.` },
  {
    value: "FORWARD_CALL",
    label: t`Call transfer`,
    about: t`Hands the call over to a person, a SIP address or a flow.`,
  },
];

/** Label of a tool type. */
export function typeLabel(type: string): string {
  return TOOL_TYPES.find(({ value }) => value === type)?.label ?? (type === "SYSTEM" ? t`Built in` : type);
}

/** A request that a tool sent during a test run. */
export interface Exchange {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  status: number | null;
  responseHeaders: Record<string, string>;
  responseBody: string | null;
  durationMs: number;
  error: string | null;
}

/** Result of a tool's test run. */
export interface ToolTrial {
  outcome: "VALUE" | "FAILED" | "PENDING" | "TRANSFER";
  content: string | null;
  errorCode: string | null;
  taskId: string | null;
  transfer: JsonObject | null;
  variables: JsonObject;
  durationMs: number;
  exchanges: Exchange[];
}

/** Returns a sample input that fits the parameters. */
export function sampleInput(parameters: ToolParameter[] | null): JsonObject {
  const given = (parameters ?? []).filter(({ source }) => (source ?? "LLM") === "LLM");
  return Object.fromEntries(given.map((parameter) => [parameter.name, sampleValue(parameter)]));
}

const SAMPLES: Record<string, unknown> = { string: "", number: 0, integer: 0, boolean: false, array: [], object: {} };

function sampleValue({ type, enumValues, defaultValue }: ToolParameter): unknown {
  return defaultValue ?? enumValues?.[0] ?? SAMPLES[type] ?? null;
}
