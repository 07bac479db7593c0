import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";
import { findUnfilled } from "#src/platform/template/template.ts";

/** A variable that a text used, and that had no value. */
export interface MissingVariable {
  /** Which text, such as `firstMessage`. */
  text: string;
  /** The output as it is written, such as `{{ company }}`. */
  output: string;
}

/** What the repetitions of a scenario find in the texts of the same plan. */
const known = new WeakMap<SessionPlan, MissingVariable[]>();

/** Looks at the texts of a session for variables without a value. */
export class TemplateWatch {
  readonly missing: MissingVariable[] = [];

  /**
   * Looks at the texts that hold from the first word; that of a mailbox only where one has answered. `lookedUp`: what
   * tools added to the variables before that word.
   */
  noteOpening(plan: SessionPlan, reachesMailbox: boolean, lookedUp: Record<string, unknown> = {}): void {
    const isShared = Object.keys(lookedUp).length === 0;
    const found = (isShared ? known.get(plan) : undefined) ?? findInOpening(plan, reachesMailbox, lookedUp);
    if (isShared) known.set(plan, found);
    this.#add(found);
  }

  /** Looks at what is said of a tool's call. */
  note(
    { messages, offer }: GrantedTool,
    key: "start" | "success" | "failure",
    plan: SessionPlan,
    variables: Record<string, unknown>,
  ): void {
    this.#add(findIn(`messages.${key} of ${offer.name}`, messages[key] ?? "", variables, globalsOf(plan)));
  }

  #add(found: MissingVariable[]): void {
    for (const { text, output } of found) {
      const isKnown = this.missing.some((one) => one.text === text && one.output === output);
      if (!isKnown) this.missing.push({ text, output });
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
  return findUnfilled(template, variables, globals).map((output) => ({ text, output }));
}

function globalsOf({ memory, flow, channel, earlier }: SessionPlan): object {
  const recalled = { ...memory, earlierSessions: earlier ?? [] };
  return { memory: recalled, language: flow.language, flowName: flow.name, channel };
}
