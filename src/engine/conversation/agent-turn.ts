import type { Spoken } from "#src/audio/line/line.ts";
import {
  addUsage,
  type JsonSchema,
  type LanguageModel,
  type TokenUsage,
  type ToolCall,
  type TurnRequest,
  usageOf,
} from "#src/engine/models/models.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Speech } from "./speech.ts";

/** A model that failed, stalled or said nothing. */
export class ModelError extends Error {
  readonly code: string;
  /**
   * The part of the turn that cannot be undone: words that the person heard and calls that were started. Null when
   * there is none, so that another try may start the turn afresh.
   */
  readonly done: AgentTurn | null;
  /** Tokens that the try used. */
  readonly usage: TokenUsage;
  constructor(
    code: string,
    message: string,
    done: AgentTurn | null = null,
    usage: TokenUsage = { inputTokens: 0, outputTokens: 0 },
  ) {
    super(message.slice(0, 500));
    this.name = "ModelError";
    this.code = code;
    this.done = done;
    this.usage = usage;
  }
}

/** Limits on a model's time, in wall-clock milliseconds: `pieceMs` until its next piece, `totalMs` until its last. */
export interface ModelLimits {
  pieceMs: number;
  totalMs: number;
}

/** One turn of a model, after all of it was said. */
export interface AgentTurn extends TokenUsage {
  text: string;
  toolCalls: ToolCall[];
  /** The model named what it asks for. */
  hasExpectation: boolean;
  /** The part of the speech that was cut off; null when none was. */
  cut: Spoken | null;
  /** The model failed in the middle of the turn: what is here was said and started, and more was to come. */
  brokeOff: boolean;
  /**
   * Milliseconds from the request to the model's last piece, or to its failure. Speaking time after that is not
   * counted.
   */
  modelMs: number;
}

/** Dependencies and limits of one turn of the model. */
export interface TurnParts {
  model: LanguageModel;
  now(): Date;
  limits: ModelLimits;
  /** Accepts a turn without words. */
  mayBeEmpty: boolean;
  /** Opens the speech that says the words as they come; it calls `stop` when the person cuts them off. */
  openSpeech(stop: () => void): Speech;
  /** Longest turn in characters; a model that says more has lost its thread and is cut there. */
  maxCharacters: number;
  /** Called with each tool call as soon as the model has made it, which may be before its words are said. */
  onCall: (call: ToolCall) => void;
  /** Called with the schema of what the model asks for, before its words. */
  onExpects: (schema: JsonSchema | null) => void;
  /** Called with the fields that the model has understood so far. */
  onFields: (fields: Record<string, unknown>) => void;
}

/**
 * Takes one turn of the model and says it while it is written. Throws `ModelError`, whose `done` holds the part of the
 * turn that stands, or the signal's reason when that aborts. When a turn breaks off, its unfinished sentence is not
 * said.
 */
export async function takeTurn(
  request: Omit<TurnRequest, "signal">,
  parts: TurnParts,
  signal: AbortSignal,
): Promise<AgentTurn> {
  const giveUp = new AbortController();
  let isCut = false;
  const speech = parts.openSpeech(() => {
    isCut = true;
    giveUp.abort();
  });
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
  let ending = "WHOLE" as Ending;
  const startedMs = parts.now().getTime();
  try {
    const take = async (guarded: AbortSignal, alive: () => void): Promise<void> => {
      const pieces = parts.model.respond({ ...request, signal: guarded });
      ending = await collect(pieces, turn, speech, parts, alive, () => isCut);
    };
    await guardModel(parts.limits, signal, take, giveUp);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const isDone = speech.hasBegun || turn.toolCalls.length > 0;
    if (isDone) await endSpeech(turn, speech, false);
    throw new ModelError(error.code, error.message, isDone ? { ...turn, brokeOff: true } : null, turn);
  } finally {
    turn.modelMs = parts.now().getTime() - startedMs;
  }
  const isSilent = turn.text.trim() === "";
  const wasHeard = speech.hasBegun;
  const isWhole = ending === "WHOLE";
  await endSpeech(turn, speech, isWhole);
  if (ending === "TRUNCATED" && wasHeard && !turn.cut)
    throw new ModelError("MODEL_TRUNCATED", "The model ran out of tokens.", { ...turn, brokeOff: true }, turn);
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

/** End of a turn: TRUNCATED by the provider's token limit, or CUT at the longest length, both perhaps in a sentence. */
type Ending = "WHOLE" | "TRUNCATED" | "CUT";

/** Collects the pieces as they come. */
async function collect(
  pieces: ReturnType<LanguageModel["respond"]>,
  turn: AgentTurn,
  speech: Speech,
  { onCall, onExpects, onFields, maxCharacters }: TurnParts,
  alive: () => void,
  isCut: () => boolean,
): Promise<Ending> {
  let ending: Ending = "WHOLE";
  try {
    for await (const piece of pieces) {
      alive();
      if (piece.kind === "TEXT") {
        const text = piece.text.slice(0, maxCharacters - turn.text.length);
        turn.text += text;
        speech.add(text);
        if (text.length < piece.text.length) return "CUT";
      } else if (piece.kind === "TOOL_CALL") {
        turn.toolCalls.push(piece.call);
        onCall(piece.call);
      } else if (piece.kind === "EXPECTS") {
        turn.hasExpectation = true;
        onExpects(piece.schema);
      } else if (piece.kind === "FIELDS") {
        onFields(piece.fields);
      } else if (piece.kind === "USAGE") {
        addUsage(turn, piece);
      } else if (piece.kind === "TRUNCATED") ending = "TRUNCATED";
      if (isCut()) return "WHOLE";
    }
  } catch (error) {
    // A person who talks over the agent ends its turn, so a failure of the model after that does not matter.
    if (!isCut()) throw error;
  }
  return ending;
}

/**
 * Runs work of a model that may ignore its signal: past its limits, or when `signal` aborts, the work is abandoned and
 * not awaited. The work calls `alive` at each piece that it gets. `giveUp` aborts the work, and nothing else.
 */
export async function guardModel<Result>(
  limits: ModelLimits,
  signal: AbortSignal,
  work: (guarded: AbortSignal, alive: () => void) => Promise<Result>,
  giveUp = new AbortController(),
): Promise<Result> {
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
    throw new ModelError(codeOf(error) ?? "MODEL_FAILED", toError(error).message, null, usageOf(error));
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
