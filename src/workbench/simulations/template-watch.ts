import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import type { StageText } from "#src/engine/conversation/ports.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";
import { findUnfilled, renderTemplate } from "#src/platform/template/template.ts";

/** A variable without a value that a text used. */
export interface MissingVariable {
  /** Name of the text, such as `firstMessage`. */
  text: string;
  /** The output as written, such as `{{ company }}`. */
  output: string;
  /** The text as it was filled in, by which a line that says it is found. */
  words: string;
}

/** Output of a field of a stage. */
const ASKS_FIELD = /^\{\{-?\s*fields\b/;

/** Missing variables by plan, shared by the repetitions of a scenario. */
const known = new WeakMap<SessionPlan, MissingVariable[]>();

/** Checks the texts of a session for variables without a value. */
export class TemplateWatch {
  readonly missing: MissingVariable[] = [];

  /**
   * Checks the texts that apply from the first word; the voicemail message only where a mailbox answered. `lookedUp`
   * holds variables that tools added before that word.
   */
  noteOpening(plan: SessionPlan, reachesMailbox: boolean, lookedUp: Record<string, unknown> = {}): void {
    const isShared = Object.keys(lookedUp).length === 0;
    const found = (isShared ? known.get(plan) : undefined) ?? findInOpening(plan, reachesMailbox, lookedUp);
    if (isShared) known.set(plan, found);
    this.#add(found);
  }

  /** Checks a message spoken about a tool's call. */
  note(
    { messages, offer }: GrantedTool,
    key: "start" | "success" | "failure",
    plan: SessionPlan,
    variables: Record<string, unknown>,
  ): void {
    this.#add(findIn(`messages.${key} of ${offer.name}`, messages[key] ?? "", variables, globalsOf(plan)));
  }

  /** Checks a text of a stage. A prompt may name fields that nobody has given yet. */
  noteStage({ use, stageId, template, variables, globals }: StageText): void {
    const found = findIn(`${use === "SAY" ? "SAY" : "prompt"} of stage ${stageId}`, template, variables, globals);
    this.#add(use === "SAY" ? found : found.filter(({ output }) => !ASKS_FIELD.test(output)));
  }

  #add(found: MissingVariable[]): void {
    for (const one of found) {
      const isKnown = this.missing.some(({ text, output }) => text === one.text && output === one.output);
      if (!isKnown) this.missing.push(one);
    }
  }
}

function findInOpening(
  plan: SessionPlan,
  reachesMailbox: boolean,
  lookedUp: Record<string, unknown>,
): MissingVariable[] {
  const { flow, grants } = plan;
  const texts: [string, string][] = [
    ["masterPrompt", flow.masterPrompt],
    ["firstMessage", flow.firstMessage],
  ];
  if (reachesMailbox && flow.voicemail.action === "LEAVE_MESSAGE")
    texts.push(["voicemail.message", flow.voicemail.message]);
  for (const { prompts, offer } of grants?.tools ?? [])
    for (const { key, content } of prompts)
      if (key !== "after_result") texts.push([`prompts of ${offer.name}`, content]);
  const variables = { ...plan.variables, ...lookedUp };
  const globals = globalsOf(plan);
  return texts.flatMap(([text, template]) => findIn(text, template, variables, globals));
}

function findIn(
  text: string,
  template: string,
  variables: Record<string, unknown>,
  globals: object,
): MissingVariable[] {
  const unfilled = findUnfilled(template, variables, globals);
  if (unfilled.length === 0) return [];
  const words = renderTemplate(template, variables, globals).trim();
  return unfilled.map((output) => ({ text, output, words }));
}

function globalsOf({ memory, flow, channel, earlier }: SessionPlan): object {
  const recalled = { ...memory, earlierSessions: earlier ?? [] };
  return { memory: recalled, language: flow.language, flowName: flow.name, channel };
}
