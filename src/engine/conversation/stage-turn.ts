import {
  CHOOSE_EDGE,
  type JsonSchema,
  type LanguageModel,
  type ModelMessage,
  NO_EDGE,
  RECORD_FIELDS,
  type ToolOffer,
  type TurnRequest,
} from "#src/engine/models/models.ts";
import { outputFields } from "#src/engine/stages/needed-fields.ts";
import { GLOBAL, mayEnter } from "#src/engine/stages/next-move.ts";
import type { PlannedCondition } from "#src/engine/stages/stage-plan.ts";
import type { StageRun } from "./open-stages.ts";
import type { SessionState } from "./session-state.ts";
import { currentStage, renderInStage, stageOutputs, wantedFields } from "./stage-run.ts";

/** Tools that stay in every stage, because the person may always want them. */
const ALWAYS = new Set(["end_call", "add_to_do_not_call", "request_human"]);

interface Choice {
  id: string;
  description: string;
  examples: string[];
}

/** Returns the part of a model's request that comes from the stage; null in a session without stages. */
export function stageRequest(session: SessionState): Pick<TurnRequest, "tools" | "outputs" | "stage"> | null {
  const run = session.stages;
  if (!run) return null;
  const stage = currentStage(run);
  const { state } = run;
  const wanted = wantedFields(session, run);
  const choices = choicesOf(run);
  const outputs = stageOutputs(session, run, wanted);
  const own = [...recordOffer(stage.type === "CONFIRM", outputs), ...chooseOffer(choices)];
  const names = new Set(own.map(({ name }) => name));
  return {
    tools: [...session.offers.filter(({ name }) => !names.has(name) && isGranted(run, name)), ...own],
    outputs: [],
    stage: {
      type: stage.type === "CONFIRM" ? "CONFIRM" : "TALK",
      fields: wanted,
      recorded: state.fields,
      recordedAtEntry: state.atEntry.fields,
      outputs: session.plan.outputs,
      choices: choices.map(({ id, examples }) => ({ id, examples })),
      isDecided: state.isDecided,
      isReadBack: state.isReadBack,
      hasSpoken: run.hasSpoken,
      heardAtEntry: state.heardAtEntry,
    },
  };
}

/** True when the model may call a tool in the session's stage. */
export function mayCallInStage({ stages }: SessionState, name: string): boolean {
  return stages === null || isGranted(stages, name);
}

function isGranted(run: StageRun, name: string): boolean {
  const { tools } = currentStage(run);
  return tools === null || ALWAYS.has(name) || tools.includes(name);
}

/** Returns the meanings that the person's words may have here: of the stage's edges, and of global stages. */
export function choicesOf(run: StageRun): Choice[] {
  const stage = currentStage(run);
  const globals = run.plan.stages
    .filter((other) => mayEnter(other, stage.id))
    .flatMap(({ id, global }) => toChoice(`${GLOBAL}${id}`, global?.when));
  return [...stage.edges.flatMap(({ id, when }) => toChoice(id, when)), ...globals];
}

function toChoice(id: string, when: PlannedCondition | undefined): Choice[] {
  return when?.type === "MEANING" ? [{ id, description: when.description, examples: when.examples }] : [];
}

function recordOffer(isConfirm: boolean, outputs: { schema: JsonSchema }[]): ToolOffer[] {
  const properties = Object.assign({}, ...outputs.map(({ schema }) => nullableProperties(schema))) as JsonSchema;
  if (Object.keys(properties).length === 0) return [];
  const $defs = Object.assign({}, ...outputs.map(({ schema }) => schema.$defs ?? {})) as JsonSchema;
  const values = { type: "object", properties, additionalProperties: false };
  const confirmed = { isConfirmed: { type: "boolean", description: "The person said that the values are right." } };
  return [
    {
      name: RECORD_FIELDS,
      description:
        "Records what the person has just said, before you answer: what is asked for, a correction of what is recorded, or what they say unasked. Leave out what they have not said; null: they cannot or do not want to say it.",
      inputSchema: {
        type: "object",
        ...(Object.keys($defs).length > 0 ? { $defs } : {}),
        properties: { values, ...(isConfirm ? confirmed : {}) },
        additionalProperties: false,
      },
    },
  ];
}

