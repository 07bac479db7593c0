import type { Executor } from "#src/platform/db/database.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import { AppError, missing } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { listApiIds } from "./store.ts";

/** Most flows whose names are compared with a misspelt one. */
const MAX_COMPARED = 200;

/** Most names that the answer lists when none is near. */
const MAX_LISTED = 5;

/** Returns the 404 for a flow that a request names: with the nearest name that the workspace has, else its newest ones. */
export async function missingFlow(tx: Executor, workspaceId: string, name: string): Promise<AppError> {
  const plain = missing(`Flow ${name}`);
  if (isUuid(name)) return plain;
  const names = await listApiIds(tx, workspaceId, MAX_COMPARED);
  return new AppError("NOT_FOUND", plain.message + (askNearest(name, names) || listOf(names)));
}

function listOf(names: string[]): string {
  if (names.length === 0) return " It has no flow yet.";
  const others = names.length > MAX_LISTED ? " and others" : "";
  return ` It has ${names.slice(0, MAX_LISTED).join(", ")}${others}.`;
}
