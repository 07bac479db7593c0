import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { addUsageOf, type LanguageModel, type ModelPiece, type TokenUsage } from "./models.ts";

/** Milliseconds of wall-clock time that one model may take to a whole answer before the next one is asked. */
export interface FallbackLimits {
  respondMs: number;
  extractMs: number;
}

/** Called when a model is abandoned for the next one; `next` is null when none is left. */
export type OnFailover = (failed: string, next: string | null, error: Error) => void;

const RESTS_MS = 30_000;
const MAX_NOTED = 5_000;

/** Remembers which models failed lately, so that sessions ask others first. Shared by the sessions of a process. */
export class ModelHealth {
  readonly #restsUntilMs = new BoundedMap<string, number>(MAX_NOTED);

  /** Records a failure of the model with this key. */
  noteFailure(key: string): void {
    this.#restsUntilMs.set(key, performance.now() + RESTS_MS);
  }

  /** True for half a minute after a failure. */
  isResting(key: string): boolean {
    return (this.#restsUntilMs.get(key) ?? 0) > performance.now();
  }
}

/** A model of a chain, and the key of its health. */
export interface ChainedModel {
  key: string;
  model: LanguageModel;
}

/**
 * Creates one model out of several. A session asks the chain's models one by one, because only it knows which words the
 * person has heard. When asked as a whole, the model returns the first complete answer, and no part of one that fails.
 * When all fail, it throws the last failure.
 */
export function createFallbackModel(
  models: [ChainedModel, ...ChainedModel[]],
  limits: FallbackLimits,
  health: ModelHealth,
  onFailover: OnFailover,
): LanguageModel {
  const inOrder = (): LanguageModel[] =>
    models
      .toSorted((a, b) => Number(health.isResting(a.key)) - Number(health.isResting(b.key)))
      .map(({ model }) => model);
  const noteFailure = (failed: LanguageModel, next: LanguageModel | null, error: Error): void => {
    const one = models.find(({ model }) => model === failed);
    if (one) health.noteFailure(one.key);
    onFailover(failed.name, next?.name ?? null, error);
  };
  const askEach = async <Answer>(
    given: AbortSignal,
    ms: number,
    ask: (model: LanguageModel, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> => {
    const order = inOrder();
    for (const [i, model] of order.entries()) {
      const stop = new AbortController();
      try {
        return await within(ms, ask(model, AbortSignal.any([given, stop.signal])), stop, given, model.name);
      } catch (thrown) {
        given.throwIfAborted();
        const next = order[i + 1] ?? null;
        noteFailure(model, next, toError(thrown));
        if (next === null) throw thrown;
      }
    }
    throw new Error("There is no model.");
  };
  return {
    name: models[0].model.name,
    chain: { inOrder, noteFailure },
    warm: () => inOrder()[0]?.warm?.(),
    async *respond(request) {
      yield* await askEach(request.signal, limits.respondMs, async (model, signal) => {
        const pieces: ModelPiece[] = [];
        for await (const piece of model.respond({ ...request, signal })) pieces.push(piece);
        return pieces;
      });
    },
    async extract(request) {
      const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
      try {
        const { value } = await askEach(request.signal, limits.extractMs, (model, signal) =>
          addUsageOf(model.extract({ ...request, signal }), usage),
        );
        return { value, ...usage };
      } catch (thrown) {
        // The reason of an abort is shared by all requests that it ends.
        throw request.signal.aborted ? thrown : Object.assign(toError(thrown), { usage });
      }
    },
  };
}

/** A model may ignore its signal, so it is abandoned and not awaited. */
async function within<T>(
  ms: number,
  work: Promise<T>,
  stop: AbortController,
  given: AbortSignal,
  name: string,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  const giveUp = (error: Error): void => {
    over.reject(error);
    stop.abort(error);
  };
  const timer = setTimeout(() => giveUp(new Error(`${name} was not done after ${ms} ms.`)), ms);
  const onAbort = (): void => giveUp(toError(given.reason));
  given.addEventListener("abort", onAbort, { once: true });
  work.catch(() => undefined);
  try {
    given.throwIfAborted();
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    given.removeEventListener("abort", onAbort);
  }
}
