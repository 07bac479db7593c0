import type { Executor } from "#src/db/database.ts";
import { type Static, Type, Uuid } from "#src/http/schemas.ts";
import { partWords } from "./indexing/part-words.ts";
import { findAll, findSome } from "./search-sql.ts";

const MAX_QUERY_CHARS = 1_000;
const MAX_WORDS = 32;

/** One passage that a search found. */
export const KnowledgeHit = Type.Object(
  {
    itemId: Uuid,
    title: Type.String({ description: "Title of the item." }),
    position: Type.Integer({ description: "Which passage of the item it is, from 0." }),
    text: Type.String({ description: "The passage." }),
    score: Type.Number({ description: "Higher is better; comparable within one search only." }),
  },
  { $id: "KnowledgeHit" },
);
export type KnowledgeHit = Static<typeof KnowledgeHit>;

/**
 * The passages of an agent's knowledge base that answer a query best, of enabled items only. All words are asked for
 * first, with "quoted phrases", OR and -exclusions; when nothing holds them all, passages that hold some of them.
 * Takes any text as a query.
 */
export async function searchKnowledge(
  db: Executor,
  workspaceId: string,
  agentId: string,
  query: string,
  limit: number,
): Promise<KnowledgeHit[]> {
  const text = partWords(query.slice(0, MAX_QUERY_CHARS).toWellFormed().replaceAll("\u0000", " ")).trim();
  const words = readWords(text);
  if (words.length === 0) return [];
  const found = await findAll(db, workspaceId, agentId, text, limit);
  return found.length > 0 ? found : findSome(db, workspaceId, agentId, words, limit);
}

/** The distinct words of a query, without those it excludes. */
function readWords(text: string): string[] {
  const words = text.toLowerCase().matchAll(/(?<![\p{L}\p{N}])(-?)([\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*)/gu);
  const wanted = [...words].filter(([, minus]) => minus === "").map(([, , word]) => word as string);
  return [...new Set(wanted)].slice(0, MAX_WORDS);
}
