import {
  anyObject,
  anyValue,
  nullable,
  oneOf,
  type Static,
  type TSchema,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";

// Members that a shape does not name are kept and returned: a caller may store notes of its own beside ours.

const may = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const text = (maxLength: number, description: string) => may(Type.String({ maxLength, description }));
const flag = (description: string) => may(Type.Boolean({ description }));
const whole = (minimum: number, maximum: number, description: string) =>
  may(Type.Integer({ minimum, maximum, description }));

const VARIABLE = "^[A-Za-z_][A-Za-z0-9_]{0,63}$";
const VARIABLE_FORM = "a letter or _, then letters, digits and _, at most 64.";

/** One value that a tool takes. */
export const ToolParameter = Type.Object(
  {
    name: Type.String({ pattern: VARIABLE, description: VARIABLE_FORM }),
    type: oneOf(["string", "number", "integer", "boolean", "array", "object"], "JSON Schema type."),
    description: text(4_000, "Told to the model."),
    required: flag("Default false."),
    enumValues: may(
      Type.Array(Type.Unsafe<string | number | boolean>({ type: ["string", "number", "boolean"] }), {
        maxItems: 500,
        description: "The only values allowed.",
      }),
    ),
    defaultValue: Type.Optional(anyValue("Used when the model gives none; the value itself for CONSTANT.")),
    format: text(50, "JSON Schema format, such as date or email."),
    pattern: text(1_000, "Regular expression (RE2) that a text must match."),
    items: may(anyObject("JSON Schema of an array's items.")),
    properties: may(anyObject("JSON Schemas of an object's members, by name.")),
    source: may(oneOf(["LLM", "VARIABLE", "CONSTANT"], "Who gives the value. Default LLM.")),
  },
  { $id: "ToolParameter" },
);
export type ToolParameter = Static<typeof ToolParameter>;

/** Return value of a tool. */
export const ToolReturnValue = Type.Object(
  {
    type: may(oneOf(["string", "number", "integer", "boolean", "array", "object"], "JSON Schema type.")),
    description: text(4_000, "Told to the model."),
    schema: may(anyObject("JSON Schema of the value.")),
    path: text(500, "Part of the answer that counts, such as data.items.0.price. Unset: all of it."),
    saveToVariable: may(
      Type.String({ pattern: VARIABLE, description: `Session variable that keeps it: ${VARIABLE_FORM}` }),
    ),
  },
  { $id: "ToolReturnValue" },
);

/** Messages spoken or sent while a tool runs; Liquid templates. */
export const ToolMessages = Type.Object(
  {
    start: text(2_000, "Said when the tool is called."),
    delayed: text(2_000, "Said when it takes longer than delayedAfterMs."),
    delayedAfterMs: whole(100, 600_000, "Default 3000."),
    success: text(2_000, "Said when it has worked."),
    failure: text(2_000, "Said when it has failed."),
  },
  { $id: "ToolMessages" },
);

/** Destination and options of a FORWARD_CALL tool's transfer. */
export const ForwardCallConfig = Type.Object(
  {
    mode: may(
      oneOf(["COLD", "WARM", "AGENTIC_WARM"], "COLD: at once. WARM: after a word with the target. Default COLD."),
    ),
    destinationType: may(oneOf(["PHONE", "SIP", "FLOW"], "Default PHONE.")),
    destination: text(500, "E.164 number, sip: address, or a flow's id or apiId; Liquid template."),
    dtmfSequence: may(
      Type.String({ pattern: "^[0-9A-Da-d*#wW,]{0,64}$", description: "keys 0-9 A-D * #, w and , pause; at most 64." }),
    ),
    callerId: may(oneOf(["OWN", "CUSTOMER"], "Number the target sees. Default OWN.")),
    whisperMessage: text(2_000, "Told to the target alone before the parties are joined."),
    summaryToAgent: flag("Tells the target what was said so far. Default false."),
    holdAudioUrl: text(2_048, "Audio for the waiting party."),
    ringTimeoutSeconds: whole(5, 120, "Default 30."),
    transferOnlyIfHuman: flag("Gives up when a machine answers. Default false."),
    fallbackMessage: text(2_000, "Said when the transfer fails."),
    sipHeaders: may(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        maxProperties: 20,
        additionalProperties: { type: "string", maxLength: 1_000 },
        description: "X- headers of the INVITE. Not sealed: put no secrets here.",
      }),
    ),
  },
  { $id: "ForwardCallConfig" },
);
export type ForwardCallConfig = Static<typeof ForwardCallConfig>;

