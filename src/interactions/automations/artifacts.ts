import type { Executor } from "#src/platform/db/database.ts";
import { RawJson } from "#src/platform/http/json.ts";
import { anyObject, anyValue, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type ArtifactRow, ARTIFACT_TYPES, findArtifact, findArtifactChunk } from "./artifact-sql.ts";

/** Largest content in a reply. Anything larger is only downloaded, so that a reply stays small enough to hold. */
const INLINE_BYTES = 1024 * 1024;

const fields = {
  id: Uuid,
  automationId: Uuid,
  runId: Uuid,
  type: oneOf(ARTIFACT_TYPES),
  name: Type.String({ description: "File name." }),
  title: Type.String(),
  mimeType: Type.String(),
  sizeBytes: Type.Integer(),
  downloadUrl: Type.String({ description: "The bytes; takes the same credential as this request." }),
  metadata: anyObject("What it is about, such as callJobId, or from and until."),
  createdAt: Timestamp,
};

/** An artifact in a list: everything but its content. */
export const ArtifactSummary = Type.Object(fields, { $id: "ArtifactSummary" });
export type ArtifactSummary = Static<typeof ArtifactSummary>;

/** An artifact with its content. */
export const Artifact = Type.Object(
  {
    ...fields,
    content: anyValue("The value for type JSON, otherwise the text; null when larger than 1 MiB (see downloadUrl)."),
  },
  { $id: "Artifact" },
);

/** The artifact as lists show it. */
export function toArtifactSummary(row: ArtifactRow, publicUrl: string): ArtifactSummary {
  return {
    id: row.id,
    automationId: row.automation_id,
    runId: row.run_id,
    type: row.type,
    name: row.name,
    title: row.title,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    downloadUrl: `${publicUrl}/api/external/v1/artifacts/${row.id}/content`,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
  };
}

/** One artifact with its content; 404 when there is none. */
export async function getArtifact(db: Executor, workspaceId: string, id: string, publicUrl: string) {
  const row = await findArtifact(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  const summary = toArtifactSummary(row, publicUrl);
  if (row.size_bytes > INLINE_BYTES) return { ...summary, content: null };
  const parts: Buffer[] = [];
  for await (const part of readContent(db, workspaceId, row)) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  return { ...summary, content: row.type === "JSON" ? new RawJson(text) : text };
}

/** The bytes of an artifact, piece by piece. */
export async function* readContent(db: Executor, workspaceId: string, row: ArtifactRow): AsyncGenerator<Buffer> {
  let read = 0;
  for (let position = 0; read < row.size_bytes; position++) {
    const data = await findArtifactChunk(db, workspaceId, row.id, position);
    if (!data) throw new AppError("NOT_FOUND", "The artifact was deleted meanwhile.");
    read += data.length;
    yield data;
  }
}
