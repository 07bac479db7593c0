import type { LanguageModel } from "#src/engine/models/models.ts";
import type { ModelError, ModelLimits } from "./agent-turn.ts";

/** A person on the line waits no longer for a model when another one can answer. */
const FIRST_PIECE_WITH_OTHERS_MS = 3_000;
const FIRST_PIECE_WITH_OTHERS_IN_TEXT_MS = 6_000;
/** Of the time that the last try has, for the first of two tries of the same model. */
const FIRST_TRY_SHARE = 0.6;

/** One try of a turn: which model is asked, and for how long. */
export interface ModelTry {
  model: LanguageModel;
  limits: ModelLimits;
}

/**
 * The tries that a turn has: each model of a chain once, or a single one twice, for most failures of a model server are
 * gone a moment later. All but the last are short.
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

/** What the same model would answer in the same way: the key is refused, or the request is. */
const LASTING = new Set(["MODEL_UNAUTHORIZED", "MODEL_REFUSED"]);

/** True for a failure that asking the same model again will not mend. */
export function isLasting({ code }: Pick<ModelError, "code">): boolean {
  return LASTING.has(code);
}
