import type { LanguageModel } from "#src/engine/models/models.ts";
import type { ModelError, ModelLimits } from "./agent-turn.ts";

/** Milliseconds that a person on the line waits for a model when another one can answer. */
const FIRST_PIECE_WITH_OTHERS_MS = 3_000;
const FIRST_PIECE_WITH_OTHERS_IN_TEXT_MS = 6_000;
/** Share of the last try's time that the first of two tries of the same model gets. */
const FIRST_TRY_SHARE = 0.6;

/** One try of a turn: the model to ask, and its time limits. */
export interface ModelTry {
  model: LanguageModel;
  limits: ModelLimits;
}

/**
 * Returns the tries of a turn: each model of a chain once, or a single model twice, because most failures of a model
 * server are gone a moment later. All but the last are short.
 */
export function planTries(model: LanguageModel, limits: ModelLimits, isText: boolean): ModelTry[] {
  const chain = model.chain?.inOrder() ?? [model];
  const models = chain.length > 1 ? chain : [model, model];
  const shortMs =
    chain.length === 1
      ? limits.pieceMs * FIRST_TRY_SHARE
      : Math.min(limits.pieceMs, isText ? FIRST_PIECE_WITH_OTHERS_IN_TEXT_MS : FIRST_PIECE_WITH_OTHERS_MS);
  return models.map((one, i) => ({
    model: one,
    limits: i === models.length - 1 ? limits : { ...limits, pieceMs: shortMs },
  }));
}

/** Codes of failures that the same model would repeat: it refuses the key, or the request. */
const LASTING = new Set(["MODEL_UNAUTHORIZED", "MODEL_REFUSED"]);

/** True for a failure that a retry with the same model will not fix. */
export function isLasting({ code }: Pick<ModelError, "code">): boolean {
  return LASTING.has(code);
}
