import type { SessionPlan } from "#src/conversation/plan.ts";
import { findUnfilled } from "#src/conversation/template.ts";
import type { GrantedTool } from "#src/conversation/tool-port.ts";

/** A variable that a text used, and that had no value. */
export interface MissingVariable {
  /** Which text, such as `firstMessage`. */
  text: string;
  /** The output as it is written, such as `{{ company }}`. */
  output: string;
}

/** Looks at the texts of a session for variables without a value, as each is filled in. */
export class TemplateWatch {
  readonly missing: MissingVariable[] = [];
  readonly #globals: object;

  constructor({ memory, flow, channel, earlier }: SessionPlan) {
    const known = { ...memory, earlierSessions: earlier ?? [] };
    this.#globals = { memory: known, language: flow.language, flowName: flow.name, channel };
  }

  /** Looks at the texts that hold from the first word; that of a mailbox only where one has answered. */
  noteOpening({ flow, grants, variables }: SessionPlan, reachesMailbox: boolean): void {
    this.#look("masterPrompt", flow.masterPrompt, variables);
    this.#look("firstMessage", flow.firstMessage, variables);
    const leavesMessage = flow.voicemail.action === "LEAVE_MESSAGE" && reachesMailbox;
    if (leavesMessage) this.#look("voicemail.message", flow.voicemail.message, variables);
    for (const { prompts, offer } of grants?.tools ?? []) {
      for (const { key, content } of prompts)
        if (key !== "after_result") this.#look(`prompts of ${offer.name}`, content, variables);
    }
  }

  /** Looks at what is said of a tool's call. */
  note(
    { messages, offer }: GrantedTool,
    key: "start" | "success" | "failure",
    variables: Record<string, unknown>,
  ): void {
    this.#look(`messages.${key} of ${offer.name}`, messages[key] ?? "", variables);
  }

  #look(text: string, template: string, variables: Record<string, unknown>): void {
    for (const output of findUnfilled(template, variables, this.#globals)) {
      const isKnown = this.missing.some((one) => one.text === text && one.output === output);
      if (!isKnown) this.missing.push({ text, output });
    }
  }
}
