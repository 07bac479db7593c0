import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { fuseRankings } from "./fuse-rankings.ts";
import { partWords } from "./indexing/part-words.ts";
import { findAll, findSome, type HitRow } from "./search-sql.ts";
import { findNearest } from "./vector-sql.ts";

const MAX_QUERY_CHARS = 1_000;
const MAX_WORDS = 32;
/** Passages that each of the two searches contributes to the fusion. */
const CANDIDATES = 50;
/** Cosine below which two texts are unrelated, whatever the model. */
const MIN_COSINE = 0.2;
/** Share of the nearest passage's score below which another one is left out. */
const MIN_OF_BEST = 0.75;

/** One passage that a search found. */
export const KnowledgeHit = Type.Object(
  {
    itemId: Uuid,
    title: Type.String({ description: "Title of the item." }),
    headings: Type.Array(Type.String(), { description: "Above the passage in its document, the highest first." }),
    page: nullable(Type.Integer({ description: "Of a PDF, from 1: where the passage begins." })),
    position: Type.Integer({ description: "Which passage of the item it is, from 0." }),
    text: Type.String({ description: "The passage." }),
    score: Type.Number({ description: "Higher is better; comparable within one search only." }),
  },
  { $id: "KnowledgeHit" },
);
export type KnowledgeHit = Static<typeof KnowledgeHit>;

/** Options of a knowledge base search. */
export interface SearchOptions {
  limit: number;
  /** Also finds passages by meaning. Without it, words alone count. */
  embed?: EmbedQuery;
}

/**
 * Returns the passages of the agents' knowledge bases that best answer a query, of enabled items only. Searches for all
 * words first, with "quoted phrases", OR and -exclusions; when no passage holds them all, for some of them. Where the
 * workspace has an embedding model, passages of similar meaning are added by reciprocal-rank fusion. Takes any text as
 * a query.
 */
export async function searchKnowledge(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  query: string,
  { limit, embed }: SearchOptions,
): Promise<KnowledgeHit[]> {
  const asked = query.slice(0, MAX_QUERY_CHARS).toWellFormed().replaceAll("\u0000", " ").trim();
  const words = readWords(partWords(asked));
  if (words.length === 0 || agentIds.length === 0) return [];
  const [byWords, byMeaning] = await Promise.all([
    findByWords(db, workspaceId, agentIds, { text: partWords(asked).trim(), words }, Math.max(limit, CANDIDATES)),
    embed && !hasOperators(asked) ? findByMeaning(db, workspaceId, agentIds, asked, embed) : [],
  ]);
  return byMeaning.length === 0 ? byWords.slice(0, limit) : fuseRankings([byWords, byMeaning]).slice(0, limit);
}

async function findByWords(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  { text, words }: { text: string; words: string[] },
  limit: number,
): Promise<HitRow[]> {
  const found = await findAll(db, workspaceId, agentIds, text, limit);
  return found.length > 0 ? found : findSome(db, workspaceId, agentIds, words, limit);
}

async function findByMeaning(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  query: string,
  embed: EmbedQuery,
): Promise<HitRow[]> {
  const meaning = await embed(workspaceId, query);
  if (!meaning) return [];
  const near = await findNearest(db, workspaceId, agentIds, meaning, CANDIDATES);
  const least = Math.max(MIN_COSINE, (near[0]?.score ?? 0) * MIN_OF_BEST);
  return near.filter(({ score }) => score >= least);
}

/** True for a query with a phrase, an exclusion or OR, which is meant literally and not searched by meaning. */
function hasOperators(query: string): boolean {
  return /"|(^|\s)-[\p{L}\p{N}]|\sOR\s/u.test(query);
}

/** Returns the distinct words of a query, without the excluded ones. */
function readWords(text: string): string[] {
  const words = text.toLowerCase().matchAll(/(?<![\p{L}\p{N}])(-?)([\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*)/gu);
  const wanted = [...words].filter(([, minus]) => minus === "").map(([, , word]) => word as string);
  return [...new Set(wanted)].slice(0, MAX_WORDS);
}
