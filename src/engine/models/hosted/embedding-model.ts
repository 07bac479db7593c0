import type { EmbeddingModel } from "#src/engine/models/models.ts";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { ModelFault, toModelFault } from "./model-fault.ts";
import type { HostedSettings } from "./providers.ts";
import { addressOf } from "./vendors.ts";

/** The longest embeddings of known models have about 4,096 numbers. */
const MAX_NUMBERS = 8_192;
/** Enough for a batch of the longest vectors as JSON. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Opens a configured embedding model behind the port. Every failure of its server is a ModelFault. */
export function openEmbeddingModel(
  { baseUrl, apiKey, model, headers }: Pick<HostedSettings, "baseUrl" | "apiKey" | "model" | "headers">,
  fetch: WebFetch,
): EmbeddingModel {
  const name = `openai_compatible/${model}`;
  const open = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "openai-compatible",
      baseURL: addressOf("OPENAI_COMPATIBLE", baseUrl) ?? "",
      headers: headers ?? {},
      fetch: limitAnswer(fetch),
      ...(apiKey === null ? {} : { apiKey }),
    }).embeddingModel(model);
  };
  return {
    name,
    async embed(texts, signal) {
      try {
        const opened = await open();
        const { embeddings } = await opened.doEmbed({ values: texts, abortSignal: signal });
        assertVectors(embeddings, texts.length, name);
        return embeddings;
      } catch (thrown) {
        signal.throwIfAborted();
        throw toModelFault(thrown, name, apiKey);
      }
    },
  };
}

function assertVectors(vectors: number[][], count: number, name: string): void {
  const length = vectors[0]?.length ?? 0;
  const isGood =
    vectors.length === count &&
    length > 0 &&
    length <= MAX_NUMBERS &&
    vectors.every((vector) => vector.length === length && vector.every(Number.isFinite));
  if (!isGood) throw new ModelFault("MODEL_GARBLED", `${name} did not send one vector for each text.`);
}

/** Limits the size of an answer, because the SDK reads all of it, however long it is. */
function limitAnswer(fetch: WebFetch): WebFetch {
  return async (input, init) => {
    const reply = await fetch(input, init);
    let left = MAX_ANSWER_BYTES;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        left -= piece.length;
        if (left < 0) controller.error(new ModelFault("MODEL_GARBLED", "The answer is too long."));
        else controller.enqueue(piece);
      },
    });
    const body = reply.body?.pipeThrough(count) ?? null;
    return new Response(body, { status: reply.status, headers: reply.headers });
  };
}
