import { all, type Database, type Executor, sql } from "#src/platform/db/database.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";

/** Task that deletes what is left of deleted items and files. */
export const CLEAR_TASK = "knowledge.clear";

/** Ids of deleted items and files. */
interface Gone {
  items: string[];
  files: string[];
}

/** Progress of a deletion: what it deletes, and the place in the list of their owners where it goes on. */
interface Progress {
  what: "PASSAGES" | "PIECES";
  place: number;
}

/** Rows that one statement deletes: passages, each with its vector, and pieces of files, of which each has many pages. */
const PARTS = {
  PASSAGES: { table: "knowledge_chunks", owner: "item_id", bite: 2_000 },
  PIECES: { table: "knowledge_file_pieces", owner: "file_id", bite: 200 },
} as const;

/**
 * Deletes the passages of items and the bytes of files that the caller's transaction deletes: the first ones with it, and
 * the others, of which a large knowledge base has very many, by a task. Nothing finds them without their item or file.
 */
export async function clearKnowledge(tx: Executor, workspaceId: string, subjectId: string, gone: Gone): Promise<void> {
  const passages = await deleteSome(tx, workspaceId, gone.items, { what: "PASSAGES", place: 0 });
  const pieces = await deleteSome(tx, workspaceId, gone.files, { what: "PIECES", place: 0 });
  if (passages === null && pieces === null) return;
  await addTask(tx, workspaceId, { kind: CLEAR_TASK, subjectId, payload: { ...gone } });
}

/** Returns the task. One that begins anew passes over what is gone. */
export function createClearTask({ db }: Database): TaskHandler {
  const run: TaskHandler = ({ workspaceId, payload }, signal) => {
    const { items, files } = payload as unknown as Gone;
    const takeBite = async (progress: Progress): Promise<Progress | null> => {
      const { what } = progress;
      const place = await deleteSome(db, workspaceId, what === "PASSAGES" ? items : files, progress);
      if (place !== null) return { what, place };
      return what === "PASSAGES" ? { what: "PIECES", place: 0 } : null;
    };
    return inBites<Progress>({ what: "PASSAGES", place: 0 }, takeBite, signal);
  };
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
}

/** Deletes the next parts of owners; returns the place of the owner where the deletion goes on, null when none are left. */
async function deleteSome(
  tx: Executor,
  workspaceId: string,
  owners: string[],
  { what, place }: Progress,
): Promise<number | null> {
  if (place >= owners.length) return null;
  const { table, owner, bite } = PARTS[what];
  const [from, of] = [sql.raw(table), sql.raw(owner)];
  const gone = await all<{ owner: string }>(
    tx,
    sql`delete from ${from} where ctid = any (array(
          select p.part from unnest(${owners.slice(place)}::uuid[]) as o (id) cross join lateral (
            select ctid as part from ${from} where workspace_id = ${workspaceId} and ${of} = o.id limit ${bite}) p
           limit ${bite}))
        returning ${of} as owner`,
  );
  if (gone.length < bite) return null;
  const last = new Set(gone.map((row) => row.owner));
  return owners.findLastIndex((id) => last.has(id));
}
