import { ForwardCallConfig } from "#src/authoring/tools/tool-shapes.ts";
import { anyObject, nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { CallingWindowInput, TimeZoneName } from "#src/tenancy/compliance/calling-window.ts";
import { FlowStages } from "./stages.ts";

const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

const OUTPUT_CONDITION =
  "Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false.";
const OUTPUT_FILL_DURING = "Filled after each thing the person says, not only at the end. Default false.";

const LocalVariable = Type.Object(
  {
    variableName: Type.String({
      pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$",
      description: "a letter, then letters, digits and _.",
    }),
    type: Type.String({ maxLength: 50, description: "Such as string, number, boolean." }),
    defaultValue: Type.Optional(Type.Unsafe<unknown>({ description: "Used when rowData does not name the variable." })),
  },
  { $id: "LocalVariable" },
);

const InlineOutput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
    schema: anyObject("JSON Schema 2020-12 of type object."),
    condition: text(2_000, OUTPUT_CONDITION),
    fillDuring: Type.Optional(nullable(Type.Boolean({ description: OUTPUT_FILL_DURING }))),
  },
  { $id: "InlineStructuredOutput" },
);

const VoicemailConfig = Type.Object(
  {
    action: oneOf(["HANG_UP", "LEAVE_MESSAGE"]),
    message: Type.Optional(
      nullable(Type.String({ maxLength: 2_000, description: "Template; the first message when unset." })),
    ),
  },
  { $id: "VoicemailConfig" },
);

const TurnTaking = Type.Object(
  {
    endOfTurnMs: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 200,
          maximum: 1_500,
          description: "Pause that ends a turn, before it adapts to the speaker. Default 500.",
        }),
      ),
    ),
    bargeInMs: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 100,
          maximum: 2_000,
          description: "Speech over the agent that makes it pause. Default 300.",
        }),
      ),
    ),
  },
  { $id: "TurnTaking", description: "When it is whose turn in a spoken call." },
);

const ModelChoice = Type.Object(
  {
    modelId: Type.Optional(nullable(Type.Unsafe<string>({ ...Uuid, description: "A configured model." }))),
    fallbackModelIds: Type.Optional(
      nullable(Type.Array(Uuid, { maxItems: 5, description: "Asked in turn when the one before fails or is silent." })),
    ),
    temperature: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 2 }))),
  },
  { $id: "ModelChoice" },
);

const TransferTarget = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: "What the agent calls it." }),
    description: text(1_000, "When to hand the call there."),
    ...ForwardCallConfig.properties,
    destination: Type.String({
      pattern: "^([+][1-9][0-9]{6,14}|sips?:[^ @]+@[^ @]+|[A-Za-z0-9][A-Za-z0-9_-]{0,99})$",
      maxLength: 500,
      description: "an E.164 number, a sip: address, or a flow's id or apiId.",
    }),
  },
  { $id: "TransferTarget" },
);

const FlowLimits = Type.Object(
  {
    maxTurns: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 500, description: "Turns of the agent. Default 60." })),
    ),
    maxToolCalls: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: 1_000, description: "Calls of tools. Default 50." })),
    ),
    maxModelTokens: Type.Optional(
      nullable(Type.Integer({ minimum: 1_000, maximum: 10_000_000, description: "Model tokens. Default 500000." })),
    ),
    maxCost: Type.Optional(
      nullable(
        Type.String({
          pattern: "^\\d{1,9}([.]\\d{1,6})?$",
          description: "What a session may cost by the workspace's prices, as a decimal. Unset: no limit.",
        }),
      ),
    ),
    maxHistoryTokens: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 500,
          maximum: 1_000_000,
          description: "What of the conversation the model is told, in tokens; the oldest falls away. Default 24000.",
        }),
      ),
    ),
  },
  { $id: "FlowLimits" },
);

const { windows, excludeDates } = CallingWindowInput.properties;

const HumanHandoff = Type.Object(
  {
    hours: Type.Optional(
      nullable(
        Type.Object(
          { timeZone: TimeZoneName, windows, excludeDates },
          { $id: "WorkingHours", description: "When humans are there; unset: always." },
        ),
      ),
    ),
    waitingMessage: text(
      2_000,
      "What the person reads within the hours; Liquid template. Unset: the agent's own words.",
    ),
    closedMessage: text(
      2_000,
      "What they read outside the hours; Liquid template, with opensAt. The agent goes on answering.",
    ),
  },
  { $id: "HumanHandoff", description: "What happens when a person asks for a human in a chat." },
);

