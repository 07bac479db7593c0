import { hasEmbedder } from "#src/authoring/language-models/embeddings.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { checkUrlField, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { deleteUnusedFile, holdFile } from "./file-sql.ts";
import { retitleChunks } from "./index-sql.ts";
import { deleteItem, findItem, insertItem, type ItemFields, type ItemRow, lockItem, updateItem } from "./item-sql.ts";
import { searchConfigOf } from "./search-config.ts";
import { holdAgent } from "./store.ts";
import { deleteVectors } from "./vector-sql.ts";

/** Kind of the task that indexes an item; its subject is the item. */
export const INDEX_TASK = "knowledge.index";

/** Kind of the task that embeds the passages of an item that have no vector; its subject is the item. */
export const EMBED_TASK = "knowledge.embed";

const TYPES = ["TEXT", "URL", "FILE"] as const;
const MAX_METADATA_BYTES = 64 * 1024;
/** Largest request body, with room for the longest content in characters of four bytes. */
export const MAX_ITEM_BODY_BYTES = 4 * 1024 * 1024;

const itemFields = {
  title: Type.String({ minLength: 1, maxLength: 500 }),
  type: oneOf(TYPES, "TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file."),
  content: nullable(Type.String({ maxLength: 500_000, description: "The text of a TEXT item." })),
  url: nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "http(s) address of a URL item." })),
  fileId: nullable(Uuid),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 }),
  metadata: nullable(anyObject("Kept as sent; at most 64 KiB of JSON.")),
  language: nullable(
    Type.String({
      pattern: "^[a-zA-Z]{2,3}(-[A-Za-z0-9]{1,8}){0,5}$",
      maxLength: 50,
      description: "BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are.",
    }),
  ),
  enabled: Type.Boolean({ description: "False hides the item from searches. Default true." }),
  refreshIntervalHours: nullable(
    Type.Integer({ minimum: 1, maximum: 8_760, description: "How often a URL is read again; null: never." }),
  ),
};

/** Body of an item's creation or change. Server-owned fields are ignored. */
export const ItemRequest = Type.Object(
  {
    title: Type.Optional(itemFields.title),
    type: Type.Optional(itemFields.type),
    content: Type.Optional(itemFields.content),
    url: Type.Optional(itemFields.url),
    fileId: Type.Optional(itemFields.fileId),
    tags: Type.Optional(nullable(itemFields.tags)),
    metadata: Type.Optional(itemFields.metadata),
    language: Type.Optional(itemFields.language),
    enabled: Type.Optional(nullable(itemFields.enabled)),
    refreshIntervalHours: Type.Optional(itemFields.refreshIntervalHours),
  },
  { $id: "ItemRequest" },
);
export type ItemRequest = Static<typeof ItemRequest>;

/** Request body of an item's creation. */
export const NewItem = Type.Object(
  { ...ItemRequest.properties, title: itemFields.title, type: itemFields.type },
  { $id: "NewKnowledgeBaseItem" },
);
export type NewItem = Static<typeof NewItem>;

const { content, ...summaryFields } = itemFields;
const indexFields = {
  status: oneOf(["PENDING", "INDEXING", "READY", "FAILED", "DISABLED"]),
  statusMessage: nullable(Type.String({ description: "Why it failed, or what is waited for." })),
  sizeBytes: nullable(Type.Integer({ description: "Of the source, as it was indexed last." })),
  chunkCount: Type.Integer({ description: "Passages that a search can find." }),
  contentHash: nullable(Type.String({ description: "SHA-256 of the source, in hex." })),
  lastIndexedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** An item as a list shows it: without its content. */
export const ItemSummary = Type.Object(
  { id: Uuid, agentId: Uuid, ...summaryFields, ...indexFields },
  { $id: "KnowledgeBaseItemSummary" },
);
export type ItemSummary = Static<typeof ItemSummary>;

/** An item as it is read. */
export const KnowledgeBaseItemDto = Type.Object(
  { id: Uuid, agentId: Uuid, content, ...summaryFields, ...indexFields },
  { $id: "KnowledgeBaseItemDto" },
);
export type KnowledgeBaseItemDto = Static<typeof KnowledgeBaseItemDto>;

/**
 * Refuses an address that requests may not go to (422). The addresses its name resolves to are checked when it is
 * fetched.
 */
export function assertItemUrl(guard: OutboundGuard, { url }: ItemRequest): void {
  if (url) checkUrlField(guard, "url", "URL_REFUSED", url);
}

/** Makes an item and its indexing task; 404 when the agent or the file does not exist. */
export async function createItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  input: NewItem,
): Promise<KnowledgeBaseItemDto> {
  if (!(await holdAgent(tx, workspaceId, agentId))) throw new AppError("NOT_FOUND");
  const id = uuidv7();
  const draft = await mergeItem(tx, workspaceId, agentId, null, input);
  const fields = await planIndexing(tx, workspaceId, id, null, draft, input);
  return toItem(await insertItem(tx, workspaceId, agentId, id, fields));
}

