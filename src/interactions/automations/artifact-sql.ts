import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

export const ARTIFACT_TYPES = ["TEXT", "JSON", "FILE", "HTML", "TABLE"] as const;

export interface ArtifactRow {
  id: string;
  automation_id: string;
  run_id: string;
  type: (typeof ARTIFACT_TYPES)[number];
  name: string;
  title: string;
  mime_type: string;
  size_bytes: number;
  metadata: Record<string, unknown>;
  created_at: Date;
}

/** Stores an artifact. Its pieces must already be stored. */
export async function insertArtifact(
  tx: Executor,
  workspaceId: string,
  artifact: Omit<ArtifactRow, "created_at">,
): Promise<void> {
  await all(
    tx,
    sql`insert into artifacts (workspace_id, id, automation_id, run_id, type, name, title, mime_type, size_bytes, metadata)
        values (${workspaceId}, ${artifact.id}, ${artifact.automation_id}, ${artifact.run_id}, ${artifact.type},
          ${artifact.name}, ${artifact.title}, ${artifact.mime_type}, ${artifact.size_bytes},
          ${JSON.stringify(artifact.metadata)})`,
  );
}

/** Stores a piece of an artifact. */
export async function insertArtifactChunk(
  tx: Executor,
  workspaceId: string,
  artifactId: string,
  position: number,
  data: Buffer,
): Promise<void> {
  await all(
    tx,
    sql`insert into artifact_chunks (workspace_id, artifact_id, position, data)
        values (${workspaceId}, ${artifactId}, ${position}, ${data})`,
  );
}

/** Reads a piece of an artifact. */
export async function findArtifactChunk(
  tx: Executor,
  workspaceId: string,
  artifactId: string,
  position: number,
): Promise<Buffer | undefined> {
  const row = await first<{ data: Buffer }>(
    tx,
    sql`select data from artifact_chunks
        where workspace_id = ${workspaceId} and artifact_id = ${artifactId} and position = ${position}`,
  );
  return row?.data;
}

/** One artifact. */
export function findArtifact(tx: Executor, workspaceId: string, id: string): Promise<ArtifactRow | undefined> {
  return first(tx, sql`select * from artifacts where workspace_id = ${workspaceId} and id = ${id}`);
}

/** A page of an automation's artifacts, newest first, with one more than asked for. */
export function listArtifacts(
  tx: Executor,
  workspaceId: string,
  automationId: string,
  page: PageRequest,
): Promise<ArtifactRow[]> {
  return all(
    tx,
    sql`select * from artifacts where workspace_id = ${workspaceId} and automation_id = ${automationId}
          and ${isBefore(page)} order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of artifacts that an automation has. */
export function countArtifacts(tx: Executor, workspaceId: string, automationId: string): Promise<number> {
  return countOf(tx, sql`artifacts where workspace_id = ${workspaceId} and automation_id = ${automationId}`);
}
