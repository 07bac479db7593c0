import type { HitRow } from "./search-sql.ts";

/** Keeps the first places from outweighing everything; the value of the original paper (Cormack and others, 2009). */
const RANK_OFFSET = 60;

/**
 * Joins rankings whose scores cannot be compared: a passage's score is the sum of 1 / (60 + its place) over the
 * rankings that have it. Equal scores keep the order in which they came.
 */
export function fuseRankings(rankings: HitRow[][]): HitRow[] {
  const fused = new Map<string, HitRow>();
  for (const ranking of rankings) {
    ranking.forEach((hit, i) => {
      const key = `${hit.itemId}|${hit.position}`;
      const known = fused.get(key);
      fused.set(key, { ...hit, score: (known?.score ?? 0) + 1 / (RANK_OFFSET + i + 1) });
    });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
