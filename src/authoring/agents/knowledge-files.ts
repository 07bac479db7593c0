import type { Executor } from "#src/platform/db/database.ts";
import { oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { openSpooled, type Spooled } from "#src/platform/http/upload.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { type FileRow, findPiece, insertFile, insertPiece } from "./file-sql.ts";
import { isTextType, SOURCE_TYPES, type SourceType } from "./indexing/extract.ts";
import { holdAgent } from "./store.ts";

/** Kind of the task that deletes an upload which no item has taken; its subject is the file. */
export const FILE_EXPIRY_TASK = "knowledge.file_expiry";
const UNUSED_MS = 24 * 60 * 60 * 1_000;
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_NAME_CHARS = 255;

/** An uploaded file. */
export const KnowledgeFile = Type.Object(
  {
    id: Uuid,
    agentId: Uuid,
    fileName: Type.String({ description: "The sender's name for it." }),
    mediaType: oneOf(SOURCE_TYPES),
    sizeBytes: Type.Integer(),
    sha256: Type.String({ description: "In hex." }),
    createdAt: Timestamp,
  },
  { $id: "KnowledgeFile" },
);
export type KnowledgeFile = Static<typeof KnowledgeFile>;

const BY_EXTENSION: ReadonlyMap<string, SourceType> = new Map([
  ["txt", "text/plain"],
  ["text", "text/plain"],
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["htm", "text/html"],
  ["html", "text/html"],
  ["csv", "text/csv"],
  ["json", "application/json"],
  ["pdf", "application/pdf"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
]);

/** First bytes of files of each binary type. The mark of a PDF may stand behind other bytes. */
const MARKS: Partial<Record<SourceType, { mark: string; withinBytes: number }>> = {
  "application/pdf": { mark: "%PDF-", withinBytes: 1_024 },
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": { mark: "PK\u0003\u0004", withinBytes: 4 },
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": { mark: "PK\u0003\u0004", withinBytes: 4 },
};

/** Refuses (422) a file of a type that is not taken, such as an image or an older office format, whatever its name. */
export async function assertKnownFile(spooled: Spooled): Promise<void> {
  const type = readFileType(spooled);
  if (spooled.bytes === 0) throw fieldError("file", "EMPTY", "is empty.");
  if (isTextType(type)) await assertText(spooled);
  else await assertMark(spooled, type);
}

async function assertText(spooled: Spooled): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const piece of openSpooled(spooled)) {
      if (piece.includes(0)) throw unsupportedFile();
      decoder.decode(piece, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? unsupportedFile() : error;
  }
}

async function assertMark(spooled: Spooled, type: SourceType): Promise<void> {
  const { mark = "", withinBytes = 0 } = MARKS[type] ?? {};
  for await (const piece of openSpooled(spooled)) {
    if (piece.subarray(0, Math.max(withinBytes, mark.length)).includes(mark, 0, "latin1")) return;
    break;
  }
  throw unsupportedFile();
}

/**
 * Returns the type by the file name's extension where that is known, since clients declare text in many ways; else by
 * the declared type.
 */
function readFileType({ fileName, mediaType }: Spooled): SourceType {
  const ending = /\.([a-z]{1,10})$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
  const declared = mediaType.split(";", 1)[0]?.trim().toLowerCase();
  const type = BY_EXTENSION.get(ending) ?? SOURCE_TYPES.find((known) => known === declared);
  if (type === undefined) throw unsupportedFile();
  return type;
}

function unsupportedFile(): AppError {
  const taken = "PDF, DOCX and XLSX, and in UTF-8 plain text, Markdown, HTML, CSV and JSON";
  return fieldError("file", "UNSUPPORTED_TYPE", `is of a type that is not taken; taken are ${taken}.`);
}

/** Stores a file in the database, from where any node can index it. An unused one is deleted after a day. */
export async function storeFile(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  spooled: Spooled,
): Promise<KnowledgeFile> {
  const mediaType = readFileType(spooled);
  if (!(await holdAgent(tx, workspaceId, agentId))) throw new AppError("NOT_FOUND");
  const id = uuidv7();
  const { bytes: sizeBytes, sha256 } = spooled;
  const row = await insertFile(tx, workspaceId, agentId, id, {
    fileName: showName(spooled.fileName),
    mediaType,
    sizeBytes,
    sha256,
  });
  let position = 0;
  for await (const piece of openSpooled(spooled)) await insertPiece(tx, workspaceId, id, position++, piece);
  const dueAt = new Date(nowMs() + UNUSED_MS);
  await addTask(tx, workspaceId, { kind: FILE_EXPIRY_TASK, subjectId: id, payload: {}, dueAt });
  return toFile(row);
}

/** All bytes of a file. */
export async function readFileBytes(db: Executor, workspaceId: string, fileId: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = await findPiece(db, workspaceId, fileId, pieces.length);
    if (!piece) return Buffer.concat(pieces);
    pieces.push(piece);
  }
}

function showName(fileName: string | null): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is dropped
  const shown = (fileName ?? "").replaceAll(/[\u0000-\u001f\u007f]/g, "").slice(0, MAX_NAME_CHARS);
  return shown.toWellFormed() || "file";
}

function toFile(row: FileRow): KnowledgeFile {
  return {
    id: row.id,
    agentId: row.agent_id,
    fileName: row.file_name,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    createdAt: row.created_at.toISOString(),
  };
}
