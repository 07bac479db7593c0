import type { JsonObject } from "@parley/sdk";
import type { FlowFields } from "#web/domain/flow/flow.ts";

/** Where tools are. */
export const TOOLS_PATH = "/tools";

/** Tells whether an agent with a flow may call a tool. */
export function mayCall(toolId: string): (fields: FlowFields) => boolean {
  return ({ toolIds }) => toolIds?.includes(toolId) ?? false;
}

/** One value that a tool takes, as the API has it. */
export interface ToolParameter extends JsonObject {
  name: string;
  type: string;
  description?: string | null;
  required?: boolean | null;
  enumValues?: (string | number | boolean)[] | null;
  defaultValue?: unknown;
  source?: string | null;
}

/** A tool, as far as this page reads it; whatever else it has is kept. */
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
  networkAllowList: string[] | null;
  isSystem: boolean;
  version: number;
  updatedAt: string;
  createdAt: string;
}

export type ToolType = "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM";

/** The types that somebody can make, in words. */
export const TOOL_TYPES: { value: ToolType; label: string; about: string }[] = [
  { value: "API", label: "HTTP request", about: "Sends a request to a server and reads its answer." },
  { value: "CODE", label: "Code", about: "Runs JavaScript in a sandbox without network." },
  { value: "MCP", label: "MCP server", about: "Calls a tool of an MCP server." },
  { value: "FORWARD_CALL", label: "Call transfer", about: "Hands the call over to a person, a SIP address or a flow." },
];

/** A type in words. */
export function typeLabel(type: string): string {
  return TOOL_TYPES.find(({ value }) => value === type)?.label ?? (type === "SYSTEM" ? "Built in" : type);
}

/** One request that a tool sent while it was tried. */
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

/** What came of running a tool once. */
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

/** An input that fits the parameters, to begin with. */
export function sampleInput(parameters: ToolParameter[] | null): JsonObject {
  const given = (parameters ?? []).filter(({ source }) => (source ?? "LLM") === "LLM");
  return Object.fromEntries(given.map((parameter) => [parameter.name, sampleValue(parameter)]));
}

const SAMPLES: Record<string, unknown> = { string: "", number: 0, integer: 0, boolean: false, array: [], object: {} };

function sampleValue({ type, enumValues, defaultValue }: ToolParameter): unknown {
  return defaultValue ?? enumValues?.[0] ?? SAMPLES[type] ?? null;
}
