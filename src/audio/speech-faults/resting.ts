/** Ordered list of alternatives, in which those that failed a moment ago come last. */
export interface Resting<T> {
  order(): T[];
  rest(item: T): void;
}

/**
 * Creates a list that moves a failed item to the end for `restMs`: without it every turn would wait for the same dead
 * provider.
 */
export function createResting<T>(items: readonly T[], restMs: number): Resting<T> {
  const restsUntil = new Map<T, number>();
  return {
    order() {
      const now = performance.now();
      const isResting = (item: T) => (restsUntil.get(item) ?? 0) > now;
      return [...items.filter((item) => !isResting(item)), ...items.filter(isResting)];
    },
    rest: (item) => void restsUntil.set(item, performance.now() + restMs),
  };
}
