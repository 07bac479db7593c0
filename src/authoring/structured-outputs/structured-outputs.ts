import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { anyObject, nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { findTemplateFault } from "#src/platform/template/template.ts";
import { checkSchema } from "./schema-check.ts";
import {
  deleteOutput,
  findOutputs,
  listOutputs,
  lockOutput,
  type OutputContent,
  saveOutput,
  type StructuredOutputRow,
} from "./store.ts";

const CONDITION =
  "Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false.";
const FILL_DURING = "Filled after each thing the person says, not only at the end.";

/** A JSON schema that agents fill during a session. */
export const StructuredOutput = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: nullable(Type.String()),
    schema: anyObject("JSON Schema 2020-12 of type object; each property is one field to fill."),
    condition: nullable(Type.String({ description: CONDITION })),
    fillDuring: nullable(Type.Boolean({ description: FILL_DURING })),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "StructuredOutput" },
);
export type StructuredOutput = Static<typeof StructuredOutput>;

/** Request body of an output's creation or change. Server-owned fields are ignored. */
export const StructuredOutputInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
    schema: anyObject("JSON Schema 2020-12 of type object."),
    condition: Type.Optional(nullable(Type.String({ maxLength: 2_000, description: CONDITION }))),
    fillDuring: Type.Optional(nullable(Type.Boolean({ description: `${FILL_DURING} Default false.` }))),
  },
  { $id: "StructuredOutputInput" },
);
export type StructuredOutputInput = Static<typeof StructuredOutputInput>;

/** Request body of an output's change: the fields that change. */
export const StructuredOutputChange = Type.Partial(StructuredOutputInput, { $id: "StructuredOutputChange" });
export type StructuredOutputChange = Static<typeof StructuredOutputChange>;

/** All outputs of a workspace. */
export async function getOutputs(db: Executor, workspaceId: string): Promise<StructuredOutput[]> {
  return (await listOutputs(db, workspaceId)).map(toOutput);
}

/** Returns those of these outputs that exist. */
export async function findOutputsById(db: Executor, workspaceId: string, ids: string[]): Promise<StructuredOutput[]> {
  return ids.length === 0 ? [] : (await findOutputs(db, workspaceId, ids)).map(toOutput);
}

/** The outputs with these ids; 404 when one does not exist in the workspace. */
export async function getOutputsById(db: Executor, workspaceId: string, ids: string[]): Promise<StructuredOutput[]> {
  const found = await findOutputs(db, workspaceId, ids);
  const lost = ids.find((id) => !found.some((row) => row.id === id.toLowerCase()));
  if (lost !== undefined)
    throw new AppError("NOT_FOUND", `Structured output ${lost} does not exist in this workspace.`);
  return found.map(toOutput);
}

/** An output in the form that a session uses. */
export interface OutputToFill {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  /** Liquid template; null: always filled. */
  condition: string | null;
  fillDuring: boolean;
}

/** Returns those of these outputs that still exist, for a session; deleted ones are skipped. */
export async function getOutputDefinitions(db: Executor, workspaceId: string, ids: string[]): Promise<OutputToFill[]> {
  const found = await findOutputs(db, workspaceId, ids);
  return found.map((row) => ({
    name: row.name,
    description: row.definition.description ?? "",
    schema: row.definition.schema,
    condition: row.definition.condition ?? null,
    fillDuring: row.definition.fillDuring ?? false,
  }));
}

/** Makes an output; 422 with the path in the body of each fault when it cannot be used. */
export async function createOutput(
  db: Executor,
  workspaceId: string,
  input: StructuredOutputInput,
  path = "",
): Promise<StructuredOutput> {
  const at = (name: string) => [path, name].filter(Boolean).join(".");
  assertSchema(input.schema, at("schema"));
  assertCondition(input.condition, at("condition"));
  const { description = null, schema, condition = null, fillDuring = null } = input;
  const definition: OutputContent = { description, schema, condition, fillDuring };
  return toOutput(await saveOutput(db, workspaceId, uuidv7(), input.name, definition));
}

/** Merges the fields that are sent into an existing output. */
export async function changeOutput(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: StructuredOutputChange,
  ifUpdatedAt?: string,
): Promise<StructuredOutput> {
  const row = await lockOutput(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  if (input.schema !== undefined) assertSchema(input.schema, "schema");
  assertCondition(input.condition, "condition");
  const { description, schema, condition, fillDuring } = row.definition;
  const definition: OutputContent = {
    description: input.description === undefined ? description : input.description,
    schema: input.schema ?? schema,
    condition: input.condition === undefined ? (condition ?? null) : input.condition,
    fillDuring: input.fillDuring === undefined ? (fillDuring ?? null) : input.fillDuring,
  };
  return toOutput(await saveOutput(tx, workspaceId, id, input.name ?? row.name, definition));
}

/** Deletes an output for good; 404 when there is none. */
export async function removeOutput(db: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteOutput(db, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Throws 422 when a caller's schema cannot be used; `path` is its place in the body. */
export function assertSchema(schema: unknown, path: string): void {
  const faults = checkSchema(schema).map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join(".") }));
  if (faults.length > 0) {
    throw new AppError("VALIDATION_FAILED", `${faults[0]?.path}: ${faults[0]?.message}`, faults);
  }
}

/** Throws 422 when the condition of an output cannot be parsed; `path` is its place in the body. */
export function assertCondition(condition: string | null | undefined, path: string): void {
  const fault = condition ? findTemplateFault(condition) : null;
  if (fault !== null) throw fieldError(path, "TEMPLATE", `cannot be parsed: ${fault}`);
}

function toOutput(row: StructuredOutputRow): StructuredOutput {
  return {
    id: row.id,
    name: row.name,
    description: row.definition.description,
    schema: row.definition.schema,
    condition: row.definition.condition ?? null,
    fillDuring: row.definition.fillDuring ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
