import type { Executor } from "#src/platform/db/database.ts";
import { type Applied, changedFields } from "#src/platform/http/applied.ts";
import { assertVersion, ifVersionBody } from "#src/platform/http/precondition.ts";
import { type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { underPath } from "#src/platform/kernel/fault-path.ts";
import { lockOutput } from "./store.ts";
import { changeOutput, createOutput, StructuredOutputInput } from "./structured-outputs.ts";

/** An output as a file has it: fields that are left out are cleared. */
export const OutputToApply = Type.Object(
  {
    id: { ...Uuid, description: "Names it within the document." },
    ...StructuredOutputInput.properties,
    ...ifVersionBody,
  },
  { $id: "StructuredOutputToApply" },
);
type OutputToApply = Static<typeof OutputToApply>;

/**
 * Makes each output equal to its file: one whose id the workspace has is changed, and another made, with a new id. 409
 * when an output has another version than the caller read.
 */
export async function applyOutputs(tx: Executor, workspaceId: string, outputs: OutputToApply[]): Promise<Applied[]> {
  const items = outputs.map((output, i) => ({ output, i, from: output.id.toLowerCase() }));
  const applied: Applied[] = [];
  // In the order of their ids, so that two callers do not wait for each other.
  for (const [at, { output, i, from }] of items.toSorted((a, b) => (a.from < b.from ? -1 : 1)).entries()) {
    const path = `structuredOutputs.${i}`;
    if (applied[at - 1]?.from === from) throw fieldError(`${path}.id`, "DUPLICATE", "is there twice.");
    applied.push(await underPath(path, () => applyOutput(tx, workspaceId, from, output)));
  }
  return items.map(({ from }) => applied.find((one) => one.from === from) as Applied);
}

async function applyOutput(tx: Executor, workspaceId: string, from: string, output: OutputToApply): Promise<Applied> {
  const { name, description = null, schema, condition = null, fillDuring = null } = output;
  const fields = { name, description, schema, condition, fillDuring };
  const row = await lockOutput(tx, workspaceId, from);
  assertVersion("The structured output", row?.version ?? 0, output.ifVersion);
  if (!row) {
    const { id, version } = await createOutput(tx, workspaceId, fields);
    return { from, id, name, action: "CREATED", fields: changedFields({}, fields), version };
  }
  const named = { from, id: row.id, name, fields: changedFields({ name: row.name, ...row.definition }, fields) };
  if (named.fields.length === 0) return { ...named, action: "UNCHANGED", version: row.version };
  const { version } = await changeOutput(tx, workspaceId, row.id, fields);
  return { ...named, action: "CHANGED", version };
}
