import { codeOf, toError } from "#src/kernel/errors.ts";
import type { Spoken } from "#src/media/line.ts";
import type { JsonSchema, LanguageModel, ToolCall, TurnRequest } from "#src/models/models.ts";
import type { Speech } from "./speech.ts";

/** A model that failed, stalled or said nothing. */
export class ModelError extends Error {
  readonly code: string;
  /** The person has heard part of the turn that failed, so it cannot be taken again. */
  readonly spoken: boolean;
  constructor(code: string, message: string, spoken = false) {
    super(message.slice(0, 500));
    this.name = "ModelError";
    this.code = code;
    this.spoken = spoken;
  }
}

/** How long a model may take: to its next piece, and to its last. Wall-clock milliseconds. */
export interface ModelLimits {
  pieceMs: number;
  totalMs: number;
}

/** What a model gave in one turn, all of it said. */
export interface AgentTurn {
  text: string;
  toolCalls: ToolCall[];
  /** It told what it asks for. */
  hasExpectation: boolean;
  inputTokens: number;
  outputTokens: number;
  /** What became of the words that were cut off; null when none were. */
  cut: Spoken | null;
  /** From the question to the model's last piece, in milliseconds; what it takes to say them is not in it. */
  modelMs: number;
}

/** What a turn of the model runs on. */
export interface TurnParts {
  model: LanguageModel;
  now(): Date;
  limits: ModelLimits;
  /** Takes silence for an answer. */
  mayBeEmpty: boolean;
  /** Says the words as they come; `stop` is called when the person cuts them off. */
  openSpeech(stop: () => void): Speech;
  /** Called with each call as soon as the model has made it, which may be before its words are said. */
  onCall: (call: ToolCall) => void;
  /** Called with what the model asks for, before its words. */
  onExpects: (schema: JsonSchema | null) => void;
}

/**
 * One turn of the model, said while it is written. Throws `ModelError` (its `spoken` tells whether the person has heard
 * of it), or the signal's reason when that aborts.
 */
export async function takeTurn(
  request: Omit<TurnRequest, "signal">,
  parts: TurnParts,
  signal: AbortSignal,
): Promise<AgentTurn> {
  const isCut = new AbortController();
  const speech = parts.openSpeech(() => isCut.abort());
  const turn: AgentTurn = {
    text: "",
    toolCalls: [],
    hasExpectation: false,
    inputTokens: 0,
    outputTokens: 0,
    cut: null,
    modelMs: 0,
  };
  const startedMs = parts.now().getTime();
  try {
    await guardModel(parts.limits, signal, (guarded, alive) => {
      const both = AbortSignal.any([guarded, isCut.signal]);
      return collect(parts.model.respond({ ...request, signal: both }), turn, speech, parts, alive, isCut.signal);
    });
  } catch (error) {
    if (error instanceof ModelError && speech.hasBegun) {
      await speech.end();
      throw new ModelError(error.code, error.message, true);
    }
    throw error;
  } finally {
    turn.modelMs = parts.now().getTime() - startedMs;
  }
  turn.cut = await speech.end();
  turn.text = turn.text.trim();
  if (!parts.mayBeEmpty && turn.text === "" && turn.toolCalls.length === 0)
    throw new ModelError("MODEL_EMPTY", "The model said nothing.");
  return turn;
}

async function collect(
  pieces: ReturnType<LanguageModel["respond"]>,
  turn: AgentTurn,
  speech: Speech,
  { onCall, onExpects }: TurnParts,
  alive: () => void,
  isCut: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      alive();
      if (piece.kind === "TEXT") {
        turn.text += piece.text;
        speech.add(piece.text);
      } else if (piece.kind === "TOOL_CALL") {
        turn.toolCalls.push(piece.call);
        onCall(piece.call);
      } else if (piece.kind === "EXPECTS") {
        turn.hasExpectation = true;
        onExpects(piece.schema);
      } else {
        turn.inputTokens += piece.inputTokens;
        turn.outputTokens += piece.outputTokens;
      }
      if (isCut.aborted) return;
    }
  } catch (error) {
    // Whoever talks over the agent ends its turn; what the model makes of that does not matter.
    if (!isCut.aborted) throw error;
  }
}

/**
 * Runs work of a model that may ignore its signal: it is given up, not waited for, when it is past its
 * limits or `signal` aborts. The work calls `alive` at each piece that it gets.
 */
export async function guardModel<Result>(
  limits: ModelLimits,
  signal: AbortSignal,
  work: (guarded: AbortSignal, alive: () => void) => Promise<Result>,
): Promise<Result> {
  const giveUp = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  givenUp.promise.catch(() => undefined);
  const stop = (reason: unknown): void => {
    givenUp.reject(reason);
    giveUp.abort(reason);
  };
  const onAbort = (): void => stop(signal.reason);
  const limit = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stop(new ModelError("MODEL_STALLED", `The model was silent, or not done, after ${ms} ms.`)), ms);
  const timers = [limit(limits.pieceMs), limit(limits.totalMs)];
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) throw toError(signal.reason);
    return await Promise.race([work(giveUp.signal, () => void timers[0]?.refresh()), givenUp.promise]);
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    throw new ModelError(codeOf(error) ?? "MODEL_FAILED", toError(error).message);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
