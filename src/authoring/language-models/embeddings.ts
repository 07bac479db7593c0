import { createHash } from "node:crypto";
import { openEmbeddingModel } from "#src/engine/models/hosted/embedding-model.ts";
import { measureEmbedding } from "#src/engine/models/hosted/measured-model.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { modelKeyPlace } from "./language-models.ts";
import { openHeaders } from "./model-headers.ts";
import type { OpenerParts } from "./open-model.ts";
import { findEmbeddingModel, type LanguageModelRow } from "./store.ts";

/** A conversation waits this long at most; without the answer it continues with the results of full-text search. */
const QUERY_DEADLINE_MS = 1_500;
/** Milliseconds for which a failed server is not asked again; otherwise every question would wait for it. */
const REST_MS = 10_000;
const MAX_RESTING = 1_000;

/** Dependencies of an embedding model besides the database. */
export type EmbedderParts = Pick<OpenerParts, "box" | "fetch" | "log" | "onRequest">;

/** The embedding model that a workspace uses now. */
export interface Embedder {
  /** Digest of the model and its server. Vectors with another key cannot be compared with its own. */
  key: string;
  /** Vectors of length 1. */
  embed(texts: string[], signal: AbortSignal): Promise<number[][]>;
}

/**
 * Returns the vector of a query by the workspace's model; null when there is no model or it does not answer in time.
 */
export type EmbedQuery = (workspaceId: string, query: string) => Promise<{ key: string; vector: number[] } | null>;

/** Opens the workspace's default embedding model, or its oldest one; null when it has configured none. */
export async function findEmbedder(
  db: Executor,
  parts: Omit<EmbedderParts, "log">,
  workspaceId: string,
): Promise<Embedder | null> {
  const row = await findEmbeddingModel(db, workspaceId);
  return row ? openEmbedder(parts, row) : null;
}

/** The key of the embedding model that a workspace uses now; null when it has configured none. */
export async function findEmbedderKey(db: Executor, workspaceId: string): Promise<string | null> {
  const row = await findEmbeddingModel(db, workspaceId);
  return row ? toKey(row) : null;
}

/** True when the workspace has configured an embedding model. */
export async function hasEmbedder(db: Executor, workspaceId: string): Promise<boolean> {
  return (await findEmbeddingModel(db, workspaceId)) !== undefined;
}

/** Opens one configured embedding model. */
export function openEmbedder(
  { box, fetch, onRequest = () => undefined }: Omit<EmbedderParts, "log">,
  row: LanguageModelRow,
): Embedder {
  const { provider, base_url: baseUrl, model, api_key: sealed } = row;
  const apiKey = sealed === null ? null : box.open(sealed, modelKeyPlace(row.workspace_id, row.id));
  const headers = openHeaders(box, row);
  const opened = measureEmbedding(openEmbeddingModel({ baseUrl, apiKey, model, headers }, fetch), provider, onRequest);
  return {
    key: toKey(row),
    embed: async (texts, signal) => (await opened.embed(texts, signal)).map(toUnit),
  };
}

function toKey({ base_url: baseUrl, model }: LanguageModelRow): string {
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, model]))
    .digest("hex")
    .slice(0, 32);
}

function toUnit(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((number) => number / length);
}

/**
 * Makes the function that embeds queries. It never throws for the model's faults, and its request takes at most 1.5 s.
 */
export function createQueryEmbedder(db: Executor, parts: EmbedderParts): EmbedQuery {
  const restingUntil = new Map<string, number>();
  return async (workspaceId, query) => {
    const embedder = await findEmbedder(db, parts, workspaceId);
    if (!embedder) return null;
    const place = `${workspaceId}|${embedder.key}`;
    if (performance.now() < (restingUntil.get(place) ?? 0)) return null;
    try {
      const [vector] = await embedder.embed([query], AbortSignal.timeout(QUERY_DEADLINE_MS));
      restingUntil.delete(place);
      return vector ? { key: embedder.key, vector } : null;
    } catch (error) {
      if (restingUntil.size >= MAX_RESTING) restingUntil.clear();
      restingUntil.set(place, performance.now() + REST_MS);
      const reason = toError(error).message;
      parts.log.warn("A query could not be embedded; full-text search answers it alone.", { workspaceId, reason });
      return null;
    }
  };
}
