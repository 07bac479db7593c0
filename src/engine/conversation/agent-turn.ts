import type { Spoken } from "#src/audio/line/line.ts";
import type { JsonSchema, LanguageModel, ToolCall, TurnRequest } from "#src/engine/models/models.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Speech } from "./speech.ts";

/** A model that failed, stalled or said nothing. */
export class ModelError extends Error {
  readonly code: string;
  /**
   * What of the turn cannot be taken back: words that the person has heard, calls that were begun. Null when nothing
   * came of it, and another try may take the turn anew.
   */
  readonly done: AgentTurn | null;
  /** What the try cost. */
  readonly usage: { inputTokens: number; outputTokens: number };
  constructor(
    code: string,
    message: string,
    done: AgentTurn | null = null,
    usage: ModelError["usage"] = { inputTokens: 0, outputTokens: 0 },
  ) {
    super(message.slice(0, 500));
    this.name = "ModelError";
    this.code = code;
    this.done = done;
    this.usage = usage;
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
  /** The model failed in the middle of it: what is here was said and begun, and there is more to say. */
  brokeOff: boolean;
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
  /** What the turn is cut to; a model that says more has lost its thread. */
  maxCharacters: number;
  /** Called with each call as soon as the model has made it, which may be before its words are said. */
  onCall: (call: ToolCall) => void;
  /** Called with what the model asks for, before its words. */
  onExpects: (schema: JsonSchema | null) => void;
}

/**
 * One turn of the model, said while it is written. Throws `ModelError` (its `done` tells what of the turn is left
 * standing), or the signal's reason when that aborts. Half a sentence of a turn that broke off is not said.
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
    brokeOff: false,
    modelMs: 0,
  };
  let isWhole = true;
  const startedMs = parts.now().getTime();
  try {
    await guardModel(parts.limits, signal, async (guarded, alive) => {
      const both = AbortSignal.any([guarded, isCut.signal]);
      isWhole = await collect(
        parts.model.respond({ ...request, signal: both }),
        turn,
        speech,
        parts,
        alive,
        isCut.signal,
      );
    });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const isDone = speech.hasBegun || turn.toolCalls.length > 0;
    if (isDone) await endSpeech(turn, speech, false);
    throw new ModelError(error.code, error.message, isDone ? { ...turn, brokeOff: true } : null, turn);
  } finally {
    turn.modelMs = parts.now().getTime() - startedMs;
  }
  const isSilent = turn.text.trim() === "";
  await endSpeech(turn, speech, isWhole);
  if (turn.text === "" && turn.toolCalls.length === 0 && !(parts.mayBeEmpty && isSilent))
    throw emptyTurn(turn, isWhole);
  return turn;
}

async function endSpeech(turn: AgentTurn, speech: Speech, isWhole: boolean): Promise<void> {
  turn.cut = await speech.end(isWhole ? "ALL" : "SENTENCES");
  turn.text = turn.text.slice(0, turn.text.length - speech.unsaidCharacters).trim();
}

function emptyTurn(turn: AgentTurn, isWhole: boolean): ModelError {
  if (isWhole) return new ModelError("MODEL_EMPTY", "The model said nothing.", null, turn);
  return new ModelError(
    "MODEL_TRUNCATED",
    "The model ran out of tokens before its first sentence was whole.",
    null,
    turn,
  );
}

/** Takes the pieces as they come; false when the turn ends in the middle of a sentence. */
async function collect(
  pieces: ReturnType<LanguageModel["respond"]>,
  turn: AgentTurn,
  speech: Speech,
  { onCall, onExpects, maxCharacters }: TurnParts,
  alive: () => void,
  isCut: AbortSignal,
): Promise<boolean> {
  let isWhole = true;
  try {
    for await (const piece of pieces) {
      alive();
      if (piece.kind === "TEXT") {
        const text = piece.text.slice(0, maxCharacters - turn.text.length);
        turn.text += text;
        speech.add(text);
        if (text.length < piece.text.length) return false;
      } else if (piece.kind === "TOOL_CALL") {
        turn.toolCalls.push(piece.call);
        onCall(piece.call);
      } else if (piece.kind === "EXPECTS") {
        turn.hasExpectation = true;
        onExpects(piece.schema);
      } else if (piece.kind === "USAGE") {
        turn.inputTokens += piece.inputTokens;
        turn.outputTokens += piece.outputTokens;
      } else if (piece.kind === "TRUNCATED") isWhole = false;
      if (isCut.aborted) return true;
    }
  } catch (error) {
    // Whoever talks over the agent ends its turn; what the model makes of that does not matter.
    if (!isCut.aborted) throw error;
  }
  return isWhole;
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