function nullableProperties({ properties }: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => [
      name,
      { anyOf: [schema, { type: "null" }] },
    ]),
  );
}

function chooseOffer(choices: Choice[]): ToolOffer[] {
  if (choices.length === 0) return [];
  const meanings = choices.map(({ id, description, examples }) => {
    const said = examples.slice(0, 5).map((example) => JSON.stringify(example));
    return `${id}: the person ${description}${said.length > 0 ? ` (such as ${said.join(", ")})` : ""}`;
  });
  const edge = { type: "string", enum: [...choices.map(({ id }) => id), NO_EDGE], description: meanings.join("\n") };
  return [
    {
      name: CHOOSE_EDGE,
      description: "Chooses what the person's latest words mean, before you answer them.",
      inputSchema: { type: "object", properties: { edge }, required: ["edge"], additionalProperties: false },
    },
  ];
}

/** Adds what the stage asks of the model to its instructions. A model that plans its own questions needs none. */
export function withStagePrompt(session: SessionState, messages: ModelMessage[]): ModelMessage[] {
  const run = session.stages;
  const [system, ...others] = messages;
  if (!run || stageModel(session).readsAll || system?.role !== "SYSTEM") return messages;
  return [{ ...system, content: `${system.content}\n\n${stagePrompt(session, run)}` }, ...others];
}

function stagePrompt(session: SessionState, run: StageRun): string {
  const stage = currentStage(run);
  const { fields } = run.state;
  const wanted = wantedFields(session, run);
  const known = outputFields(session.plan.outputs);
  const missing = wanted.filter((name) => !Object.hasOwn(fields, name) && !run.state.declined.includes(name));
  const lines = [
    `You are in the stage "${stage.name.replaceAll(/\s+/g, " ")}" of the conversation. Do only what belongs to it.`,
    renderInStage(session, run, stage.prompt),
    Object.keys(fields).length > 0 ? `Recorded so far: ${JSON.stringify(fields).slice(0, 8_000)}` : "",
  ];
  if (stage.type === "CONFIRM") {
    const values = Object.fromEntries(wanted.map((name) => [name, fields[name] ?? null]));
    lines.push(
      `Read these values back and ask whether they are right: ${JSON.stringify(values).slice(0, 8_000)}. ` +
        `After a yes call ${RECORD_FIELDS} with isConfirmed true; when the person corrects a value, call it with that value.`,
    );
  } else if (missing.length > 0) {
    const asked = missing.map((name) => `- ${name}: ${JSON.stringify(known.get(name)?.schema ?? {}).slice(0, 2_000)}`);
    lines.push(`Ask for what is missing, one at a time:`, ...asked);
  } else if (wanted.some((name) => run.state.declined.includes(name))) {
    lines.push(
      "What is still missing, the person does not want to say. Do not press them: say goodbye and call end_call.",
    );
  }
  lines.push(...howToRecord(run, wanted.length > 0));
  return lines.filter((line) => line !== "").join("\n");
}

/** Returns what the model is told about the tools of stages. */
function howToRecord(run: StageRun, asks: boolean): string[] {
  const calls = [
    ...(asks ? [`${RECORD_FIELDS} with what they gave, changed or do not want to give, if anything`] : []),
    ...(choicesOf(run).length > 0 ? [CHOOSE_EDGE] : []),
  ];
  if (calls.length === 0) return [];
  const readsBack = asks && run.plan.stages.some(({ type }) => type === "CONFIRM");
  return [
    `Before you answer what the person said, call ${calls.join(", and ")}; a mere greeting needs no call. If they asked something too, answer that in one short sentence before the calls.`,
    ...(readsBack
      ? ["Record a value as soon as you understand it: what must be confirmed is read back in a stage of its own."]
      : []),
  ];
}

/** Returns the model that speaks in the session's stage. */
export function stageModel({ stages, ports }: SessionState): LanguageModel {
  const id = stages && currentStage(stages).modelId;
  return (id && ports.modelOf?.(id)) || ports.model;
}
