import type { Results } from "@parley/sdk";

/** True where neither a goal is asked for nor any flow says what counts as its success. */
export function hasNoCriterion({ goal, successConditions }: Results): boolean {
  return goal === null && successConditions.length === 0;
}

/** Returns the flows of the results, by apiId, that do not say what counts as their success; none where a goal is asked for. */
export function flowsWithoutCriterion({ goal, successConditions, versions }: Results): string[] {
  if (goal !== null) return [];
  const defined = new Set(successConditions.map(({ flowApiId }) => flowApiId));
  const flows = versions
    .filter(({ answeredByPerson }) => answeredByPerson > 0)
    .flatMap(({ flowApiId }) => flowApiId ?? []);
  return [...new Set(flows)].filter((flow) => !defined.has(flow));
}
