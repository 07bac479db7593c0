import type { OutputDefinition } from "#src/engine/models/models.ts";
import type { Dialogue } from "./dialogue.ts";
import { fieldsOf } from "./fields.ts";

/**
 * Returns the value of one output: the answers, the constants, and null for an unanswered field where the schema allows
 * it. Fields that `faults` name are left out, for the one repair.
 */
export function fillOutput(dialogue: Dialogue, output: OutputDefinition, faults: string[]): Record<string, unknown> {
  const { fields, constants } = fieldsOf(output);
  const answered = new Map(
    [...dialogue.answers].filter(([item]) => item.output === output.name).map(([item, answer]) => [item.field, answer]),
  );
  const value: Record<string, unknown> = {};
  for (const field of fields) {
    const isFaulty = faults.some((fault) => fault.startsWith(`${field.path.join(".")} `));
    if (answered.has(field) && !isFaulty) place(value, field.path, answered.get(field));
    else if (field.isNullable) place(value, field.path, null);
  }
  if (answered.size > 0) for (const { path, value: constant } of constants) place(value, path, constant);
  return value;
}

/** Returns the value of one output from what the stages of the dialogue recorded. */
export function fillRecorded(output: OutputDefinition, recorded: Record<string, unknown>): Record<string, unknown> {
  const { fields, constants } = fieldsOf(output);
  const value: Record<string, unknown> = {};
  for (const { path, isNullable } of fields) {
    const [name = ""] = path;
    if (Object.hasOwn(recorded, name)) value[name] = structuredClone(recorded[name]);
    else if (isNullable) place(value, path, null);
  }
  const isSome = fields.some(({ path }) => Object.hasOwn(recorded, path[0] ?? ""));
  if (isSome) for (const { path, value: constant } of constants) place(value, path, constant);
  return value;
}

/** Puts a value at a path of an object. */
export function place(root: Record<string, unknown>, path: string[], value: unknown): void {
  let at = root;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name)) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
}
