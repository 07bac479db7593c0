import { type Editor, editorName } from "#src/authoring/flows/editor.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countAll } from "#src/platform/db/paged-lists.ts";
import type { ResultsQuery } from "./filters.ts";

type Card = "FUNNEL" | "OUTCOMES" | "HOURS" | "FIELDS" | "VERSIONS" | "NUMBERS" | "TOOLS";

/** A stored board. */
export interface BoardRow {
  id: string;
  name: string;
  filters: ResultsQuery;
  cards: Card[];
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
}

interface BoardContent {
  name: string;
  filters: ResultsQuery;
  cards: Card[];
}

/** Lists the boards of a workspace, which are few. */
export function listBoards(db: Executor, workspaceId: string): Promise<BoardRow[]> {
  return all(db, sql`select * from result_boards where workspace_id = ${workspaceId} order by lower(name), id`);
}

/** Counts the boards of a workspace. */
export function countBoards(db: Executor, workspaceId: string): Promise<number> {
  return countAll(db, sql`result_boards where workspace_id = ${workspaceId}`);
}

/** Stores a board; undefined when another one has the name. */
export function insertBoard(
  tx: Executor,
  workspaceId: string,
  { id, name, filters, cards, editor }: BoardContent & { id: string; editor: Editor },
): Promise<BoardRow | undefined> {
  return first(
    tx,
    sql`insert into result_boards (workspace_id, id, name, filters, cards, created_by)
        values (${workspaceId}, ${id}, ${name}, ${JSON.stringify(filters)}, ${cards}::text[], ${editorName(workspaceId, editor)})
        on conflict (workspace_id, name) do nothing returning *`,
  );
}

/** One board, locked for the change that follows. */
export function lockBoard(tx: Executor, workspaceId: string, id: string): Promise<BoardRow | undefined> {
  return first(tx, sql`select * from result_boards where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Changes a board; undefined when another one has the name. */
export function updateBoard(
  tx: Executor,
  workspaceId: string,
  id: string,
  { name, filters, cards }: BoardContent,
): Promise<BoardRow | undefined> {
  return first(
    tx,
    sql`update result_boards b set name = ${name}, filters = ${JSON.stringify(filters)}, cards = ${cards}::text[],
               updated_at = now()
         where workspace_id = ${workspaceId} and id = ${id} and not exists (
           select 1 from result_boards o where o.workspace_id = b.workspace_id and o.name = ${name} and o.id <> b.id)
        returning *`,
  );
}

/** Deletes a board; false when there is none. */
export async function deleteBoard(db: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    db,
    sql`delete from result_boards where workspace_id = ${workspaceId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}
