import { codeOf, toError } from "#src/kernel/errors.ts";
import type { LanguageModel, ToolCall, TurnRequest } from "#src/models/models.ts";

/** A model that failed, stalled or said nothing. */
export class ModelError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message.slice(0, 500));
    this.name = "ModelError";
    this.code = code;
  }
}

/** How long a model may take: to its first piece, and to its last. Wall-clock milliseconds. */
export interface ModelLimits {
  firstPieceMs: number;
  totalMs: number;
}

/** What a model gave in one turn. */
export interface AgentTurn {
  text: string;
  toolCalls: ToolCall[];
  inputTokens: number;
  outputTokens: number;
}

/**
 * One turn of the model, whole. `mayBeEmpty` takes silence for an answer. Throws `ModelError`, or the signal's reason when that aborts.
 */
export async function takeTurn(
  model: LanguageModel,
  request: Omit<TurnRequest, "signal">,
  limits: ModelLimits,
  mayBeEmpty: boolean,
  signal: AbortSignal,
): Promise<AgentTurn> {
  const turn = await guardModel(limits, signal, (guarded, alive) =>
    collect(model.respond({ ...request, signal: guarded }), alive),
  );
  if (!mayBeEmpty && turn.text === "" && turn.toolCalls.length === 0)
    throw new ModelError("MODEL_EMPTY", "The model said nothing.");
  return turn;
}

async function collect(pieces: ReturnType<LanguageModel["respond"]>, alive: () => void): Promise<AgentTurn> {
  const turn: AgentTurn = { text: "", toolCalls: [], inputTokens: 0, outputTokens: 0 };
  for await (const piece of pieces) {
    alive();
    if (piece.kind === "TEXT") turn.text += piece.text;
    else if (piece.kind === "TOOL_CALL") turn.toolCalls.push(piece.call);
    else {
      turn.inputTokens += piece.inputTokens;
      turn.outputTokens += piece.outputTokens;
    }
  }
  turn.text = turn.text.trim();
  return turn;
}

/**
 * Runs work of a model that may ignore its signal: it is given up, not waited for, when it is past its
 * limits or `signal` aborts. The work calls `alive` when it gets its first piece.
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
  const timers = [limit(limits.firstPieceMs), limit(limits.totalMs)];
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) throw toError(signal.reason);
    return await Promise.race([work(giveUp.signal, () => clearTimeout(timers[0])), givenUp.promise]);
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    throw new ModelError(codeOf(error) ?? "MODEL_FAILED", toError(error).message);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
