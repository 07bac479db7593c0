import { toError } from "#src/kernel/errors.ts";
import type { LanguageModel, ModelPiece } from "./models.ts";

/** How long one model may take before the next one is asked, in wall-clock milliseconds. */
export interface FallbackLimits {
  /** To the first word or call of a turn. */
  firstPieceMs: number;
  /** To a filled output. */
  extractMs: number;
}

/** A model was given up for the next one. */
export type OnFailover = (failed: string, next: string, error: Error) => void;

/**
 * Several models as one: the first that answers in time speaks. A model that fails after its first word is not
 * replaced, because the person may have heard it. When all fail, the last failure is thrown.
 */
export function createFallbackModel(
  models: [LanguageModel, ...LanguageModel[]],
  limits: FallbackLimits,
  onFailover: OnFailover,
): LanguageModel {
  const [first] = models;
  return {
    name: first.name,
    async *respond(request) {
      for (const [i, model] of models.entries()) {
        const stop = new AbortController();
        const signal = AbortSignal.any([request.signal, stop.signal]);
        const pieces = model.respond({ ...request, signal })[Symbol.asyncIterator]();
        try {
          const piece = await within(limits.firstPieceMs, pieces.next(), stop, model.name);
          yield* goOn(piece, pieces);
          return;
        } catch (thrown) {
          if (thrown instanceof SpokenError) throw thrown.error;
          request.signal.throwIfAborted();
          giveUp(models, i, toError(thrown), onFailover);
        }
      }
    },
    async extract(request) {
      for (const [i, model] of models.entries()) {
        const stop = new AbortController();
        const signal = AbortSignal.any([request.signal, stop.signal]);
        try {
          return await within(limits.extractMs, model.extract({ ...request, signal }), stop, model.name);
        } catch (thrown) {
          request.signal.throwIfAborted();
          giveUp(models, i, toError(thrown), onFailover);
        }
      }
      throw new Error("There is no model.");
    },
  };
}

/** What went wrong after the first piece was handed on. */
class SpokenError extends Error {
  readonly error: unknown;
  constructor(error: unknown) {
    super("The model failed after it had begun to speak.");
    this.error = error;
  }
}

async function* goOn(
  first: IteratorResult<ModelPiece>,
  pieces: AsyncIterator<ModelPiece>,
): AsyncGenerator<ModelPiece, void> {
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
  } catch (error) {
    throw new SpokenError(error);
  } finally {
    await pieces.return?.();
  }
}

/** Throws the failure of the last model; tells of the others. */
function giveUp(models: LanguageModel[], i: number, error: Error, onFailover: OnFailover): void {
  const next = models[i + 1];
  if (!next) throw error;
  onFailover((models[i] as LanguageModel).name, next.name, error);
}

/** A model may ignore its signal, so it is given up rather than waited for. */
async function within<T>(ms: number, work: Promise<T>, stop: AbortController, name: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`${name} was silent for ${ms} ms.`);
    late.reject(error);
    stop.abort(error);
  }, ms);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
