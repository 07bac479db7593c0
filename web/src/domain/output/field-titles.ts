import type { StructuredOutput } from "@parley/sdk";

/** Returns the titles of the schemas' properties, without those that two schemas call differently. */
export function titlesOf(outputs: Pick<StructuredOutput, "schema">[]): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { schema } of outputs) {
    for (const [field, property] of Object.entries((schema.properties ?? {}) as Record<string, { title?: unknown }>)) {
      if (typeof property.title !== "string" || property.title === "") continue;
      found.set(field, (found.get(field) ?? new Set()).add(property.title));
    }
  }
  return new Map([...found].flatMap(([field, titles]) => (titles.size === 1 ? [[field, [...titles].join("")]] : [])));
}

/**
 * Returns the output of this name that a flow fills. Names are not unique in a workspace, so the flow's own comes first.
 */
export function findOutput<O extends Pick<StructuredOutput, "id" | "name">>(
  outputs: O[],
  name: string,
  ofFlow: readonly string[] = [],
): O | undefined {
  const named = outputs.filter((output) => output.name === name);
  return named.find(({ id }) => ofFlow.includes(id)) ?? named[0];
}
