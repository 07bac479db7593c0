import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

export interface ApplicationRow {
  id: string;
  key: string;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Stores a new application; undefined when its key is taken. */
export function insertApplication(
  tx: Executor,
  workspaceId: string,
  id: string,
  { key, name, description }: Pick<ApplicationRow, "key" | "name" | "description">,
): Promise<ApplicationRow | undefined> {
  return first(
    tx,
    sql`insert into applications (workspace_id, id, key, name, description)
        values (${workspaceId}, ${id}, ${key}, ${name}, ${description})
        on conflict (workspace_id, key) do nothing returning *`,
  );
}

/** One application. */
export function findApplication(db: Executor, workspaceId: string, id: string): Promise<ApplicationRow | undefined> {
  return first(db, sql`select * from applications where workspace_id = ${workspaceId} and id = ${id}`);
}

/**
 * One application, locked for a change of itself or for deleting something in it. Records may still be written
 * meanwhile.
 */
export function lockApplication(tx: Executor, workspaceId: string, id: string): Promise<ApplicationRow | undefined> {
  return first(
    tx,
    sql`select * from applications where workspace_id = ${workspaceId} and id = ${id} for no key update`,
  );
}

/** Locks an application against deletion until this transaction ends; false when there is none. */
export async function holdApplication(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const row = await first(
    tx,
    sql`select id from applications where workspace_id = ${workspaceId} and id = ${id} for key share`,
  );
  return row !== undefined;
}

/** Writes a changed application. */
export async function updateApplication(
  tx: Executor,
  workspaceId: string,
  id: string,
  { name, description }: Pick<ApplicationRow, "name" | "description">,
): Promise<ApplicationRow> {
  const rows = await all<ApplicationRow>(
    tx,
    sql`update applications set name = ${name}, description = ${description}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} returning *`,
  );
  return rows[0] as ApplicationRow;
}

/** Locks an application so that nothing can be added to it before this transaction ends; false when there is none. */
export async function closeApplication(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const row = await first(
    tx,
    sql`select id from applications where workspace_id = ${workspaceId} and id = ${id} for update`,
  );
  return row !== undefined;
}

/** Deletes an application with all that it holds. */
export async function deleteApplication(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(tx, sql`delete from applications where workspace_id = ${workspaceId} and id = ${id}`);
}

/** A page of applications, oldest first, with one row more than asked for. */
export function listApplications(db: Executor, workspaceId: string, page: PageRequest): Promise<ApplicationRow[]> {
  return all(
    db,
    sql`select * from applications where workspace_id = ${workspaceId} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the applications of a workspace. */
export function countApplications(db: Executor, workspaceId: string): Promise<number> {
  return countOf(db, sql`applications where workspace_id = ${workspaceId}`);
}
