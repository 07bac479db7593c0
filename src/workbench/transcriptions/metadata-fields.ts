import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore } from "#src/platform/http/precondition.ts";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { findFields, listJobFields, lockFields, saveFields, type StoredField } from "./store.ts";

const TYPES = ["STRING", "NUMBER", "DATE", "BOOLEAN", "ENUM"] as const;

const common = {
  key: Type.String({
    pattern: "^[A-Za-z][A-Za-z0-9_.-]{0,99}$",
    description: "Name in metadata: a letter, then letters, digits, _ . or -; at most 100.",
  }),
  type: oneOf(TYPES, "DATE is YYYY-MM-DD; ENUM takes one of allowedValues."),
};

/** A metadata field as the API returns it. */
export const MetadataField = Type.Object(
  {
    ...common,
    label: Type.String({ description: "Name for people; also found as a spreadsheet's column." }),
    required: Type.Boolean({ description: "A recording without it is taken with a warning." }),
    allowedValues: nullable(Type.Array(Type.String())),
    description: nullable(Type.String()),
    jobId: nullable(Type.String({ description: "The job that alone has it; null for the workspace's own." })),
  },
  { $id: "MetadataField" },
);
export type MetadataField = Static<typeof MetadataField>;

/** A metadata field as a caller defines it. Server-owned members are ignored. */
export const MetadataFieldInput = Type.Object(
  {
    key: common.key,
    type: Type.Optional(oneOf(TYPES, "Default STRING.")),
    label: Type.Optional(nullable(Type.String({ maxLength: 200, description: "Default: the key." }))),
    required: Type.Optional(Type.Boolean()),
    allowedValues: Type.Optional(
      nullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 500 })),
    ),
    description: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  },
  { $id: "MetadataFieldInput" },
);
export type MetadataFieldInput = Static<typeof MetadataFieldInput>;

/** A list of fields as a caller defines it. */
export const MetadataFieldInputs = Type.Array(MetadataFieldInput, { maxItems: 200 });

/** Returns the metadata fields of a workspace: its own, and those of its open jobs, or of one job when named. */
export async function getFields(db: Executor, workspaceId: string, jobId?: string): Promise<MetadataField[]> {
  const own = await findFields(db, workspaceId);
  const jobs = await listJobFields(db, workspaceId, jobId ?? null);
  return [
    ...own.map((field) => ({ ...field, jobId: null })),
    ...jobs.flatMap((job) => job.fields.map((field) => ({ ...field, jobId: job.id }))),
  ];
}

/** Replaces the workspace's own fields. */
export async function setFields(
  tx: Executor,
  workspaceId: string,
  inputs: MetadataFieldInput[],
  before?: Record<string, unknown>,
): Promise<MetadataField[]> {
  assertBefore({ fields: await lockFields(tx, workspaceId) }, before);
  await saveFields(tx, workspaceId, toStoredFields(inputs, "fields"));
  return getFields(tx, workspaceId);
}

/** Fills in defaults. Throws a 422 with the place below `path` for members that contradict each other. */
export function toStoredFields(inputs: MetadataFieldInput[], path: string): StoredField[] {
  const seen = new Set<string>();
  return inputs.map((input, i): StoredField => {
    const { key, type = "STRING", required = false } = input;
    const at = `${path}.${i}`;
    if (seen.has(key)) throw fieldError(`${at}.key`, "DUPLICATE", `names ${key} twice.`);
    seen.add(key);
    const allowedValues = input.allowedValues ?? null;
    if (type === "ENUM" && allowedValues === null) {
      throw fieldError(`${at}.allowedValues`, "REQUIRED", "is required for the type ENUM.");
    }
    if (type !== "ENUM" && allowedValues !== null) {
      throw fieldError(`${at}.allowedValues`, "NOT_ALLOWED", "belongs to the type ENUM alone.");
    }
    return { key, label: input.label || key, type, required, allowedValues, description: input.description ?? null };
  });
}
