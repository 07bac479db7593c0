import type { Results } from "@parley/sdk";

/** Returns the dials of all hours, retries as well. Calls that came in have none. */
export function sumDials({ hours }: Pick<Results, "hours">): number {
  return hours.reduce((sum, hour) => sum + hour.dials, 0);
}

/** Returns the calls in which a field could be filled: those a person answered, or null where flows are mixed. */
export function countAsked({ versions, funnel }: Pick<Results, "versions" | "funnel">): number | null {
  const flows = new Set(versions.map(({ flowApiId }) => flowApiId));
  return flows.size === 1 ? funnel.answeredByPerson : null;
}