/** One item; 404 when the agent has no such item. */
export async function getItem(
  db: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
): Promise<KnowledgeBaseItemDto> {
  const row = await findItem(db, workspaceId, agentId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toItem(row);
}

/** Merges the fields that are sent into an item and queues its indexing where that is needed. */
export async function changeItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
  input: ItemRequest,
  ifUpdatedAt?: string,
): Promise<KnowledgeBaseItemDto> {
  const row = await lockItem(tx, workspaceId, agentId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  const draft = await mergeItem(tx, workspaceId, agentId, row, input);
  const fields = await planIndexing(tx, workspaceId, row.id, row, draft, input);
  const changed = await updateItem(tx, workspaceId, agentId, id, fields);
  if (changed.title !== row.title || changed.config !== row.config) await retitleChunks(tx, workspaceId, id, changed);
  if (changed.title !== row.title) await renewVectors(tx, workspaceId, id);
  if (row.file_id !== null && row.file_id !== changed.file_id) await deleteUnusedFile(tx, workspaceId, row.file_id);
  return toItem(changed);
}

/** Reads an item's source again, even when it has not changed; 409 when the item is disabled. */
export async function reindexItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
): Promise<KnowledgeBaseItemDto> {
  const row = await lockItem(tx, workspaceId, agentId, id);
  if (!row) throw new AppError("NOT_FOUND");
  if (!row.enabled) throw new AppError("CONFLICT", "The item is disabled. Enable it, and it is indexed.");
  const task_id = await addTask(tx, workspaceId, { kind: INDEX_TASK, subjectId: id, payload: { isForced: true } });
  const fields: ItemFields = { ...row, status: "PENDING", status_message: null, task_id };
  return toItem(await updateItem(tx, workspaceId, agentId, id, fields));
}

/** Discards an item's vectors and queues new ones: the title is part of what is embedded. */
async function renewVectors(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await deleteVectors(tx, workspaceId, id);
  if (!(await hasEmbedder(tx, workspaceId))) return;
  await addTask(tx, workspaceId, { kind: EMBED_TASK, subjectId: id, payload: {} });
}

/** Deletes an item for good, with its passages and a file that no other item names; 404 when there is none. */
export async function removeItem(tx: Executor, workspaceId: string, agentId: string, id: string): Promise<void> {
  const gone = await deleteItem(tx, workspaceId, agentId, id);
  if (!gone) throw new AppError("NOT_FOUND");
  if (gone.file_id !== null) await deleteUnusedFile(tx, workspaceId, gone.file_id);
}

type Draft = Omit<ItemFields, "status" | "status_message" | "task_id" | "source_changed">;

