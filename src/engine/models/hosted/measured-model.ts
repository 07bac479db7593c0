import {
  addUsage,
  addUsageOf,
  type EmbeddingModel,
  type LanguageModel,
  type ModelPiece,
  type TokenUsage,
} from "#src/engine/models/models.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { measureAnswer, measurePieces, type OnProviderRequest } from "#src/platform/kernel/provider-request.ts";
import { ModelFault } from "./model-fault.ts";

/** Code with which a conversation stops waiting for a silent model. */
const STALLED = "MODEL_STALLED";

/** Wraps a hosted model so that `onRequest` gets each turn and each filled output, with their tokens. */
export function measureModel(model: LanguageModel, provider: string, onRequest: OnProviderRequest): LanguageModel {
  const measuring = (signal: AbortSignal, used: TokenUsage) => ({
    signal,
    codeOf: codeOfFault,
    report(result: string, firstMs: number | null) {
      const tokens = { input: used.inputTokens, output: used.outputTokens };
      onRequest({ kind: "MODEL", provider, result, firstMs, tokens });
    },
  });
  return {
    ...model,
    respond(request) {
      const used: TokenUsage = { inputTokens: 0, outputTokens: 0 };
      const isFirst = (piece: ModelPiece): boolean => {
        if (piece.kind === "USAGE") addUsage(used, piece);
        return piece.kind === "TEXT" || piece.kind === "TOOL_CALL";
      };
      return measurePieces(model.respond(request), isFirst, "OK", measuring(request.signal, used));
    },
    extract(request) {
      const used: TokenUsage = { inputTokens: 0, outputTokens: 0 };
      return measureAnswer(addUsageOf(model.extract(request), used), measuring(request.signal, used));
    },
  };
}

/** Wraps an embedding model so that `onRequest` gets each request to it. */
export function measureEmbedding(
  model: EmbeddingModel,
  provider: string,
  onRequest: OnProviderRequest,
): EmbeddingModel {
  return {
    name: model.name,
    embed: (texts, signal) =>
      measureAnswer(model.embed(texts, signal), {
        signal,
        codeOf: codeOfFault,
        report: (result, firstMs) => onRequest({ kind: "EMBEDDING", provider, result, firstMs }),
      }),
  };
}

function codeOfFault(thrown: unknown): string | undefined {
  if (thrown instanceof ModelFault) return thrown.code;
  return codeOf(thrown) === STALLED ? STALLED : undefined;
}
