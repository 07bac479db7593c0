import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { addBuiltInStores } from "./data-stores.ts";
import { assertSameKey, Key, LONGEST_KEY } from "./key.ts";
import { hasRecords } from "./record-sql.ts";
import {
  type ApplicationRow,
  closeApplication,
  deleteApplication,
  findApplication,
  insertApplication,
  lockApplication,
  updateApplication,
} from "./store.ts";

/** A business application of the workspace: it owns customers and data stores. */
export const Application = Type.Object(
  {
    id: Uuid,
    key: Type.String({ description: "Unique in the workspace; fixed." }),
    name: Type.String(),
    description: nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Application" },
);
export type Application = Static<typeof Application>;

/** Request body of an application's creation or change. Server-owned fields are ignored. */
export const ApplicationInput = Type.Object(
  {
    key: Type.Optional(Key),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  },
  { $id: "ApplicationInput" },
);
export type ApplicationInput = Static<typeof ApplicationInput>;

/** Request body of an application's change: the fields that change. */
export const ApplicationChange = Type.Partial(ApplicationInput, { $id: "ApplicationChange" });
export type ApplicationChange = Static<typeof ApplicationChange>;

/** Makes an application with its built-in stores. The default key is derived from its name. */
export async function createApplication(
  tx: Executor,
  workspaceId: string,
  input: ApplicationInput,
): Promise<Application> {
  const { name, description = null } = input;
  const key = input.key ?? keyFrom(name);
  const row = await insertApplication(tx, workspaceId, uuidv7(), { key, name, description });
  if (!row) throw new AppError("CONFLICT", `key ${key} is taken by another application.`);
  await addBuiltInStores(tx, workspaceId, row.id);
  return toApplication(row);
}

/** One application; 404 when there is none. */
export async function getApplication(db: Executor, workspaceId: string, id: string): Promise<Application> {
  const row = await findApplication(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toApplication(row);
}

/** True for an application of the workspace. */
export async function hasApplication(db: Executor, workspaceId: string, id: string): Promise<boolean> {
  return (await findApplication(db, workspaceId, id)) !== undefined;
}

/** Merges the fields that are sent into an existing application; its key stays. */
export async function changeApplication(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: ApplicationChange,
  ifUpdatedAt?: string,
): Promise<Application> {
  const row = await lockApplication(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  assertSameKey(row.key, input.key);
  const changed = {
    name: input.name ?? row.name,
    description: input.description === undefined ? row.description : input.description,
  };
  return toApplication(await updateApplication(tx, workspaceId, id, changed));
}

/** Deletes an application for good with its customers and stores; 404 when there is none, 409 while it has records. */
export async function removeApplication(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await closeApplication(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  if (await hasRecords(tx, workspaceId, id)) {
    throw new AppError("CONFLICT", "The application still has records. Delete them, or their stores, first.");
  }
  await deleteApplication(tx, workspaceId, id);
}

/** The application as the API shows it. */
export function toApplication(row: ApplicationRow): Application {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function keyFrom(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const slug = words.replace(/^[-0-9]+/, "").replace(/-+$/, "") || "application";
  const ending = `-${randomText(6).toLowerCase()}`;
  return `${slug.slice(0, LONGEST_KEY - ending.length)}${ending}`;
}
