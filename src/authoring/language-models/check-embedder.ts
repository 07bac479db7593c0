import { toError } from "#src/platform/kernel/errors.ts";
import { type EmbedderParts, openEmbedder } from "./embeddings.ts";
import type { ModelCheck } from "./open-model.ts";
import type { LanguageModelRow } from "./store.ts";

const CHECK_TIMEOUT_MS = 20_000;

/** Has a configured embedding model embed one word, and returns the result. Never throws for the model's faults. */
export async function checkEmbedder(parts: EmbedderParts, row: LanguageModelRow): Promise<ModelCheck> {
  const startedMs = performance.now();
  const done = (answer: string | null, error: ModelCheck["error"]): ModelCheck => {
    const latencyMs = Math.round(performance.now() - startedMs);
    return {
      ok: error === null,
      model: `openai_compatible/${row.model}`,
      latencyMs,
      firstPieceMs: null,
      answer,
      error,
    };
  };
  try {
    const [vector = []] = await openEmbedder(parts, row).embed(["hello"], AbortSignal.timeout(CHECK_TIMEOUT_MS));
    return done(`A vector of ${vector.length} numbers.`, null);
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    return done(null, { code: typeof code === "string" ? code : "MODEL_STALLED", message: toError(thrown).message });
  }
}
