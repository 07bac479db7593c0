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
 * Returns the name of a field as words: `appointment_confirmed` and `appointmentConfirmed` as Appointment confirmed,
 * `visit.attending` as Visit, attending.
 */
export function humanizeField(field: string): string {
  const words = field
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)
    .replaceAll(/\s*\.\s*/g, ", ")
    .replaceAll(/[_\-\s]+/g, " ")
    .trim();
  return words === "" ? field : words.slice(0, 1).toUpperCase() + words.slice(1);
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
