import { isDeepStrictEqual } from "node:util";
import type { Heard, Line, Spoken, TransferResult } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { SessionPorts } from "#src/engine/conversation/ports.ts";
import { ServiceError } from "#src/engine/conversation/services.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { GrantedTool, ToolRun, ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import type { LanguageModel, ToolOffer } from "#src/engine/models/models.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { COLD_ORDER } from "../trial-order.ts";
import { trialTool } from "../trial-session.ts";
import type { Script, ScriptedTool, Step } from "./script.ts";

/** A Saturday. */
export const TODAY = "2026-11-21T10:00:00Z";
const MS_PER_CHARACTER = 50;
const MS_PER_UTTERANCE = 1_000;

/** A line on which the person takes one step after the other, then hangs up. */
class StepLine implements Line {
  readonly #steps: Step[];
  readonly #transferFails: boolean;
  #cutIn: string | undefined;
  #wordsOfTurn = 0;
  #ms = 0;

  constructor(steps: Step[], transferFails: boolean) {
    this.#steps = [...steps];
    this.#transferFails = transferFails;
  }

  async say(text: string): Promise<Spoken> {
    const startMs = this.#ms;
    const words = text.split(" ");
    const next = this.#steps[0];
    const limit = typeof next === "object" && ("afterWords" in next || "goneAfterWords" in next) ? next : undefined;
    const allowed = limit ? ("cutIn" in limit ? limit.afterWords : limit.goneAfterWords) - this.#wordsOfTurn : Infinity;
    this.#wordsOfTurn += words.length;
    const isCut = limit !== undefined && words.length > allowed;
    const heard = isCut ? words.slice(0, Math.max(0, allowed)).join(" ") : text;
    if (isCut) {
      this.#steps.shift();
      if ("cutIn" in limit) this.#cutIn = limit.cutIn;
    }
    this.#ms += heard.length * MS_PER_CHARACTER;
    const hungUp = isCut && "goneAfterWords" in limit;
    return { heard, startMs, endMs: this.#ms, interrupted: isCut, hungUp };
  }

  async listen(timeoutMs: number): Promise<Heard> {
    this.#wordsOfTurn = 0;
    const startMs = this.#ms;
    const step = this.#cutIn ?? this.#steps.shift() ?? { hangsUp: true };
    this.#cutIn = undefined;
    if (typeof step === "object" && "silence" in step) return { kind: "SILENCE", endMs: (this.#ms += timeoutMs) };
    if (typeof step === "object" && "hangsUp" in step) return { kind: "HUNG_UP", endMs: startMs };
    const endMs = (this.#ms += MS_PER_UTTERANCE);
    if (typeof step === "string") return { kind: "SPEECH", text: step, startMs, endMs };
    if ("digits" in step) return { kind: "DIGITS", digits: step.digits, startMs, endMs };
    throw new Error("The agent said too little to be interrupted there.");
  }

  async transfer(): Promise<TransferResult> {
    return this.#transferFails
      ? { kind: "FAILED", reason: "NO_ANSWER", message: "nobody answered" }
      : { kind: "TRANSFERRED" };
  }

  async sendDigits(): Promise<void> {}
  async hangUp(): Promise<void> {}
  elapsedMs(): number {
    return this.#ms;
  }
}

/** A held dialogue: its outcome, its lines, and the calls that were made. */
export interface Held {
  outcome: SessionOutcome;
  lines: string[];
  agent: string[];
  calls: [name: string, input: Record<string, unknown>][];
  /** Turns that differed when the model got the whole conversation anew. */
  unrepeated: string[];
}

/** The scripted model; each turn is also requested with a fresh copy of the conversation. */
function createReplayedModel(): LanguageModel & { unrepeated: string[] } {
  const model = createScriptedModel();
  const unrepeated: string[] = [];
  return {
    ...model,
    unrepeated,
    async *respond(request) {
      const anew = await Array.fromAsync(model.respond({ ...request, messages: structuredClone(request.messages) }));
      const pieces = await Array.fromAsync(model.respond(request));
      if (!isDeepStrictEqual(anew, pieces)) unrepeated.push(JSON.stringify({ anew, pieces }));
      yield* pieces;
    },
  };
}

/** Holds one dialogue through the real engine. */
export async function holdDialogue(script: Script): Promise<Held> {
  const model = createReplayedModel();
  const ports: SessionPorts = {
    line: new StepLine(script.said, script.transferFails === true),
    model,
    now: () => new Date(TODAY),
    validate: validateAgainst,
    answeredBy: "HUMAN",
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
    tools: { run: async (run) => answerTool(script.tools ?? [], run) },
    services: {
      searchKnowledge: async () =>
        Object.entries(script.knowledge ?? {}).map(([title, text], position) => ({
          itemId: "i1",
          title,
          position,
          headings: [],
          page: null,
          text,
        })),
      scheduleCallback: async () => {
        if (typeof script.callback === "string") return script.callback;
        throw new ServiceError("REFUSED", script.callback?.failed ?? "not granted");
      },
      sendMessage: async () => "ok",
      readRecord: async () => "[]",
      writeRecord: async () => "ok",
    },
  };
  const outcome = await runSession(planOf(script), ports, new AbortController().signal);
  const calls = outcome.turns
    .filter(({ role }) => role === "TOOL")
    .map(({ content }) => JSON.parse(content) as { name: string; input: Record<string, unknown> })
    .filter(({ name }) => name !== "end_call")
    .map(({ name, input }): [string, Record<string, unknown>] => [name, input]);
  return {
    outcome,
    lines: outcome.turns.map(toLine),
    agent: linesOf(outcome, "ASSISTANT"),
    calls,
    unrepeated: model.unrepeated,
  };
}

function linesOf(outcome: SessionOutcome, role: string): string[] {
  return outcome.turns.filter((turn) => turn.role === role).map(({ content }) => content);
}

function toLine({ role, content }: SessionOutcome["turns"][number]): string {
  if (role === "ASSISTANT") return `AGENT: ${content}`;
  if (role === "USER") return `PERSON: ${content}`;
  return role === "TOOL" ? `TOOL: ${(JSON.parse(content) as { name: string }).name}` : `${role}: ${content}`;
}

function answerTool(tools: ScriptedTool[], { tool }: ToolRun): ToolRunResult {
  const answers = tools.find(({ name }) => name === tool.offer.name)?.answers ?? { failed: "no such tool" };
  return typeof answers === "string"
    ? { kind: "VALUE", content: answers, variables: {} }
    : { kind: "FAILED", code: "FAILED", message: answers.failed };
}

function planOf(script: Script): SessionPlan {
  const { flow = {}, language } = script;
  return {
    sessionId: "s1",
    channel: "VOICE",
    flow: {
      name: flow.name ?? "Appointment reminder",
      masterPrompt: flow.prompt ?? "You are the assistant of {{ company }}.",
      firstMessage: flow.first ?? FIRST[language.slice(0, 2)] ?? "",
      language,
      maxDurationSeconds: 600,
      silenceTimeoutSeconds: 10,
      voicemail: { action: "HANG_UP", message: "" },
    },
    variables: { company: "Green Street Clinic", contactName: "Anna Berg", ...flow.variables },
    memory: {},
    outputs: [{ name: "talk", description: "", schema: { type: "object", properties: script.asks } }],
    grants: {
      tools: (script.tools ?? []).map(grant),
      systemTools: [
        ...(script.knowledge ? [offer("search_knowledge", { query: { type: "string" } })] : []),
        ...(script.callback === undefined
          ? []
          : [offer("schedule_callback", { at: { type: "string" }, note: { type: "string" } }, ["at"])]),
        ...(script.transferTo ? [offer("transfer_call", { target: { type: "string" } })] : []),
      ],
      transferTargets: (script.transferTo ?? []).map((name) => ({
        name,
        description: "",
        wantsSummary: false,
        order: { ...COLD_ORDER, ringTimeoutSeconds: 20 },
      })),
    },
  };
}

const FIRST: Record<string, string> = {
  en: "Hello {{ contactName }}, this is {{ company }}. I am calling about your appointment.",
  es: "Hola {{ contactName }}, le llamo de {{ company }} por su cita.",
  de: "Guten Tag {{ contactName }}, hier ist {{ company }}. Es geht um Ihren Termin.",
  fr: "Bonjour {{ contactName }}, ici {{ company }}. Je vous appelle au sujet de votre rendez-vous.",
  sv: "Hej {{ contactName }}, det här är {{ company }}. Jag ringer om din bokning.",
};

function offer(name: string, properties: ScriptedTool["parameters"], required = Object.keys(properties)): ToolOffer {
  return { name, description: "", inputSchema: { type: "object", properties, required } };
}

function grant(tool: ScriptedTool): GrantedTool {
  return trialTool(tool.name, {}, { offer: offer(tool.name, tool.parameters, tool.required) });
}
