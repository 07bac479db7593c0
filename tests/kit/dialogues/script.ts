import type { SessionEndReason } from "#src/engine/conversation/plan.ts";
import type { JsonSchema } from "#src/engine/models/models.ts";

/** What the person does next. `cutIn` talks over the agent after so many words; `goneAfterWords` hangs up then. */
export type Step =
  | string
  | { digits: string }
  | { silence: true }
  | { hangsUp: true }
  | { cutIn: string; afterWords: number }
  | { goneAfterWords: number };

/** A tool that the flow grants, and what it answers. */
export interface ScriptedTool {
  name: string;
  parameters: Record<string, JsonSchema>;
  required?: string[];
  answers: string | { failed: string };
}

/** One conversation and its outcome, which was written down before it was first held. */
export interface Script {
  title: string;
  /** BCP 47. */
  language: string;
  flow?: { name?: string; prompt?: string; first?: string; variables?: Record<string, unknown> };
  /** Properties of the one output. */
  asks: Record<string, JsonSchema>;
  tools?: ScriptedTool[];
  /** Passages by title, in the order in which every search gives them; an empty object finds nothing. */
  knowledge?: Record<string, string>;
  /** What schedule_callback answers; absent: the tool is not granted. */
  callback?: string | { failed: string };
  /** Names of people the call can be handed to. */
  transferTo?: string[];
  /** Nobody takes the handed-over call. */
  transferFails?: boolean;
  said: Step[];
  expected: {
    end: SessionEndReason;
    fields: Record<string, unknown>;
    /** Lines of the transcript in this order ("AGENT: …", "PERSON: …", "TOOL: name"); each is part of a line. */
    inOrder?: string[];
    /** What no line of the agent may hold. */
    never?: RegExp;
    /** Calls with their input, without end_call, in order. */
    calls?: [name: string, input: Record<string, unknown>][];
    /** The agent asks it exactly so often. */
    asked?: [question: string, times: number];
  };
}
