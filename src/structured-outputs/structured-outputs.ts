import type { Executor } from "#src/db/database.ts";
import { anyObject, nullable, type Static, Timestamp, Type, Uuid } from "#src/http/schemas.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import { uuidv7 } from "#src/kernel/id.ts";
import { checkSchema } from "./schema-check.ts";
import { deleteOutput, findOutputs, listOutputs, lockOutput, saveOutput, type StructuredOutputRow } from "./store.ts";

/** A JSON schema that agents fill during a session (spec, "Other records"). */
export const StructuredOutput = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: nullable(Type.String()),
    schema: anyObject("JSON Schema 2020-12 of type object; each property is one field to fill."),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "StructuredOutput" },
);
export type StructuredOutput = Static<typeof StructuredOutput>;

/** What a caller sends. Server-owned fields are ignored. */
export const StructuredOutputInput = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
    schema: Type.Optional(anyObject("JSON Schema 2020-12 of type object.")),
  },
  { $id: "StructuredOutputInput" },
);
export type StructuredOutputInput = Static<typeof StructuredOutputInput>;

/** All outputs of a workspace. */
export async function getOutputs(db: Executor, workspaceId: string): Promise<StructuredOutput[]> {
  return (await listOutputs(db, workspaceId)).map(toOutput);
}

/** The outputs with these ids; 404 when one does not exist in the workspace. */
export async function getOutputsById(db: Executor, workspaceId: string, ids: string[]): Promise<StructuredOutput[]> {
  const found = await findOutputs(db, workspaceId, ids);
  const lost = ids.find((id) => !found.some((row) => row.id === id.toLowerCase()));
  if (lost !== undefined)
    throw new AppError("NOT_FOUND", `Structured output ${lost} does not exist in this workspace.`);
  return found.map(toOutput);
}

/** What is left of these outputs, for a session: one that was deleted meanwhile is not asked for. */
export async function getOutputDefinitions(
  db: Executor,
  workspaceId: string,
  ids: string[],
): Promise<{ name: string; description: string; schema: Record<string, unknown> }[]> {
  const found = await findOutputs(db, workspaceId, ids);
  return found.map((row) => ({
    name: row.name,
    description: row.definition.description ?? "",
    schema: row.definition.schema,
  }));
}

/** Makes an output; 422 with the path of each fault when the schema cannot be used. */
export async function createOutput(
  db: Executor,
  workspaceId: string,
  input: StructuredOutputInput,
): Promise<StructuredOutput> {
  if (input.name === undefined) throw fieldError("name", "REQUIRED", "is required.");
  if (input.schema === undefined) throw fieldError("schema", "REQUIRED", "is required.");
  assertSchema(input.schema, "schema");
  const definition = { description: input.description ?? null, schema: input.schema };
  return toOutput(await saveOutput(db, workspaceId, uuidv7(), input.name, definition));
}

/** Merges the fields that are sent into an existing output (design section 4, "Merge on PUT"). */
export async function changeOutput(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: StructuredOutputInput,
): Promise<StructuredOutput> {
  const row = await lockOutput(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  if (input.schema !== undefined) assertSchema(input.schema, "schema");
  const definition = {
    description: input.description === undefined ? row.definition.description : input.description,
    schema: input.schema ?? row.definition.schema,
  };
  return toOutput(await saveOutput(tx, workspaceId, id, input.name ?? row.name, definition));
}

/** Deletes an output for good; 404 when there is none. */
export async function removeOutput(db: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteOutput(db, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Throws 422 when a caller's schema cannot be used; `path` is where it stands in the body. */
export function assertSchema(schema: unknown, path: string): void {
  const faults = checkSchema(schema).map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join(".") }));
  if (faults.length > 0) {
    throw new AppError("VALIDATION_FAILED", `${faults[0]?.path}: ${faults[0]?.message}`, faults);
  }
}

function toOutput(row: StructuredOutputRow): StructuredOutput {
  return {
    id: row.id,
    name: row.name,
    description: row.definition.description,
    schema: row.definition.schema,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