/** Merges the sent fields into an item: absent ones stay, and a new type drops the source of the old one. */
async function mergeItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  row: ItemRow | null,
  input: ItemRequest,
): Promise<Draft> {
  const type = input.type ?? row?.type ?? "TEXT";
  const source = row?.type === type ? row : null;
  const language = input.language === undefined ? (row?.language ?? null) : input.language;
  const hours = input.refreshIntervalHours;
  const draft = {
    title: input.title ?? row?.title ?? "",
    type,
    content: input.content === undefined ? (source?.content ?? null) : input.content,
    url: input.url === undefined ? (source?.url ?? null) : input.url,
    file_id: input.fileId === undefined ? (source?.file_id ?? null) : (input.fileId?.toLowerCase() ?? null),
    tags: input.tags === undefined ? (row?.tags ?? []) : (input.tags ?? []),
    metadata: input.metadata === undefined ? (row?.metadata ?? null) : input.metadata,
    language,
    config: searchConfigOf(language),
    enabled: input.enabled === undefined ? (row?.enabled ?? true) : (input.enabled ?? true),
    refresh_interval_hours: hours === undefined ? (source?.refresh_interval_hours ?? null) : hours,
  };
  assertDraft(draft);
  const isNewFile = draft.file_id !== null && draft.file_id !== row?.file_id;
  if (isNewFile && !(await holdFile(tx, workspaceId, agentId, draft.file_id as string))) {
    throw missing(`File ${draft.file_id}`);
  }
  return draft;
}

const SOURCES = { TEXT: "content", URL: "url", FILE: "fileId" } as const;

function assertDraft(draft: Draft): void {
  const given = { content: draft.content, url: draft.url, fileId: draft.file_id };
  for (const type of TYPES) {
    const name = SOURCES[type];
    if (type === draft.type && !given[name]?.trim()) {
      throw fieldError(name, "REQUIRED", `is required for an item of type ${type}.`);
    }
    if (type !== draft.type && given[name] !== null) {
      throw fieldError(name, "NOT_ALLOWED", `is only for items of type ${type}.`);
    }
  }
  if (draft.refresh_interval_hours !== null && draft.type !== "URL") {
    throw fieldError("refreshIntervalHours", "NOT_ALLOWED", "is only for items of type URL.");
  }
  if (Buffer.byteLength(JSON.stringify(draft.metadata)) > MAX_METADATA_BYTES) {
    throw fieldError("metadata", "TOO_LARGE", "must be at most 64 KiB of JSON.");
  }
}

/**
 * Decides if the item is indexed again. A new task keeps a run already under way from storing anything, so the change
 * wins. A URL is also read again when it is sent again or its interval changes; a failed or disabled item is always
 * retried.
 */
async function planIndexing(
  tx: Executor,
  workspaceId: string,
  id: string,
  row: ItemRow | null,
  draft: Draft,
  input: ItemRequest,
): Promise<ItemFields> {
  const isChanged = row === null || isOtherSource(row, draft);
  const source_changed = isChanged || row.source_changed;
  if (!draft.enabled) return { ...draft, status: "DISABLED", status_message: null, task_id: null, source_changed };
  const isDue = isChanged || row.status === "FAILED" || row.status === "DISABLED" || asksForRefresh(row, draft, input);
  if (!isDue)
    return { ...draft, status: row.status, status_message: row.status_message, task_id: row.task_id, source_changed };
  const task_id = await addTask(tx, workspaceId, { kind: INDEX_TASK, subjectId: id, payload: {} });
  return { ...draft, status: "PENDING", status_message: null, task_id, source_changed };
}

function isOtherSource(row: ItemRow, draft: Draft): boolean {
  return (
    row.type !== draft.type || row.content !== draft.content || row.url !== draft.url || row.file_id !== draft.file_id
  );
}

function asksForRefresh(row: ItemRow, draft: Draft, input: ItemRequest): boolean {
  return draft.type === "URL" && (Boolean(input.url) || row.refresh_interval_hours !== draft.refresh_interval_hours);
}

/** An item as a list shows it. */
export function toItemSummary(row: ItemRow): ItemSummary {
  return {
    id: row.id,
    agentId: row.agent_id,
    title: row.title,
    type: row.type,
    url: row.url,
    fileId: row.file_id,
    tags: row.tags,
    metadata: row.metadata,
    language: row.language,
    enabled: row.enabled,
    refreshIntervalHours: row.refresh_interval_hours,
    status: row.status,
    statusMessage: row.status_message,
    sizeBytes: row.size_bytes,
    chunkCount: row.chunk_count,
    contentHash: row.content_hash,
    lastIndexedAt: row.last_indexed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toItem(row: ItemRow): KnowledgeBaseItemDto {
  return { ...toItemSummary(row), content: row.content };
}
