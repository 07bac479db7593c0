import type { ModelMessage } from "#src/engine/models/models.ts";
import { renderTemplate, stripMarkup, TemplateError } from "#src/platform/template/template.ts";
import { clockOf, describeClock } from "./local-clock.ts";
import type { EarlierConversation, SessionPlan } from "./plan.ts";
import { describeRules } from "./rules.ts";

const MAX_FACTS_CHARACTERS = 20_000;

/** The texts of a session after its variables are filled in. */
export interface SessionTexts {
  system: ModelMessage;
  /** Example messages of the plan's tools, which follow the instructions. */
  examples: ModelMessage[];
  firstMessage: string;
  voicemailMessage: string;
  /** The first template that could not be rendered; its source text is used instead. */
  error: { code: string; message: string } | null;
}

/**
 * Renders the first message, the voicemail message and the model's instructions with the current variables. Never
 * throws.
 */
export function renderTexts(plan: SessionPlan, now: Date, variables = plan.variables): SessionTexts {
  const { flow } = plan;
  const memory = { ...plan.memory, earlierSessions: plan.earlier ?? [] };
  const globals = { memory, language: flow.language, flowName: flow.name, channel: plan.channel };
  let error: SessionTexts["error"] = null;
  const render = (part: string, template: string): string => {
    try {
      return renderTemplate(template, variables, globals, clockOf(plan)).trim();
    } catch (thrown) {
      if (!(thrown instanceof TemplateError)) throw thrown;
      error ??= { code: thrown.code, message: `${part}: ${thrown.message}`.slice(0, 500) };
      return stripMarkup(template).trim();
    }
  };
  const prompts = (plan.grants?.tools ?? []).flatMap((tool) =>
    tool.prompts
      .filter(({ key }) => key !== "after_result")
      .map(({ role, content }) => ({ role, content: render(`prompts of ${tool.offer.name}`, content) })),
  );
  const instructions = prompts.filter(({ role }) => role === "SYSTEM").map(({ content }) => content);
  const masterPrompt = [render("masterPrompt", flow.masterPrompt), ...instructions].join("\n\n");
  const texts: Omit<SessionTexts, "error"> = {
    system: { role: "SYSTEM", content: assemble(plan, variables, masterPrompt, now) },
    examples: prompts.filter(({ role }) => role !== "SYSTEM"),
    firstMessage: render("firstMessage", flow.firstMessage),
    voicemailMessage: render("voicemail.message", flow.voicemail.message),
  };
  return { ...texts, error };
}

/** Puts the session's own lines last, each on one line, so that nothing rendered before can pose as one of them. */
function assemble(plan: SessionPlan, variables: Record<string, unknown>, masterPrompt: string, now: Date): string {
  return [
    masterPrompt,
    "",
    describeRules(plan),
    "",
    ...describeTargets(plan),
    ...describeFacts("Known", variables),
    ...describeFacts("Memory", plan.memory),
    ...describeEarlier(plan.earlier ?? []),
    `Flow: ${plan.flow.name.replaceAll(/\s+/g, " ")}`,
    `Language: ${plan.flow.language}`,
    // Last, because the text before it stays the same for a provider's cache.
    ...describeClock(now, plan.timeZone),
  ].join("\n");
}

/** Leaves out what is empty: a model takes an empty name for a name. */
function describeFacts(label: string, values: Record<string, unknown>): string[] {
  const known = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return known.length === 0 ? [] : [`${label}: ${facts(Object.fromEntries(known))}`];
}

/** Describes the targets of transfer_call; the model gets names, never numbers. */
function describeTargets({ grants }: SessionPlan): string[] {
  const targets = grants?.transferTargets ?? [];
  if (targets.length === 0) return [];
  return [
    `Transfer targets: ${facts(Object.fromEntries(targets.map(({ name, description }) => [name, description])))}`,
  ];
}

function describeEarlier(earlier: EarlierConversation[]): string[] {
  return earlier.map((session) => `Earlier: ${facts({ ...session })}`);
}

/** JSON escapes line breaks. */
function facts(values: Record<string, unknown>): string {
  const text = JSON.stringify(values);
  return text.length > MAX_FACTS_CHARACTERS ? `${text.slice(0, MAX_FACTS_CHARACTERS)}…` : text;
}
