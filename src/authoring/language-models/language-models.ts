import type { Executor } from "#src/platform/db/database.ts";
import { checkUrlField, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { keepsStored, MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import type { ConfiguredModel, ConfiguredModelChange, ConfiguredModelInput } from "./configured-model.ts";
import { maskHeaders, openHeaders, sealHeaders } from "./model-headers.ts";
import { assertSecretsStay, assertSettings, mergeSettings } from "./model-settings.ts";
import {
  deleteModel,
  findModel,
  findModelNamed,
  findModels,
  type LanguageModelRow,
  lockModel,
  saveModel,
  setDefaultModel,
} from "./store.ts";

/** Kind of the task that follows a change of a workspace's embedding models; its subject is the workspace. */
export const EMBEDDINGS_CHANGED_TASK = "models.embeddings_changed";

/** Dependencies for checking and sealing a model's settings. */
export interface ModelParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Place that a model's key is sealed for: copied to another row, the key cannot be opened. */
export function modelKeyPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|language_models|api_key|${id}`;
}

/** Keys of models, as they are stored. */
export const SEALED_MODELS = sealedColumn("language models", "language_models", "api_key", modelKeyPlace);

/** Configures a model. Nothing is sent to it yet. */
export function createModel(tx: Executor, parts: ModelParts, workspaceId: string, input: ConfiguredModelInput) {
  return store(tx, parts, workspaceId, uuidv7(), input, undefined);
}

/** Merges the sent fields into a configured model. */
export async function changeModel(
  tx: Executor,
  parts: ModelParts,
  workspaceId: string,
  id: string,
  input: ConfiguredModelChange,
  ifUpdatedAt?: string,
): Promise<ConfiguredModel> {
  const before = await lockModel(tx, workspaceId, id);
  if (!before) throw new AppError("NOT_FOUND");
  assertUnchanged(before.updated_at, ifUpdatedAt);
  return store(tx, parts, workspaceId, before.id, input, before);
}

async function store(
  tx: Executor,
  { guard, box }: ModelParts,
  workspaceId: string,
  id: string,
  input: ConfiguredModelChange,
  before: LanguageModelRow | undefined,
): Promise<ConfiguredModel> {
  if (input.baseUrl) checkUrlField(guard, "baseUrl", "NOT_ALLOWED", input.baseUrl);
  if (input.apiKey === MASK && !before?.api_key)
    throw fieldError("apiKey", "MASKED", "is the mask, but no key is stored.");
  if (before && input.kind !== undefined && input.kind !== before.kind)
    throw fieldError("kind", "IMMUTABLE", "cannot be changed. Configure another model.");
  const keepsKey = keepsStored(input.apiKey);
  const settings = mergeSettings(before, input);
  if (before) assertSecretsStay(before, settings, input, keepsKey);
  assertSettings(settings, keepsKey ? Boolean(before?.api_key) : Boolean(input.apiKey));
  const seal = (key: string) => {
    assertKey(key);
    return box.seal(key, modelKeyPlace(workspaceId, id));
  };
  const saved = await saveModel(tx, workspaceId, {
    id,
    ...settings,
    api_key: keepsKey ? (before?.api_key ?? null) : input.apiKey ? seal(input.apiKey) : null,
    ...headersOf(box, workspaceId, id, input, before),
  });
  const isDefault = input.isDefault ?? saved.is_default;
  if (isDefault !== saved.is_default) await setDefaultModel(tx, workspaceId, settings.kind, isDefault ? id : null);
  if (settings.kind === "EMBEDDING") await describeEmbeddings(tx, workspaceId);
  return toConfigured({ ...saved, is_default: isDefault });
}

function headersOf(
  box: SecretBox,
  workspaceId: string,
  id: string,
  { headers: sent }: ConfiguredModelChange,
  before: LanguageModelRow | undefined,
) {
  if (sent === undefined) return { headers: before?.headers ?? null, header_names: before?.header_names ?? [] };
  return sealHeaders(box, workspaceId, id, sent, before ? openHeaders(box, before) : {});
}

/** Queues the task that re-embeds what another model embedded. */
async function describeEmbeddings(tx: Executor, workspaceId: string): Promise<void> {
  await addTask(tx, workspaceId, { kind: EMBEDDINGS_CHANGED_TASK, subjectId: workspaceId, payload: {} });
}

/** Refuses a key with line breaks or other control characters, since it travels in a header. */
function assertKey(key: string): void {
  try {
    assertHeaderAllowed("x-model-key", key);
  } catch {
    throw fieldError("apiKey", "FORMAT", "holds characters that no header can carry.");
  }
}

/** Removes a model; a flow that names it falls back to its other models, then to the workspace's default. */
export async function removeModel(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const gone = await deleteModel(tx, workspaceId, id);
  if (!gone) throw new AppError("NOT_FOUND");
  if (gone.kind === "EMBEDDING") await describeEmbeddings(tx, workspaceId);
}

/** One model; 404 when there is none. */
export async function getModel(tx: Executor, workspaceId: string, id: string): Promise<ConfiguredModel> {
  const row = await findModel(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toConfigured(row);
}

/** The chat model with this name; undefined when there is none. */
export async function findModelByName(
  tx: Executor,
  workspaceId: string,
  name: string,
): Promise<ConfiguredModel | undefined> {
  const row = await findModelNamed(tx, workspaceId, name);
  return row && toConfigured(row);
}

/** Answers 404 with a message when a body names a model that the workspace does not have or that is no chat model. */
export async function assertModels(tx: Executor, workspaceId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await findModels(tx, workspaceId, ids)).map((row) => row.id));
  const lost = ids.find((id) => !known.has(id.toLowerCase()));
  if (lost !== undefined) throw missing(`Model ${lost}`);
}

/** A row as the API shows it. */
export function toConfigured(row: LanguageModelRow): ConfiguredModel {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    provider: row.provider,
    baseUrl: row.base_url,
    model: row.model,
    apiKey: row.api_key === null ? null : MASK,
    temperature: row.temperature,
    maxOutputTokens: row.max_output_tokens,
    reasoningEffort: row.reasoning_effort,
    region: row.region,
    accessKeyId: row.access_key_id,
    headers: maskHeaders(row.header_names),
    extraBody: row.extra_body,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
