import type { Flow } from "@parley/sdk";

/** Name of a flow; its apiId when the name was cleared. */
export function nameOfFlow({ name, apiId }: Pick<Flow, "name" | "apiId">): string {
  return name ?? apiId;
}

/**
 * Returns the name of the flow with this apiId: with the apiId where several flows have that name, and the apiId alone
 * where the flow is not known.
 */
export function nameAmong(flows: Pick<Flow, "name" | "apiId">[], apiId: string): string {
  const flow = flows.find((one) => one.apiId === apiId);
  if (!flow) return apiId;
  const name = nameOfFlow(flow);
  const isShared = flows.some((one) => one.apiId !== apiId && nameOfFlow(one) === name);
  return isShared ? `${name} (${apiId})` : name;
}
