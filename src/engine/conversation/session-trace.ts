import type { Line } from "#src/audio/line/line.ts";
import type { ToolCall } from "#src/engine/models/models.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { Span, SpanAttributes } from "#src/platform/kernel/tracing.ts";
import type { Turn, TurnLatency } from "./plan.ts";
import type { GrantedTool } from "./tool-port.ts";

/** A step under way. */
export interface OpenStep {
  span: Span;
  startMs: number;
}

/** Stages of a turn that are spans of their own, in their order; thinking is the model and its tools. */
const STAGES: [name: string, of: (latency: TurnLatency) => number][] = [
  ["endpointing", ({ endpointingMs }) => endpointingMs],
  ["stt", ({ sttMs }) => sttMs],
  ["thinking", ({ modelMs, toolsMs }) => modelMs + toolsMs],
  ["tts", ({ ttsMs }) => ttsMs],
  ["transport", ({ transportMs }) => transportMs],
];

/**
 * Records the spans of one session below that of its attempt. A turn lasts from the end of the person's speech to the
 * first sound of the answer; requests to models and tools belong to the turn during which they begin, else to the
 * attempt.
 */
export class SessionTrace {
  readonly #attempt: Span;
  readonly #line: Line;
  #turn: OpenStep | null = null;
  #askedMs = 0;

  constructor(attempt: Span, line: Line) {
    this.#attempt = attempt;
    this.#line = line;
  }

  /** Begins a turn: the person's speech ended at `endMs` of call time. */
  heard(endMs: number): void {
    this.close();
    this.#turn = { span: this.#attempt.child(), startMs: this.#timeOf(endMs) };
  }

  /** Notes that the line is asked to say something. */
  asked(): void {
    this.#askedMs = nowMs();
  }

  /** Ends the turn, if one is open, with the answer as the transcript shows it. */
  answered({ index, startMs: soundMs, latency }: Pick<Turn, "index" | "startMs" | "latency">): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = null;
    const endMs = this.#line.isLive ? this.#timeOf(soundMs) : this.#askedMs;
    const startMs = latency ? endMs - latency.totalMs : Math.min(turn.startMs, endMs);
    const attributes = { "parley.turn.index": index, ...(latency ? toAttributes(latency) : {}) };
    turn.span.end({ name: "turn", startMs, endMs, attributes });
    if (latency) recordStages(turn.span, startMs, latency);
  }

  /** Ends a turn that got no answer. */
  close(): void {
    this.#turn?.span.end({ name: "turn", startMs: this.#turn.startMs, endMs: nowMs() });
    this.#turn = null;
  }

  /** Begins a request to a model or a tool. */
  begin(): OpenStep {
    return { span: (this.#turn?.span ?? this.#attempt).child(), startMs: nowMs() };
  }

  /** Returns the time of a moment of call time: on a live line, call time passes like all time. */
  #timeOf(callMs: number): number {
    return this.#line.isLive ? nowMs() - Math.max(0, this.#line.elapsedMs() - callMs) : nowMs();
  }
}

function recordStages(turn: Span, startMs: number, latency: TurnLatency): void {
  let atMs = startMs;
  for (const [name, of] of STAGES) turn.child().end({ name, startMs: atMs, endMs: (atMs += of(latency)) });
}

function toAttributes(latency: TurnLatency): Record<string, number> {
  return Object.fromEntries(
    Object.entries(latency).map(([stage, ms]: [string, number]) => [`parley.latency.${stage.slice(0, -2)}_ms`, ms]),
  );
}

/** Outcome of a request to a model. */
interface ModelOutcome {
  /** Milliseconds that the model took; absent: until now. */
  modelMs?: number;
  inputTokens?: number;
  cachedTokens?: number;
  outputTokens?: number;
  /** Code of its failure. */
  fault?: string;
}

/** Records a request to a model by the GenAI conventions. */
export function endModelStep({ span, startMs }: OpenStep, modelName: string, outcome: ModelOutcome): void {
  const [provider, model] = splitName(modelName);
  const { inputTokens, cachedTokens, outputTokens } = outcome;
  const attributes: SpanAttributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
  };
  if (inputTokens !== undefined) attributes["gen_ai.usage.input_tokens"] = inputTokens;
  if (cachedTokens !== undefined) attributes["gen_ai.usage.cache_read.input_tokens"] = cachedTokens;
  if (outputTokens !== undefined) attributes["gen_ai.usage.output_tokens"] = outputTokens;
  const endMs = outcome.modelMs === undefined ? nowMs() : startMs + outcome.modelMs;
  span.end({ name: `chat ${model}`, kind: "CLIENT", startMs, endMs, attributes, fault: outcome.fault ?? null });
}

/** Records a tool call by the GenAI conventions. */
export function endToolStep(
  { span, startMs }: OpenStep,
  tool: GrantedTool,
  call: ToolCall,
  fault: string | null,
): void {
  const { name } = tool.offer;
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": call.id,
    "parley.tool.id": tool.id,
  };
  span.end({ name: `execute_tool ${name}`, startMs, endMs: nowMs(), attributes, fault });
}

/** The convention's names of providers; it names a server by the API that it speaks. */
const PROVIDERS: Record<string, string> = { openai_compatible: "openai", google: "gcp.gemini" };

/** Splits a model's name such as `openai/gpt-5` into the convention's name of its provider, and the model. */
function splitName(name: string): [provider: string, model: string] {
  const at = name.indexOf("/");
  const provider = name.slice(0, Math.max(0, at));
  return [PROVIDERS[provider] ?? (provider || "parley"), name.slice(at + 1)];
}