/** Advice to the model beyond the description. */
export const ToolMetaHint = Type.Object(
  {
    whenToUse: text(4_000, "When the tool is the right one."),
    whenNotToUse: text(4_000, "When it is not."),
    examples: may(Type.Array(anyValue("A text, or an object with input and output."), { maxItems: 50 })),
    priority: whole(0, 1_000, "The higher comes first. Default 0."),
  },
  { $id: "ToolMetaHint" },
);

/** A text that is added to the conversation when the tool is offered or has answered. */
export const ToolPrompt = Type.Object(
  {
    key: text(100, "Which text it is, such as instructions or after_result."),
    role: may(oneOf(["SYSTEM", "ASSISTANT", "USER"], "Default SYSTEM.")),
    content: Type.String({ maxLength: 20_000, description: "Liquid template." }),
    language: may(
      Type.String({ pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$", description: "BCP 47, such as en-US." }),
    ),
  },
  { $id: "ToolPrompt" },
);

/** Keeps answers for repeated calls with the same parameters. */
export const ToolResultCacheConfig = Type.Object(
  {
    enabled: flag("Default false."),
    scope: may(oneOf(["SESSION", "CONTACT", "WORKSPACE"], "Who shares an answer. Default SESSION.")),
    ttlSeconds: whole(1, 2_592_000, "Default 300."),
    keyParameters: may(Type.Array(Type.String(), { maxItems: 100, description: "Unset: all parameters." })),
    cacheErrors: flag("Default false."),
    maxEntries: whole(1, 100_000, "Default 1000."),
  },
  { $id: "ToolResultCacheConfig" },
);

/** Limit on the calls of the tool that run at once. */
export const ConcurrencyControlConfig = Type.Object(
  {
    enabled: flag("Default false."),
    scope: may(oneOf(["TOOL", "FLOW", "WORKSPACE"], "What is counted. Default TOOL.")),
    maxConcurrent: whole(1, 10_000, "Required when enabled."),
    queueTimeoutMs: whole(0, 120_000, "Longest wait of QUEUE. Default 5000."),
    onLimit: may(oneOf(["QUEUE", "FALLBACK", "FAIL"], "FALLBACK says concurrencyLimitFallbackMessage. Default QUEUE.")),
  },
  { $id: "ConcurrencyControlConfig" },
);

/** One step of a tool that does several things in turn. */
export const ToolExecutionStep = Type.Object(
  {
    id: may(Type.String({ pattern: VARIABLE, description: `Name of its result for later steps: ${VARIABLE_FORM}` })),
    type: may(oneOf(["API", "CODE", "TOOL"], "API: this tool's own request. CODE: code. TOOL: toolId.")),
    name: text(200, "For people."),
    condition: text(2_000, "Liquid template; the step is skipped when it renders empty, 0 or false."),
    input: may(anyObject("Values for the step; texts are Liquid templates over parameters and earlier results.")),
    code: text(100_000, "JavaScript of a CODE step."),
    toolId: may(Uuid),
    continueOnError: flag("Unset: haltOnStepError of the tool decides."),
  },
  { $id: "ToolExecutionStep", additionalProperties: true },
);
export type ToolExecutionStep = Static<typeof ToolExecutionStep>;

/** An outside service that the tool works with. */
export const ToolIntegration = Type.Object(
  {
    key: text(100, "Name within the tool; integrationCredentialLinks refer to it."),
    provider: text(100, "Such as salesforce or google-calendar."),
    name: text(200, "For people."),
    config: may(anyObject("Settings of the integration. Not sealed: put no secrets here.")),
  },
  { $id: "ToolIntegration", additionalProperties: true },
);

/** Stored credential that an integration uses. */
export const ToolCredentialLink = Type.Object(
  {
    integrationKey: text(100, "Key of the integration."),
    credentialId: text(200, "Id of the credential where it is kept; never the credential itself."),
    required: flag("Default true."),
  },
  { $id: "ToolCredentialLink", additionalProperties: true },
);

/** Mocked answers instead of real calls, for tests. */
export const ToolMockConfig = Type.Object(
  {
    enabled: flag("Answers every call from here. Default false."),
    delayMs: whole(0, 120_000, "Default 0."),
    result: Type.Optional(anyValue("Given when no case fits.")),
    error: text(2_000, "Fails with this text instead."),
    cases: may(
      Type.Array(anyObject("{when: parameter values that must be equal, result, error, delayMs}."), {
        maxItems: 100,
        description: "The first that fits counts.",
      }),
    ),
  },
  { $id: "ToolMockConfig" },
);
