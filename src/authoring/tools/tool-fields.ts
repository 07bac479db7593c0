import { anyObject, nullable, oneOf, type Static, type TSchema, Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  ConcurrencyControlConfig,
  ForwardCallConfig,
  ToolCredentialLink,
  ToolExecutionStep,
  ToolIntegration,
  ToolMessages,
  ToolMetaHint,
  ToolMockConfig,
  ToolParameter,
  ToolPrompt,
  ToolResultCacheConfig,
  ToolReturnValue,
} from "./tool-shapes.ts";

/** Types of tools. SYSTEM is for the tools that come with the service; no caller can make one. */
const TOOL_TYPES = ["API", "FORWARD_CALL", "CODE", "MCP", "SYSTEM"] as const;
const API_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const may = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const text = (maxLength: number, description: string) => may(Type.String({ maxLength, description }));
const flag = (description: string) => may(Type.Boolean({ description }));
const texts = (maxItems: number, description: string) =>
  may(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems, description }));

const identity = {
  name: may(
    Type.String({
      pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
      description: "Function name for the model: a letter or _, then letters, digits, _ and -, at most 64.",
    }),
  ),
  description: may(Type.String({ minLength: 1, maxLength: 10_000, description: "Tells the model what it does." })),
  groupName: text(200, "Group in lists."),
  iconKey: text(200, "Icon in lists."),
  iconColor: text(50, "Colour of the icon, such as #2f6f4f."),
};

const behaviour = {
  parameters: may(Type.Array(ToolParameter, { maxItems: 100 })),
  returnValue: may(ToolReturnValue),
  toolType: may(
    oneOf(
      TOOL_TYPES,
      "API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.",
    ),
  ),
  toolSubtype: text(100, "Refines toolType; for MCP the tool's name at the server (unset: name)."),
  isAsync: flag("The answer comes later, to the async tool-task webhook. Default false."),
  internalOnly: flag("Not offered to models; other tools may call it. Default false."),
  asyncReturnType: text(100, "What an async answer holds, such as TEXT or JSON."),
  messages: may(ToolMessages),
  executionPlan: may(Type.Array(ToolExecutionStep, { maxItems: 50 })),
  integrations: may(Type.Array(ToolIntegration, { maxItems: 50 })),
  integrationCredentialLinks: may(Type.Array(ToolCredentialLink, { maxItems: 50 })),
  forwardCallConfig: may(ForwardCallConfig),
  aimetaHint: may(ToolMetaHint),
};

const request = {
  apiMethod: may(oneOf(API_METHODS)),
  apiUrl: text(4_096, "http or https URL; Liquid template. A template in the host needs networkAllowList."),
  connectionId: may({
    ...Uuid,
    description:
      "(extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for MCP.",
  }),
  apiBodyOmitsNulls: flag(
    "(extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false.",
  ),
  apiTimeoutSeconds: may(Type.Integer({ minimum: 1, maximum: 120, description: "For the HTTP request. Default 15." })),
  toolCallTimeoutSeconds: may(
    Type.Integer({ minimum: 1, maximum: 600, description: "For the whole call of the tool. Default 30." }),
  ),
  requiresConfirmedTranscript: flag("Waits until what the person said is final. Default false."),
  confirmedTranscriptTimeoutMs: may(
    Type.Integer({ minimum: 100, maximum: 60_000, description: "Longest such wait. Default 2000." }),
  ),
  proactiveLookupEnabled: flag("Called before the conversation starts. Default false."),
  prompts: may(Type.Array(ToolPrompt, { maxItems: 50 })),
  toolResultCacheConfig: may(ToolResultCacheConfig),
  toolConcurrencyConfig: may(ConcurrencyControlConfig),
  concurrencyLimitFallbackMessage: text(2_000, "The tool's answer when too many calls of it run."),
  mockConfig: may(ToolMockConfig),
  apiHeaders: may(
    Type.Unsafe<Record<string, string>>({
      type: "object",
      maxProperties: 50,
      additionalProperties: { type: "string" },
      description:
        "Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as ********, which sent back means unchanged.",
    }),
  ),
  apiBody: may(
    anyObject(
      "JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below members whose name speaks of a credential read as ********, which sent back means unchanged.",
    ),
  ),
};

const catalogue = {
  sourceBuiltinToolKey: text(100, "Name of the built-in tool that this one was made from."),
  applicationType: text(100, "Kind of application it belongs to."),
  applicationId: may(Uuid),
  requiresFollowUp: flag("The model must speak after the answer. Default true."),
  hideFromChatTimeline: flag("Default false."),
  discloseOutputSchema: flag("Tells the model the schema of returnValue. Default false."),
  requiresSandbox: flag("CODE steps run in the sandbox whatever their origin. Default true."),
  anonymizeInChatTimeline: flag("Shows that it was called, not with what. Default false."),
  haltOnStepError: flag("A failed step ends the executionPlan. Default true."),
  tags: texts(50, "Labels."),
  catalogInclusionModes: texts(50, "Catalogues that show it."),
  networkAllowList: texts(100, "Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443."),
};

/** Fields that a caller may set, in the order of the contract's table. Every field may be null, which clears it. */
export const toolFields = { ...identity, ...behaviour, ...request, ...catalogue };

/** Body of a tool's creation or change; server-owned fields in it are ignored. */
export const ToolDefinitionInput = Type.Object(toolFields, { $id: "ToolDefinitionInput" });
export type ToolFields = Static<typeof ToolDefinitionInput>;

const FIELD_NAMES = Object.keys(toolFields) as (keyof ToolFields)[];

/** Keeps the fields of a body that a caller may set. */
export function pickToolFields(body: object): ToolFields {
  const picked: ToolFields = {};
  for (const name of FIELD_NAMES) {
    if (Object.hasOwn(body, name)) Object.assign(picked, { [name]: (body as ToolFields)[name] });
  }
  return picked;
}

/** Every field of a tool, null where `fields` has none. */
export function fillToolFields(fields: ToolFields): Required<ToolFields> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, fields[name] ?? null])) as Required<ToolFields>;
}
