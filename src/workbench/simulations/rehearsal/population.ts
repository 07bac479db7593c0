import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import type { Meeting } from "./rehearsed-job.ts";

/** Results of a line that no person answers. */
export const LINES = [
  "BUSY",
  "NO_ANSWER",
  "VOICEMAIL",
  "REJECTED",
  "INVALID_NUMBER",
  "UNREACHABLE",
  "CARRIER_FAILURE",
] as const;
export type LineName = (typeof LINES)[number];

/** One kind of people, or of lines, in the population of a rehearsal. */
export const PopulationPart = Type.Object(
  {
    share: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: "Weight beside the other parts." }),
    persona: Type.Optional(nullable(Type.String({ maxLength: 100, description: "Name of a built-in persona." }))),
    line: Type.Optional(nullable(oneOf(LINES, "What the line does instead of somebody picking up."))),
    attempts: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 9,
          description: "With line: it does so for this many attempts only, and then `persona` answers.",
        }),
      ),
    ),
  },
  {
    $id: "PopulationPart",
    description: "A persona who answers, a line that nobody picks up, or first one, then the other.",
  },
);
export type PopulationPart = Static<typeof PopulationPart>;

/** Ring times of the sandbox's lines, similar to those of most networks. */
const RING_MS: Record<Exclude<LineName, "VOICEMAIL" | "NO_ANSWER">, number> = {
  BUSY: 1_000,
  REJECTED: 3_000,
  INVALID_NUMBER: 0,
  UNREACHABLE: 1_000,
  CARRIER_FAILURE: 500,
};

/** Returns the attempt at a line that no person answers. A voicemail is a persona, because it talks. */
export function meetLine(line: Exclude<LineName, "VOICEMAIL">, ringTimeoutMs: number): Meeting {
  const ringMs = line === "NO_ANSWER" ? ringTimeoutMs : Math.min(RING_MS[line], ringTimeoutMs);
  const endReason = `CARRIER_${line}`;
  return { ringMs, talkMs: 0, outcome: line, endReason, status: "FAILED", mayRetry: true, cost: 0 };
}

/** Returns a generator of numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/**
 * Divides `rows` by the weights: each part gets its share rounded down, and those with the largest remainders one more.
 */
export function apportion(rows: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = weights.map((weight) => (rows * weight) / total);
  const counts = exact.map(Math.floor);
  const left = rows - counts.reduce((sum, count) => sum + count, 0);
  const byRest = exact
    .map((share, i) => [share - Math.floor(share), i] as const)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  for (const [, i] of byRest.slice(0, left)) counts[i] = (counts[i] as number) + 1;
  return counts;
}

/** Returns the part of each row, in an order that the seed chooses. */
export function shuffleParts(counts: readonly number[], random: () => number): Uint16Array {
  const parts = new Uint16Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const [part, count] of counts.entries()) parts.fill(part, at, (at += count));
  for (let i = parts.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const part = parts[i] as number;
    parts[i] = parts[j] as number;
    parts[j] = part;
  }
  return parts;
}
