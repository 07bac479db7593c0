import type { ModelProvider, ReasoningEffort } from "#src/engine/models/hosted/vendors.ts";
import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

/** Purpose of a model: conversation, or turning text into vectors. */
export type ModelKind = "CHAT" | "EMBEDDING";

export interface LanguageModelRow {
  workspace_id: string;
  id: string;
  kind: ModelKind;
  name: string;
  provider: ModelProvider;
  base_url: string | null;
  model: string;
  api_key: Buffer | null;
  temperature: number | null;
  max_output_tokens: number | null;
  reasoning_effort: ReasoningEffort | null;
  region: string | null;
  access_key_id: string | null;
  /** Sealed. */
  headers: Buffer | null;
  header_names: string[];
  extra_body: Record<string, unknown> | null;
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The configured models of a workspace, oldest first, with one more than asked for. */
export function listModels(tx: Executor, workspaceId: string, page: PageRequest): Promise<LanguageModelRow[]> {
  return all(
    tx,
    sql`select * from language_models where workspace_id = ${workspaceId}
          and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the configured models of a workspace. */
export function countModels(tx: Executor, workspaceId: string): Promise<number> {
  return countOf(tx, sql`language_models where workspace_id = ${workspaceId}`);
}

/** One model. */
export function findModel(tx: Executor, workspaceId: string, id: string): Promise<LanguageModelRow | undefined> {
  return first(tx, sql`select * from language_models where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One model, locked for the change that follows. */
export function lockModel(tx: Executor, workspaceId: string, id: string): Promise<LanguageModelRow | undefined> {
  return first(tx, sql`select * from language_models where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** The embedding model that a workspace uses: its default one, else the oldest. */
export function findEmbeddingModel(tx: Executor, workspaceId: string): Promise<LanguageModelRow | undefined> {
  return first(
    tx,
    sql`select * from language_models where workspace_id = ${workspaceId} and kind = 'EMBEDDING'
        order by is_default desc, id limit 1`,
  );
}

/** The chat models with these ids, and the workspace's default. */
export function findModels(tx: Executor, workspaceId: string, ids: string[]): Promise<LanguageModelRow[]> {
  return all(
    tx,
    sql`select * from language_models where workspace_id = ${workspaceId} and kind = 'CHAT'
          and (id = any(${ids}::uuid[]) or is_default)`,
  );
}

/** The oldest chat model with this name. */
export function findModelNamed(tx: Executor, workspaceId: string, name: string): Promise<LanguageModelRow | undefined> {
  return first(
    tx,
    sql`select * from language_models where workspace_id = ${workspaceId} and kind = 'CHAT' and name = ${name}
        order by id limit 1`,
  );
}

type Settings = Omit<LanguageModelRow, "workspace_id" | "is_default" | "created_at" | "updated_at">;

/** Stores a new or changed model; the default model stays. */
export async function saveModel(tx: Executor, workspaceId: string, row: Settings): Promise<LanguageModelRow> {
  const rows = await all<LanguageModelRow>(
    tx,
    sql`insert into language_models (workspace_id, id, kind, name, provider, base_url, model, api_key, temperature,
          max_output_tokens, reasoning_effort, region, access_key_id, headers, header_names, extra_body)
        values (${workspaceId}, ${row.id}, ${row.kind}, ${row.name}, ${row.provider}, ${row.base_url}, ${row.model}, ${row.api_key},
                ${row.temperature}, ${row.max_output_tokens}, ${row.reasoning_effort}, ${row.region}, ${row.access_key_id},
                ${row.headers}, ${row.header_names}::text[], ${row.extra_body && JSON.stringify(row.extra_body)})
        on conflict (workspace_id, id) do update set name = excluded.name, provider = excluded.provider,
          base_url = excluded.base_url, model = excluded.model, api_key = excluded.api_key,
          temperature = excluded.temperature, max_output_tokens = excluded.max_output_tokens,
          reasoning_effort = excluded.reasoning_effort, region = excluded.region,
          access_key_id = excluded.access_key_id, headers = excluded.headers, header_names = excluded.header_names,
          extra_body = excluded.extra_body, updated_at = now()
        returning *`,
  );
  return rows[0] as LanguageModelRow;
}

/** Makes a model the workspace's default of its kind; null leaves the kind without one. */
export async function setDefaultModel(
  tx: Executor,
  workspaceId: string,
  kind: ModelKind,
  id: string | null,
): Promise<void> {
  // Serialised: otherwise two that set the default at once would both find none, and the second violate the unique
  // index.
  await lockName(tx, workspaceId, "default model", kind);
  // Separate statements: within one, the planner decides in which order the changes meet the unique index.
  await all(
    tx,
    sql`update language_models set is_default = false
        where workspace_id = ${workspaceId} and kind = ${kind} and is_default`,
  );
  if (id === null) return;
  await all(tx, sql`update language_models set is_default = true where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Deletes a model; undefined when there is none. */
export function deleteModel(tx: Executor, workspaceId: string, id: string): Promise<LanguageModelRow | undefined> {
  return first(tx, sql`delete from language_models where workspace_id = ${workspaceId} and id = ${id} returning *`);
}
