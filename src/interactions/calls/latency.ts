/** Returns the value below which a share of the numbers lies, or null without numbers. */
function quantile(sorted: number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

/**
 * Returns how long a person waited for answers: half of the times, and 95 of a hundred, are at most this long. Calls
 * without sound have the model's times alone.
 */
export function latencyOf(waitedMs: number[], modelMs: number[]): { p50Ms: number | null; p95Ms: number | null } {
  const sorted = (waitedMs.length > 0 ? waitedMs : modelMs).toSorted((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
}
