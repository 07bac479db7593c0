import { FIELD_OPERATORS } from "#src/engine/stages/stage-plan.ts";
import { anyObject, anyValue, nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";

/** The most stages of one flow. */
export const MAX_STAGES = 100;
/** The most edges of one stage. */
const MAX_EDGES = 50;
const DEFAULT_MAX_VISITS = 5;

const StageId = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,49}$",
  description: "a small letter, then small letters, digits and _.",
});
const optional = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

/** When an edge is taken, or a global stage entered. `type` decides which of the other members are needed. */
const StageCondition = Type.Object(
  {
    type: oneOf(
      ["ALWAYS", "COLLECTED", "FIELD", "TOOL_RESULT", "EXPRESSION", "MEANING"],
      "ALWAYS: once the stage has nothing left to ask. COLLECTED: each of its fields has a valid value.",
    ),
    field: optional(200, "FIELD: a property of the flow's structured outputs."),
    operator: Type.Optional(nullable(oneOf(FIELD_OPERATORS, "FIELD."))),
    value: Type.Optional(anyValue("FIELD: what it is compared with; a list for ONE_OF.")),
    toolId: Type.Optional(nullable({ ...Uuid, description: "TOOL_RESULT: one of the stage's tools." })),
    outcome: Type.Optional(
      nullable(oneOf(["SUCCEEDED", "FAILED"], "TOOL_RESULT: of the tool's latest run in this stage.")),
    ),
    expression: optional(2_000, "EXPRESSION: Liquid; holds unless it renders empty, 0 or false."),
    description: optional(500, "MEANING: what the person says, in words."),
    examples: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 50,
          description: "MEANING: sentences that a person may say; the scripted model matches their words.",
        }),
      ),
    ),
  },
  { $id: "StageCondition" },
);
export type StageCondition = Static<typeof StageCondition>;

/** Step that a session takes when it enters or leaves a stage. `type` decides which of the other members are needed. */
const StageAction = Type.Object(
  {
    type: oneOf(["SAY", "CALL_TOOL", "SET"]),
    text: optional(5_000, "SAY: Liquid template."),
    toolId: Type.Optional(nullable({ ...Uuid, description: "CALL_TOOL: one of the flow's tools." })),
    arguments: Type.Optional(nullable(anyObject("CALL_TOOL: input of the tool; its texts are Liquid templates."))),
    name: Type.Optional(
      nullable(
        Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$", description: "SET: a variable of the session." }),
      ),
    ),
    value: optional(5_000, "SET: Liquid template."),
  },
  { $id: "StageAction" },
);
export type StageAction = Static<typeof StageAction>;

const StageEdge = Type.Object(
  {
    id: StageId,
    to: StageId,
    label: optional(200, "Shown in the editor and in reports."),
    when: StageCondition,
  },
  { $id: "StageEdge" },
);
export type StageEdge = Static<typeof StageEdge>;

const actions = (description: string) =>
  Type.Optional(nullable(Type.Array(StageAction, { maxItems: 20, description })));

/** One stage of a flow's dialogue. */
const FlowStage = Type.Object(
  {
    id: StageId,
    name: optional(200, "Unset: the id."),
    type: oneOf(["TALK", "CONFIRM", "SUBFLOW", "TRANSFER", "END"]),
    isStart: Type.Optional(
      nullable(Type.Boolean({ description: "A session begins here. Unset: in the first stage." })),
    ),
    global: Type.Optional(
      nullable(
        Type.Object(
          {
            when: StageCondition,
            returns: Type.Optional(
              nullable(Type.Boolean({ description: "Goes back to the stage before, once it is done. Default false." })),
            ),
          },
          { $id: "StageGlobal", description: "May be entered from any stage." },
        ),
      ),
    ),
    prompt: optional(20_000, "Added to the masterPrompt while the stage lasts; Liquid template."),
    fields: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 50,
          description: "Properties of the flow's structured outputs that it asks for; CONFIRM reads them back.",
        }),
      ),
    ),
    toolIds: Type.Optional(
      nullable(
        Type.Array(Uuid, { maxItems: 100, description: "Those of the flow's tools that it may call. Unset: all." }),
      ),
    ),
    onEntry: actions("Taken in their order when the stage is entered."),
    onExit: actions("Taken in their order when an edge is taken."),
    edges: Type.Optional(
      nullable(Type.Array(StageEdge, { maxItems: MAX_EDGES, description: "Tried in their order." })),
    ),
    maxVisits: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 20, description: `Default ${DEFAULT_MAX_VISITS}.` })),
    ),
    onMaxVisits: Type.Optional(
      nullable(Type.String({ maxLength: 50, description: "Stage that is entered instead. Unset: the session ends." })),
    ),
    languageModelId: Type.Optional(
      nullable({ ...Uuid, description: "Configured model that speaks in this stage. Unset: the flow's." }),
    ),
    flowId: Type.Optional(nullable({ ...Uuid, description: "SUBFLOW: the flow whose published stages run here." })),
    transferTarget: optional(100, "TRANSFER: name of one of the flow's transferTargets."),
    position: Type.Optional(
      nullable(Type.Object({ x: Type.Number(), y: Type.Number() }, { description: "Place in the editor." })),
    ),
  },
  { $id: "FlowStage" },
);
export type FlowStage = Static<typeof FlowStage>;

/** Stages of a flow as a body sends them; null or empty: the flow is one prompt, without stages. */
export const FlowStages = nullable(
  Type.Array(FlowStage, {
    maxItems: MAX_STAGES,
    description: "Stages that the dialogue walks through; without them it follows the masterPrompt alone.",
  }),
);

/** Returns the stage in which a session begins; undefined when there is none. */
export function startOf(stages: readonly FlowStage[]): FlowStage | undefined {
  return stages.find(({ isStart }) => isStart === true) ?? stages[0];
}

/** Returns how often a session may enter a stage. */
export function maxVisitsOf({ maxVisits }: Pick<FlowStage, "maxVisits">): number {
  return maxVisits ?? DEFAULT_MAX_VISITS;
}

/** Returns the conditions of a stage with their places in it: of its edges, and of its entry from any stage. */
export function conditionsOf(stage: FlowStage): { path: string; when: StageCondition }[] {
  const edges = (stage.edges ?? []).map(({ when }, i) => ({ path: `edges.${i}.when`, when }));
  return stage.global ? [{ path: "global.when", when: stage.global.when }, ...edges] : edges;
}

/** Returns the actions of a stage with their places in it. */
export function actionsOf(stage: FlowStage): { path: string; action: StageAction }[] {
  return (["onEntry", "onExit"] as const).flatMap((name) =>
    (stage[name] ?? []).map((action, i) => ({ path: `${name}.${i}`, action })),
  );
}
