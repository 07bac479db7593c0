import type { SessionEndReason } from "#src/engine/conversation/plan.ts";
import type { JsonSchema } from "#src/engine/models/models.ts";

/** Next action of the person. `cutIn` interrupts the agent after this many words; `goneAfterWords` hangs up then. */
export type Step =
  | string
  | { digits: string }
  | { silence: true }
  | { hangsUp: true }
  | { cutIn: string; afterWords: number }
  | { goneAfterWords: number };

/** A tool that the flow grants, with its answer. */
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
  /** Passages by title, in the order in which every search returns them; an empty object finds nothing. */
  knowledge?: Record<string, string>;
  /** Answer of schedule_callback; absent: the tool is not granted. */
  callback?: string | { failed: string };
  /** Names of people to whom the call can be transferred. */
  transferTo?: string[];
  /** True when nobody takes the transferred call. */
  transferFails?: boolean;
  said: Step[];
  expected: {
    end: SessionEndReason;
    fields: Record<string, unknown>;
    /** Lines of the transcript in this order ("AGENT: …", "PERSON: …", "TOOL: name"); each is part of a line. */
    inOrder?: string[];
    /** Pattern that no line of the agent may match. */
    never?: RegExp;
    /** Calls with their input, without end_call, in order. */
    calls?: [name: string, input: Record<string, unknown>][];
    /** Number of times that the agent asks exactly this question. */
    asked?: [question: string, times: number];
  };
}
