import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { SourceType } from "./indexing/extract.ts";

export interface FileRow {
  id: string;
  agent_id: string;
  file_name: string;
  media_type: SourceType;
  size_bytes: number;
  sha256: string;
  created_at: Date;
}

/** Columns of a stored file besides its bytes. */
export interface FileFields {
  fileName: string;
  mediaType: SourceType;
  sizeBytes: number;
  sha256: string;
}

/** Stores the row of a file; its pieces follow. */
export async function insertFile(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
  { fileName, mediaType, sizeBytes, sha256 }: FileFields,
): Promise<FileRow> {
  const rows = await all<FileRow>(
    tx,
    sql`insert into knowledge_files (workspace_id, agent_id, id, file_name, media_type, size_bytes, sha256)
        values (${workspaceId}, ${agentId}, ${id}, ${fileName}, ${mediaType}, ${sizeBytes}, ${sha256}) returning *`,
  );
  return rows[0] as FileRow;
}

/** Stores one piece of a file. */
export async function insertPiece(
  tx: Executor,
  workspaceId: string,
  fileId: string,
  position: number,
  data: Buffer,
): Promise<void> {
  await all(
    tx,
    sql`insert into knowledge_file_pieces (workspace_id, file_id, position, data)
        values (${workspaceId}, ${fileId}, ${position}, ${data})`,
  );
}

/** One file. */
export function findFile(db: Executor, workspaceId: string, id: string): Promise<FileRow | undefined> {
  return first(db, sql`select * from knowledge_files where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Returns a file of an agent and locks it against deletion until this transaction ends. */
export function holdFile(tx: Executor, workspaceId: string, agentId: string, id: string): Promise<FileRow | undefined> {
  return first(
    tx,
    sql`select * from knowledge_files where workspace_id = ${workspaceId} and agent_id = ${agentId} and id = ${id}
        for key share`,
  );
}

/** One piece of a file. */
export async function findPiece(
  db: Executor,
  workspaceId: string,
  fileId: string,
  position: number,
): Promise<Buffer | undefined> {
  const row = await first<{ data: Buffer }>(
    db,
    sql`select data from knowledge_file_pieces
        where workspace_id = ${workspaceId} and file_id = ${fileId} and position = ${position}`,
  );
  return row?.data;
}

/** Deletes a file that no item names. */
export async function deleteUnusedFile(tx: Executor, workspaceId: string, id: string): Promise<void> {
  // Locks first, so that the next statement finds an item that was just given the file.
  await all(tx, sql`select id from knowledge_files where workspace_id = ${workspaceId} and id = ${id} for update`);
  await all(
    tx,
    sql`with gone as (
          delete from knowledge_files f where f.workspace_id = ${workspaceId} and f.id = ${id}
            and not exists (select from knowledge_items i where i.workspace_id = ${workspaceId} and i.file_id = ${id})
          returning f.id
        )
        delete from knowledge_file_pieces p using gone where p.workspace_id = ${workspaceId} and p.file_id = gone.id`,
  );
}
