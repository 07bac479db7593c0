/** Returns the percentile of values by nearest rank, so that it is one of them; 0 of none. `share` is above 0, at most 1. */
export function percentileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
}
