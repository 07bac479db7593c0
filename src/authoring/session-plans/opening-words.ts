import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { type FlowStage, startOf } from "#src/authoring/flows/stages.ts";
import type { SessionPlan, SessionZone } from "#src/engine/conversation/plan.ts";
import { renderTexts } from "#src/engine/conversation/prompt.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { findUnfilled } from "#src/platform/template/template.ts";
import { inlineFlows } from "./inline-flows.ts";
import { type PlanContact, toCallVariables, toSpokenFlow } from "./session-plan.ts";

/** Words with which the agent would open a call. */
export interface OpeningWords {
  /** BCP 47. */
  language: string;
  /** Null: the model opens. */
  text: string | null;
  /** Outputs of the template that are empty for this person, such as `{{ day }}`. */
  emptyVariables: string[];
  /** Reason why a template cannot be rendered; its source is spoken without markup. */
  error: string | null;
}

/** Data of a person who may be called. */
export interface OpeningPerson extends PlanContact {
  rowData: Record<string, unknown> | null;
  memory: Record<string, unknown>;
  /** Zone of the person's clock; UTC where absent. */
  timeZone?: SessionZone | undefined;
}

/** Renders what a person would hear first, as their call would. */
export async function renderOpening(
  db: Executor,
  workspaceId: string,
  stored: Partial<FlowFields>,
  person: OpeningPerson,
): Promise<OpeningWords> {
  const fields = await inlineFlows(db, workspaceId, stored);
  const flow = toSpokenFlow(fields);
  // A flow with stages may open with the words of its first one.
  const firstMessage = flow.firstMessage || wordsAtEntry(fields.stages ?? []);
  const { memory, timeZone } = person;
  const plan: SessionPlan = {
    sessionId: "",
    channel: "VOICE",
    flow: { ...flow, firstMessage },
    variables: toCallVariables(fields, person, person.rowData),
    memory,
    outputs: [],
    ...(timeZone ? { timeZone } : {}),
  };
  const { firstMessage: text, error } = renderTexts(plan, now());
  const globals = { memory, language: flow.language, flowName: flow.name, channel: plan.channel };
  return {
    language: flow.language,
    text: text || null,
    emptyVariables: findUnfilled(firstMessage, plan.variables, globals),
    error: error?.message ?? null,
  };
}

function wordsAtEntry(stages: FlowStage[]): string {
  const actions = startOf(stages)?.onEntry ?? [];
  return actions.flatMap(({ type, text }) => (type === "SAY" && text ? [text] : [])).join(" ");
}
