import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { SessionPorts } from "#src/engine/conversation/ports.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";
import type { LanguageModel, ModelMessage, ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";

/** Next action of the person; `cutAfterWords` and `goneAfterWords` happen while the agent speaks. */
export type Step =
  | string
  | { digits: string }
  | { silence: true }
  | { hangUp: true }
  | { drop: true }
  | { cutAfterWords: number }
  | { goneAfterWords: number };

/** A line on which the person takes one listed step after the other, then hangs up. Speech takes 50 ms a character. */
export class FakeLine implements Line {
  readonly said: string[] = [];
  readonly pressed: string[] = [];
  /** Expected answers passed to `listen`. */
  readonly expected: (Record<string, unknown> | null)[] = [];
  hangUps = 0;
  #ms = 0;
  readonly #steps: Step[];

  constructor(steps: Step[]) {
    this.#steps = [...steps];
  }

  async say(text: string): Promise<Spoken> {
    const startMs = this.#ms;
    this.said.push(text);
    const next = this.#steps[0];
    const words = text.split(" ");
    let heard = text;
    let hungUp = false;
    if (typeof next === "object" && "cutAfterWords" in next) heard = words.slice(0, next.cutAfterWords).join(" ");
    if (typeof next === "object" && "goneAfterWords" in next) {
      heard = words.slice(0, next.goneAfterWords).join(" ");
      hungUp = true;
    }
    if (heard !== text || hungUp) this.#steps.shift();
    this.#ms += heard.length * 50;
    return { heard, startMs, endMs: this.#ms, interrupted: heard !== text, hungUp };
  }

  async listen(timeoutMs: number): Promise<Heard> {
    const startMs = this.#ms;
    const step = this.#steps.shift() ?? { hangUp: true };
    if (typeof step === "string" || "digits" in step) {
      this.#ms += 1_000;
      const times = { startMs, endMs: this.#ms };
      return typeof step === "string"
        ? { kind: "SPEECH", text: step, ...times }
        : { kind: "DIGITS", ...step, ...times };
    }
    if ("silence" in step) this.#ms += timeoutMs;
    const kind = "silence" in step ? "SILENCE" : "drop" in step ? "DROPPED" : "HUNG_UP";
    return { kind, endMs: this.#ms };
  }

  expect(schema: Record<string, unknown> | null): void {
    this.expected.push(schema);
  }

  async sendDigits(digits: string): Promise<void> {
    this.pressed.push(digits);
  }

  async hangUp(): Promise<void> {
    this.hangUps++;
  }

  elapsedMs(): number {
    return this.#ms;
  }
}

/** Schema of two questions: the person's attendance and the number of people. */
export const SCHEMA = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", minimum: 1, description: "How many people will come?" },
  },
};

/** Returns an ordinary plan with two questions. */
export function planWith(flow: Partial<SessionPlan["flow"]> = {}, more: Partial<SessionPlan> = {}): SessionPlan {
  return {
    sessionId: "s1",
    channel: "VOICE",
    flow: {
      name: "Reminder",
      masterPrompt: "You are the assistant of {{ company }}.",
      firstMessage: "Hello {{ contactName }}.",
      language: "en-US",
      maxDurationSeconds: 600,
      silenceTimeoutSeconds: 10,
      voicemail: { action: "LEAVE_MESSAGE", message: "Please call {{ company }} back." },
      ...flow,
    },
    variables: { company: "Green Street Clinic", contactName: "Anna" },
    memory: {},
    outputs: [{ name: "visit", description: "", schema: SCHEMA }],
    ...more,
  };
}

/** Runs a whole session; `texts` is its transcript as "ROLE: words". */
export async function runTrial(
  steps: Step[],
  plan = planWith(),
  more: Partial<SessionPorts> = {},
  signal = new AbortController().signal,
): Promise<{ outcome: SessionOutcome; line: FakeLine; texts: string[] }> {
  const line = new FakeLine(steps);
  const ports: SessionPorts = {
    line,
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    answeredBy: "HUMAN",
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
    ...more,
  };
  const outcome = await runSession(plan, ports, signal);
  return { outcome, line, texts: outcome.turns.map((turn) => `${turn.role}: ${turn.content}`) };
}

/** Returns a tool of a flow, for tests. */
export function trialTool(
  name: string,
  parameters: Record<string, object> = {},
  more: Partial<GrantedTool> = {},
): GrantedTool {
  return {
    id: name,
    offer: {
      name,
      description: `Does ${name.replaceAll("_", " ")}.`,
      inputSchema: { type: "object", properties: parameters, required: Object.keys(parameters) },
    },
    messages: { start: null, delayed: null, delayedAfterMs: 3_000, success: null, failure: null },
    prompts: [],
    confirmedTranscriptMs: null,
    timeoutMs: 5_000,
    isAsync: false,
    requiresFollowUp: true,
    isProactive: false,
    disclosure: "FULL",
    ...more,
  };
}

/** Returns a model with the given turns, the last one for good; keeps the messages it received. */
export function modelOf(
  turns: (ModelPiece[] | Error)[],
  value: unknown = {},
): LanguageModel & { seen: ModelMessage[][] } {
  const seen: ModelMessage[][] = [];
  let at = 0;
  return {
    name: "given",
    seen,
    async *respond(request: TurnRequest) {
      seen.push(structuredClone(request.messages));
      const turn = turns[Math.min(at++, turns.length - 1)] ?? [];
      if (turn instanceof Error) throw turn;
      yield* turn;
    },
    extract: async () => ({ value, inputTokens: 3, outputTokens: 2 }),
  };
}
/** Returns a piece of speech. */
export const text = (words: string): ModelPiece => ({ kind: "TEXT", text: words });
/** Returns a tool call without input. */
export const call = (name: string, id = "c1"): ModelPiece => ({ kind: "TOOL_CALL", call: { id, name, input: {} } });