const FlowMemory = Type.Object(
  {
    earlierSessions: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: 20,
          description: "How many earlier calls and chats with the same contact the agent is told of. Default 0.",
        }),
      ),
    ),
  },
  { $id: "FlowMemory" },
);

/** Fields of a flow that a caller may set. Every field may be null, which clears it. */
export const flowFields = {
  name: text(200, "Name of the flow."),
  description: text(10_000, "What it is for."),
  masterPrompt: text(60_000, "Instructions of the agent; Liquid template over the variables."),
  firstMessage: text(5_000, "What the agent says first; Liquid template. Unset: the model opens."),
  voiceId: text(200, "Voice, by the speech provider's id."),
  language: Type.Optional(
    nullable(Type.String({ pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$", description: "BCP 47, such as en-US." })),
  ),
  localVariables: Type.Optional(nullable(Type.Array(LocalVariable, { maxItems: 200 }))),
  channelMode: Type.Optional(
    nullable(Type.String({ pattern: "^[A-Z_]{1,40}$", description: "Such as VOICE or CHAT." })),
  ),
  structuredOutputIds: Type.Optional(nullable(Type.Array(Uuid, { maxItems: 50 }))),
  structuredOutputs: Type.Optional(nullable(Type.Array(InlineOutput, { maxItems: 50 }))),
  model: Type.Optional(nullable(ModelChoice)),
  toolIds: Type.Optional(
    nullable(
      Type.Array(Uuid, { maxItems: 100, description: "Tools that the agent may call, system tools among them." }),
    ),
  ),
  agentId: Type.Optional(
    nullable({
      ...Uuid,
      description: "Agent whose knowledge base is searched. Unset: the agents that follow the flow.",
    }),
  ),
  storeKeys: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 20,
        description: "Data stores that read_record and write_record reach.",
      }),
    ),
  ),
  transferTargets: Type.Optional(
    nullable(Type.Array(TransferTarget, { maxItems: 50, description: "Whom transfer_call may hand the call to." })),
  ),
  stages: Type.Optional(FlowStages),
  limits: Type.Optional(nullable(FlowLimits)),
  memory: Type.Optional(nullable(FlowMemory)),
  humanHandoff: Type.Optional(nullable(HumanHandoff)),
  voicemailConfig: Type.Optional(nullable(VoicemailConfig)),
  turnTaking: Type.Optional(nullable(TurnTaking)),
  ringTimeoutSeconds: Type.Optional(nullable(Type.Integer({ minimum: 5, maximum: 120, description: "Default 30." }))),
  maxDurationSeconds: Type.Optional(
    nullable(Type.Integer({ minimum: 10, maximum: 7_200, description: "Default 600." })),
  ),
  silenceTimeoutSeconds: Type.Optional(
    nullable(Type.Integer({ minimum: 2, maximum: 120, description: "Default 10." })),
  ),
  callBackInterrupted: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          "Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false.",
      }),
    ),
  ),
  recordingEnabled: Type.Optional(nullable(Type.Boolean({ description: "Default true." }))),
};

/** A flow in the body of a call; it is not saved to the library. */
export const InlineFlow = Type.Object(flowFields, {
  $id: "InlineFlow",
  description: "A flow for this request alone, by its fields; flowApiId or flowId names a saved one.",
});

/** Name of a flow for its callers. */
export const ApiId = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$",
  description: "letters, digits, _ and -.",
});

/** Body of a flow's change, and a flow in a document. */
export const FlowInput = Type.Object({ ...flowFields, apiId: Type.Optional(nullable(ApiId)) }, { $id: "FlowInput" });
export type FlowInput = Static<typeof FlowInput>;

/** Body of a flow's creation. */
export const NewFlow = Type.Object(
  { ...FlowInput.properties, name: Type.String({ minLength: 1, maxLength: 200, description: "Name of the flow." }) },
  { $id: "NewFlow" },
);
export type NewFlow = Static<typeof NewFlow>;
export type FlowFields = Static<typeof InlineFlow>;

/** A flow's own outputs as a session fills them. */
export function toInlineOutputs({ structuredOutputs }: FlowFields) {
  return (structuredOutputs ?? []).map(({ name, description, schema, condition, fillDuring }) => ({
    name,
    description: description ?? "",
    schema,
    condition: condition ?? null,
    fillDuring: fillDuring ?? false,
  }));
}
