import type { Executor } from "#src/platform/db/database.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import { AppError, missing } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { listApiIds } from "./store.ts";

/** Most flows whose names are compared with a misspelt one. */
const MAX_COMPARED = 200;

/** Returns the 404 for a flow that a request names, with the nearest name that the workspace has. */
export async function missingFlow(tx: Executor, workspaceId: string, name: string): Promise<AppError> {
  const plain = missing(`Flow ${name}`);
  if (isUuid(name)) return plain;
  const hint = askNearest(name, await listApiIds(tx, workspaceId, MAX_COMPARED));
  return new AppError("NOT_FOUND", plain.message + hint);
}
